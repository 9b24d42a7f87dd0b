// SPDX-License-Identifier: Apache-2.0

/// A full-screen view as a value: it handles input, draws itself, and names itself and its keys.
///
/// A screen requests work outside of itself, such as to copy a text, by an intent, which the program carries out.
///
/// ```swift
/// import TerminalUI
///
/// struct Counter: Screen {
///     let name = "Counter"
///     let help = [ScreenHelp("+, -", "Count")]
///     var size = Size(columns: 20, rows: 1)
///     var count = 0
///
///     mutating func handle(_ event: InputEvent) -> ScreenResponse<Never> {
///         switch event {
///         case .key(Key(.character("+"))): count += 1
///         case .key(Key(.character("-"))): count -= 1
///         default: return .ignored
///         }
///         return .handled
///     }
///
///     func draw(on grid: inout Grid, _ theme: Theme) {
///         grid.write("\(count)", at: Point(column: 0, row: 0), style: theme.page)
///     }
/// }
///
/// print(Counter(count: 3).text())
/// ```
public protocol Screen<Intent>: Sendable {
    /// The work that the screen can request; `Never` for a screen that requests nothing.
    associatedtype Intent: Hashable & Sendable

    /// The name, as in a title or a command line: `Inspector`.
    var name: String { get }
    /// The keys and uses of the mouse that have an effect now, in the order in which the help lists them.
    var help: [ScreenHelp] { get }
    /// The extent of the terminal; set before the first event and after each change.
    var size: Size { get set }
    /// Whether keys that type characters go into a field now. No, by default.
    var takesText: Bool { get }
    /// Whether there is work left for ``goOn()``, as in a search through many keys. No, by default.
    var isWorking: Bool { get }

    /// Handles a key, the mouse or a pasted text.
    ///
    /// - Returns: what follows from it.
    mutating func handle(_ event: InputEvent) -> ScreenResponse<Intent>

    /// Does the next part of the work that is left. The program calls it after the input that waits. Nothing, by default.
    mutating func goOn()

    /// Draws the screen on a frame of ``size``, which may show another screen already.
    func draw(on grid: inout Grid, _ theme: Theme)
}

extension Screen {
    /// No.
    public var takesText: Bool { false }
    /// No.
    public var isWorking: Bool { false }

    /// Does nothing.
    public mutating func goOn() {}

    /// The screen alone on an empty frame.
    public func grid(_ theme: Theme = .plain) -> Grid {
        var grid = Grid(size: size, base: theme.page)
        draw(on: &grid, theme)
        return grid
    }

    /// The screen alone as text: a line for each row, without blanks at the ends.
    public func text() -> String { grid().text }
}

/// The response of a screen to an event.
public enum ScreenResponse<Intent: Hashable & Sendable>: Hashable, Sendable {
    /// The event means nothing to the screen; whoever shows it may use the event.
    case ignored
    /// The screen has handled the event, and requests this work, in order.
    case done([Intent])
    /// The program must close the screen.
    case close

    /// The screen has handled the event, and requests nothing.
    public static var handled: ScreenResponse { .done([]) }
}

/// A line of a screen's help.
public struct ScreenHelp: Hashable, Sendable {
    /// The keys or the use of the mouse, such as `PageUp, PageDown`.
    public var keys: String
    /// Their effect.
    public var text: String

    /// Creates a line.
    public init(_ keys: String, _ text: String) {
        (self.keys, self.text) = (keys, text)
    }
}

extension Grid {
    /// A line for each row, without blanks at the ends.
    public var text: String {
        (0..<size.rows).map { row in
            let line = text(row: row)
            return String(line[..<(line.lastIndex { $0 != " " }.map { line.index(after: $0) } ?? line.startIndex)])
        }.map { $0 + "\n" }.joined()
    }
}
