// SPDX-License-Identifier: Apache-2.0

/// A full-screen view as a value: it handles input, draws itself, and names itself and its commands.
///
/// The keys of a screen, its hints and its help all follow from ``commands``. A screen requests work outside of itself, such as
/// to copy a text, by an intent, which the program carries out.
///
/// ```swift
/// import TerminalUI
///
/// struct Counter: Screen {
///     let name = "Counter"
///     var size = Size(columns: 20, rows: 1)
///     var count = 0
///
///     var commands: [ScreenCommand<Int>] {
///         [
///             ScreenCommand(1, [.character("+")], hint: "More", help: "Count up"),
///             ScreenCommand(-1, [.character("-")], hint: "Less", help: "Count down"),
///         ]
///     }
///
///     mutating func perform(_ steps: Int) -> ScreenResponse<Never> {
///         count += steps
///         return .handled
///     }
///
///     func draw(on grid: inout Grid, _ theme: Theme) {
///         grid.write("\(count)", at: Point(column: 0, row: 0), style: theme.page)
///     }
/// }
///
/// var counter = Counter()
/// _ = counter.handle(.key(.character("+")))
/// print(counter.text(), counter.help)
/// ```
public protocol Screen<Intent>: Sendable {
    /// The work that the screen can request; `Never` for a screen that requests nothing.
    associatedtype Intent: Hashable & Sendable
    /// The actions that keys and clicks cause.
    associatedtype Command: Hashable & Sendable

    /// The name, as in a title or a command line: `Inspector`.
    var name: String { get }
    /// The commands that have an effect now, in the order of hints and help.
    var commands: [ScreenCommand<Command>] { get }
    /// The help on everything but commands, such as the use of the mouse. Nothing, by default.
    var notes: [ScreenHelp] { get }
    /// The extent of the terminal; set before the first event and after each change.
    var size: Size { get set }
    /// Whether keys that type characters go into a field now. No, by default.
    var takesText: Bool { get }
    /// Whether there is work left for ``continueWork()``, as in a search through many keys. No, by default.
    var isWorking: Bool { get }

    /// Carries out a command.
    ///
    /// - Returns: what follows from it.
    mutating func perform(_ command: Command) -> ScreenResponse<Intent>

    /// Handles a key, the mouse or a pasted text. By default, a key carries out the command that has it.
    ///
    /// - Returns: what follows from it.
    mutating func handle(_ event: InputEvent) -> ScreenResponse<Intent>

    /// Does the next part of the work that is left. The program calls it after the input that waits. Nothing, by default.
    mutating func continueWork()

    /// Draws the screen on a frame of ``size``, which may show another screen already.
    func draw(on grid: inout Grid, _ theme: Theme)
}

extension Screen {
    /// Nothing.
    public var notes: [ScreenHelp] { [] }
    /// No.
    public var takesText: Bool { false }
    /// No.
    public var isWorking: Bool { false }

    /// Carries out the command of a key.
    public mutating func handle(_ event: InputEvent) -> ScreenResponse<Intent> {
        if case .key(let key) = event { perform(key) } else { .ignored }
    }

    /// Carries out the command of a key, if one has it. A key that types a character into a field carries out none.
    public mutating func perform(_ key: Key) -> ScreenResponse<Intent> {
        if takesText, key.isTyped { return .ignored }
        return commands.first { $0.keys.contains(key) }.map { perform($0.command) } ?? .ignored
    }

    /// Does nothing.
    public mutating func continueWork() {}

    /// The keys and uses of the mouse that have an effect now.
    public var help: [ScreenHelp] { helpLines(whileTyping: takesText) + (takesText ? TextField.help : []) }

    /// The help on its commands and notes while a field, of this screen or of one above, has the focus.
    package func helpLines(whileTyping isTyping: Bool) -> [ScreenHelp] {
        commands.compactMap { $0.reached(whileTyping: isTyping).helpLine } + notes
    }

    /// The keys of its commands.
    package var keys: Set<Key> { Set(commands.flatMap(\.keys)) }

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
    /// The screen ignores the event; its owner may use it.
    case ignored
    /// The screen has handled the event, and requests this work, in order.
    case done([Intent])
    /// The program must close the screen.
    case close

    /// The screen has handled the event, and requests nothing.
    public static var handled: ScreenResponse { .done([]) }
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
