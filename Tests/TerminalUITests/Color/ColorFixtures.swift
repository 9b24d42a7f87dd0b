import ConfigModel

@testable import TerminalUI

extension RGBColor {
    /// The cube of `levels`³ colours, evenly spaced from black to white, one plane of equal red at a time.
    static func plane(red: Int, levels: Int) -> [RGBColor] {
        let values = (0..<levels).map { UInt8(255 * $0 / (levels - 1)) }
        return values.flatMap { green in
            values.map { blue in RGBColor(red: values[red], green: green, blue: blue) }
        }
    }

    /// The whole cube of `levels`³ colours.
    static func grid(levels: Int) -> [RGBColor] {
        (0..<levels).flatMap { plane(red: $0, levels: levels) }
    }

    /// Colours that look random and are the same in every run.
    static func scattered(_ count: Int, seed: UInt32) -> [RGBColor] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return RGBColor(rgb24: state >> 8)
        }
    }
}

extension Palette {
    /// All of xterm's 256 colours, eight of which appear twice.
    static let xterm256 = Palette(entries: ansi16.entries + fixed240.entries)

    /// What each depth chooses from unless told otherwise.
    static let standard: [ColorDepth: Palette] = [
        .monochrome: .monochrome, .ansi8: .ansi8, .ansi16: .ansi16, .indexed256: .fixed240,
    ]
}

/// The plainest search there is: every entry is compared, nothing is spared and nothing is kept.
struct BruteForce {
    private let entries: [(entry: Palette.Entry, lab: LabColor)]

    init(_ palette: Palette) {
        entries = palette.entries.sorted { $0.index < $1.index }.map { ($0, LabColor($0.color)) }
    }

    func nearest(to color: RGBColor) -> (index: Int, difference: Double) {
        let lab = LabColor(color)
        var best = (index: -1, difference: Double.infinity)
        for (entry, candidate) in entries {
            let difference = lab.difference(to: candidate)
            if difference < best.difference { best = (entry.index, difference) }
        }
        return best
    }
}
