// SPDX-License-Identifier: Apache-2.0

extension Tmux {
    /// Properties of the window besides its text.
    package struct State: Hashable, Sendable {
        package let columns: Int
        package let rows: Int
        /// The position of the cursor. Its column equals the number of columns while a character waits to wrap.
        package let cursor: VirtualScreen.Position
        package let isCursorVisible: Bool
        package let isAlternate: Bool
        /// Whether the program has ended.
        package let isDead: Bool
        /// The exit status, once tmux knows it. The signal is 0 if tmux has only its name.
        package let exitStatus: ExitStatus?
        /// The title that the program has set.
        package let title: String
    }

    /// The text of the window, one line for each row, without trailing spaces.
    ///
    /// - Parameter withColors: Whether the lines contain the SGR sequences of their styles.
    package func capture(withColors: Bool = false) throws -> String {
        try control(["capture-pane", "-p"] + (withColors ? ["-e", "-N"] : []))
    }

    /// The contents of the window, as the cells of a screen.
    package func captureScreen() throws -> VirtualScreen {
        let state = try state()
        var screen = VirtualScreen(columns: state.columns, rows: state.rows)
        // Line drawing comes in G1. After a full row the next one must not be skipped, so each is addressed.
        screen.feed("\u{1B})0")
        let lines = try capture(withColors: true).split(separator: "\n", omittingEmptySubsequences: false)
        for (row, line) in lines.prefix(state.rows).enumerated() {
            screen.feed("\u{1B}[\(row + 1)H\(line)")
        }
        let (row, column) = (state.cursor.row + 1, min(state.cursor.column, state.columns - 1) + 1)
        screen.feed("\u{1B}[\(row);\(column)H\u{1B}[?25\(state.isCursorVisible ? "h" : "l")")
        return screen
    }

    /// Properties of the window besides its text.
    package func state() throws -> State {
        let names = [
            "window_width", "window_height", "cursor_x", "cursor_y", "cursor_flag", "alternate_on", "pane_dead",
            "pane_dead_status", "pane_dead_signal", "pane_title",
        ]
        let format = names.map { "#{\($0)}" }.joined(separator: "\t")
        let answer = try control(["display-message", "-p", format])
        let fields = answer.drop { $0 == "\n" }.split(
            separator: "\t",
            maxSplits: names.count - 1,
            omittingEmptySubsequences: false
        )
        guard fields.count == names.count else {
            throw FixtureError("tmux display-message \(format): \(answer)")
        }
        let numbers = fields.prefix(7).map { Int($0) ?? 0 }
        let signal = fields[8].isEmpty ? nil : ExitStatus.signaled(Int32(fields[8]) ?? 0)
        return State(
            columns: numbers[0],
            rows: numbers[1],
            cursor: VirtualScreen.Position(row: numbers[3], column: numbers[2]),
            isCursorVisible: numbers[4] == 1,
            isAlternate: numbers[5] == 1,
            isDead: numbers[6] == 1,
            exitStatus: Int32(fields[7]).map(ExitStatus.exited) ?? signal,
            title: String(fields[9].prefix { $0 != "\n" })
        )
    }

    /// Polls the window's text until it is as expected.
    ///
    /// - Throws: ``WaitError`` with the text.
    package func waitFor(
        _ expectation: String = "the window to be as expected",
        deadline: Duration = .patience,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ condition: (String) throws -> Bool
    ) throws {
        var last = ""
        try until(expectation, deadline: deadline, lastState: last, fileID: fileID, line: line) {
            last = try capture()
            return try condition(last)
        }
    }

    /// Waits until the program has ended.
    ///
    /// Output just before the end of a program may be lost, as tmux closes the terminal at once. A program that closes its
    /// standard descriptors before it ends, as `cat` does, may be killed by SIGHUP in between.
    package func waitForExit(fileID: StaticString = #fileID, line: UInt = #line) throws -> ExitStatus {
        var status: ExitStatus?
        func hasEnded() throws -> Bool {
            let state = try state()
            status = state.exitStatus
            // tmux may miss the end of a program that ends at once. With the end of another it looks for all.
            if state.isDead, status == nil { try control(["run-shell", "true"]) }
            return state.isDead && status != nil
        }
        try until("the program to end", fileID: fileID, line: line, hasEnded)
        return status ?? .exited(-1)
    }
}
