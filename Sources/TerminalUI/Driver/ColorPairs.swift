internal import CNCurses
internal import ConfigModel

/// Which pair of colours has which number in curses.
@MainActor
struct ColorPairs {
    private var numbers: [Colors: Int32] = [:]

    private struct Colors: Hashable {
        var foreground: TerminalColor
        var background: TerminalColor
    }

    /// Whether the next frame might find no number free.
    ///
    /// A pair must not be given other colours while cells of it are on the screen, so the caller starts afresh.
    var isFull: Bool { numbers.count + Self.mostPerFrame >= lvy_color_pairs() && numbers.count > Self.mostPerFrame }
    private static let mostPerFrame = 24

    mutating func number(for style: Style) -> Int32 {
        let colors = Colors(foreground: style.foreground, background: style.background)
        if colors == Colors(foreground: .standard, background: .standard) { return 0 }
        if let number = numbers[colors] { return number }
        let number = Int32(numbers.count + 1)
        guard number < lvy_color_pairs() else { return 0 }
        numbers[colors] = number
        init_extended_pair(number, Self.number(of: style.foreground), Self.number(of: style.background))
        return number
    }

    /// The number of a colour in curses.
    static func number(of color: TerminalColor) -> Int32 {
        switch color {
        case .standard: -1
        case .indexed(let index): Int32(index)
        case .direct(let rgb): Int32(rgb.rgb24)
        }
    }
}
