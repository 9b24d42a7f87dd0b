// SPDX-License-Identifier: Apache-2.0

/// A terminal without a window: it takes the bytes that a program sends and keeps what a person would see.
///
/// It follows xterm, and is strict: unknown sequences, and sequences that a careful program would not send, are recorded in
/// ``violations`` instead of being ignored.
///
/// ```swift
/// var screen = VirtualScreen(columns: 80, rows: 24)
/// screen.feed("\u{1B}[3;5H\u{1B}[1;38;2;255;182;193mHello")
/// screen.find("Hello")                   // row 2, column 4
/// screen.cell(row: 2, column: 4).foreground  // .rgb(0xFFB6C1)
/// screen.violations                      // []
/// ```
///
/// Rows and columns count from 0. There is no scrollback.
package struct VirtualScreen: Sendable {
    /// The kind of the terminal.
    package let configuration: Configuration

    /// The cells of the screen shown, and of the one that is not: main and alternate.
    var grid: ScreenGrid
    var hiddenGrid: ScreenGrid
    /// Whether the alternate screen is shown.
    package internal(set) var isAlternate = false

    var cursor = ScreenCursor()
    var savedCursor: ScreenCursor?
    var hiddenSavedCursor: ScreenCursor?
    /// The rows that scroll (DECSTBM).
    var margins: ClosedRange<Int>

    /// The private modes that are set (DECSET), by number; see ``Mode``.
    package internal(set) var modes: Set<Int> = [Mode.autowrap, Mode.visibleCursor]
    /// The cursor's shape (DECSCUSR), 0–6.
    package internal(set) var cursorShape = 0
    /// The window's title.
    package internal(set) var title = ""
    var titleStack: [String] = []
    /// The flags of kitty's keyboard protocol that are set.
    package internal(set) var keyboardFlags = 0
    /// The colour of the cursor, `0xRRGGBB`, where the program has set one.
    package internal(set) var cursorColor: UInt32?

    /// The character that REP repeats.
    var lastPrinted: Unicode.Scalar?
    /// The target of a combining character: the position of the character just shown.
    var lastPosition: Position?
    var hyperlink: String?

    /// The terminal's pending answers to the program; empty unless the configuration has answers.
    package var responses: [UInt8] = []
    /// The errors in the output: unknown sequences, invalid control bytes, positions outside the screen. Only the first
    /// thousand are kept. A test may clear it.
    package var violations: [String] = []

    var parser = EscapeParser()

    /// A blank screen with the cursor at the top left.
    package init(columns: Int, rows: Int, configuration: Configuration = .xterm) {
        precondition(columns > 0 && rows > 0, "a screen has at least one row and one column")
        self.configuration = configuration
        grid = ScreenGrid(columns: columns, rows: rows)
        hiddenGrid = grid
        margins = 0...rows - 1
    }

    /// The number of columns.
    package var columns: Int { grid.columns }

    /// The number of rows.
    package var rows: Int { grid.rows }

    /// The position of the next character. After one in the last column, that is still the last column.
    package var cursorPosition: Position { Position(row: cursor.row, column: cursor.column) }

    /// Whether the cursor is shown.
    package var isCursorVisible: Bool { modes.contains(Mode.visibleCursor) }

    /// Processes output of the program, which may be divided anywhere.
    package mutating func feed(_ bytes: some Sequence<UInt8>) {
        var events: [EscapeParser.Event] = []
        parser.parse(bytes, into: &events)
        for event in events { handle(event) }
    }

    /// Processes output of the program, as UTF-8.
    package mutating func feed(_ text: String) {
        feed(text.utf8)
    }

    /// The answers so far, which are forgotten here.
    package mutating func takeResponses() -> [UInt8] {
        defer { responses = [] }
        return responses
    }

    mutating func recordViolation(_ description: String) {
        if violations.count < 1000 { violations.append(description) }
    }
}

/// The position and style of the next character, as saved by DECSC.
struct ScreenCursor: Equatable, Sendable {
    var row = 0
    var column = 0
    /// Whether a character is in the last column, and the next one goes to the next row.
    var isWrapPending = false
    var style = VirtualScreen.Style()
}
