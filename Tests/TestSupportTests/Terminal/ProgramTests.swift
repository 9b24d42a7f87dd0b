// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

/// Real programs, driven by real terminal descriptions, on a ``PseudoTerminal``.
@Suite(.timeLimit(.minutes(5)))
struct ProgramTests {
    private static let terminals = [
        "xterm-256color", "tmux-256color", "screen", "linux", "vt100", "rxvt-unicode-256color",
    ]

    /// Whether the system knows a type of terminal. A small installation knows a few.
    private func isKnown(_ terminal: String) throws -> Bool {
        try Command("infocmp", [terminal]).run().status.isSuccess
    }

    @Test(.enabled(if: Command.isInstalled("tput"), "tput is the program that is run"), arguments: terminals)
    func followsTheTerminalDescription(terminal: String) throws {
        guard try isKnown(terminal) else { return }
        let script = """
            tput init; tput smcup; tput clear; tput cup 3 4; tput bold; tput setaf 1; printf bold; tput sgr0
            tput cup 5 0; tput enacs; tput smacs; printf lqk; tput rmacs; printf q
            tput cup 6 0; tput rev; printf reverse; tput sgr0; tput cup 7 0; printf abcdef; tput cup 7 1; tput el
            tput cup 1 0; printf one; tput cup 2 0; printf two; tput csr 1 2; tput cup 2 0; tput ind; printf three
            tput csr 0 9; tput cup 8 6; tput civis; read x; tput rmcup; tput cnorm; tput reset
            """
        let program = try PseudoTerminal(
            running: .shell(script, environment: Command.environment(terminal: terminal)),
            columns: 40,
            rows: 10,
            configuration: .terminal(named: terminal)
        )
        // The vt100 has neither an alternate screen nor an invisible cursor.
        let isPlain = terminal == "vt100"
        try program.readUntil { $0.cursorPosition == .init(row: 8, column: 6) && (isPlain || !$0.isCursorVisible) }
        #expect(program.screen.lines == ["", "two", "three", "    bold", "", "┌─┐q", "reverse", "a", "", ""])
        let bold = program.screen.cell(row: 3, column: 4)
        #expect(bold.isBold)
        #expect(bold.foreground == (isPlain ? .standard : .indexed(1)))
        #expect(program.screen.cell(row: 6, column: 0).isReversed)
        #expect(program.screen.isAlternate == !["vt100", "linux"].contains(terminal))

        try program.write("\r")
        #expect(try program.waitForExit(deadline: .seconds(20)).isSuccess)
        #expect(program.screen.isCursorVisible && !program.screen.isAlternate)
        #expect(program.screen.violations == [])
    }

    @Test(.enabled(if: Command.isInstalled("less"), "less is the program that is run"))
    func pages() throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write((1...100).map { "line \($0) é世\n" }.joined(), to: "text")
        let less = try PseudoTerminal(running: Command("less", [file]), columns: 30, rows: 6)
        try less.readUntil { $0.contains("line 5") }
        #expect(less.screen.isAlternate)
        #expect(less.screen.text(row: 0) == "line 1 é世")

        try less.write(" ")
        try less.readUntil { $0.contains("line 10 é世") }
        try less.write("G")
        try less.readUntil { $0.contains("line 100") && $0.text(row: 5) == "(END)" }
        try less.resize(columns: 20, rows: 4)
        // When the signal comes between its prompt and its wait for a key, less sees it with the next key only.
        try less.write("r")
        try less.readUntil("less to draw for the new size") { $0.text(row: 3) == ":" }
        try less.write("g")
        try less.readUntil { $0.contains("line 3") && !$0.contains("line 100") }
        try less.write("q")
        #expect(try less.waitForExit() == .exited(0))
        #expect(try less.terminalAttributes() == less.initialAttributes)
        #expect(!less.screen.isAlternate)
    }

    @Test(.enabled(if: Tmux.isInstalled, "tmux is the program that is run"))
    func nestsATerminalInATerminal() throws {
        let tmux = try Tmux(running: .shell("printf '\\033[48;2;1;2;3mdeep\\033[m'; exec cat"), columns: 30, rows: 5)
        let client = try PseudoTerminal(running: tmux.attachCommand(), columns: 30, rows: 5)
        try client.readUntil { $0.contains("deep") }
        #expect(client.screen.cell(row: 0, column: 0).background == .rgb(0x010203))
        try client.write("typed\r")
        try client.readUntil { $0.contains("typed") }
        try tmux.kill()
        try client.waitForExit()
        #expect(!client.screen.isAlternate)
    }
}
