// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.enabled(if: Tmux.isInstalled, "tmux is the terminal"), .timeLimit(.minutes(5)))
struct TmuxTests {
    @Test func showsAndTypes() throws {
        let tmux = try Tmux(
            running: .shell("stty -echo; echo \"$TERM\"; read line; echo \"got $line\"; read line; exit 0"),
            columns: 40,
            rows: 5
        )
        try tmux.waitFor { $0.contains("tmux-256color") }
        try tmux.type("a;b C-c;")
        try tmux.sendKeys("Enter")
        try tmux.waitFor("the line to come back") { $0.contains("got a;b C-c;") }
        let state = try tmux.state()
        #expect((state.columns, state.rows) == (40, 5))
        #expect(state.cursor == .init(row: 2, column: 0))
        #expect(state.isCursorVisible && !state.isAlternate && !state.isDead)
        try tmux.sendKeys("C-d")
        let status = try tmux.waitForExit()
        #expect(status == .exited(0))
    }

    @Test func keepsTheArgumentsAsTheyAre() throws {
        let arguments = ["-c", "printf '%s|' \"$@\"; exec cat;", "sh", "a b", "$HOME", "c;", ";"]
        let tmux = try Tmux(running: Command("/bin/sh", arguments))
        try tmux.waitFor { $0.contains("a b|$HOME|c;|;|") }
    }

    @Test func setsTheTerminalTypeAndTheEnvironment() throws {
        let command = Command.shell(
            "echo \"$TERM/$FRUIT\"; exec cat",
            environment: Command.environment(adding: ["FRUIT": "fig"])
        )
        let tmux = try Tmux(running: command, terminal: "screen")
        try tmux.waitFor { $0.contains("screen/fig") }
    }

    @Test func tellsHowAProgramEnded() throws {
        let tmux = try Tmux(running: .shell("echo bye; read line; exit 3"))
        try tmux.waitFor { $0.contains("bye") }
        try tmux.sendKeys("Enter")
        #expect(try tmux.waitForExit() == .exited(3))
        #expect(try tmux.capture().hasPrefix("bye\n"))
        #expect(try tmux.state().isDead)

        let killed = try Tmux(running: .shell("kill -TERM $$"))
        #expect(try killed.waitForExit() == .signaled(SIGTERM))
    }

    @Test func resizes() throws {
        let tmux = try Tmux(running: .shell("trap 'stty size' WINCH; echo ready; while :; do :; done"))
        try tmux.waitFor { $0.contains("ready") }
        try tmux.resize(columns: 61, rows: 13)
        try tmux.waitFor { $0.contains("13 61") }
    }

    @Test func capturesCells() throws {
        let script =
            #"printf '\033[?1049h\033[2;3H\033[1;38;2;255;182;193mrosa\033[0m \033[44m世\033[0m\033(0lqk\033(B\033[?25l'; exec cat"#
        let tmux = try Tmux(running: .shell(script), columns: 20, rows: 3)
        try tmux.waitFor { $0.contains("世") }
        let screen = try tmux.captureScreen()
        #expect(screen.lines == ["", "  rosa 世┌─┐", ""])
        #expect(screen.cell(row: 1, column: 2).foreground == .rgb(0xFFB6C1))
        #expect(screen.cell(row: 1, column: 2).isBold)
        #expect(screen.cell(row: 1, column: 7).background == .indexed(4))
        #expect(screen.cell(row: 1, column: 8).isContinuation)
        #expect(!screen.isCursorVisible)
        #expect(screen.violations == [])
        #expect(try tmux.state().isAlternate)
    }

    @Test func saysWhatIsShownInstead() throws {
        let tmux = try Tmux(running: .shell("echo hello; exec cat"))
        try tmux.waitFor { $0.contains("hello") }
        let error = try #require(throws: DeadlineExceeded.self) {
            try tmux.waitFor("a goodbye", deadline: .milliseconds(20)) { $0.contains("goodbye") }
        }
        #expect(error.description.contains("hello"))
        #expect(throws: TmuxError.self) { try tmux.control(["no-such-command"]) }
    }

    @Test func endsTheServer() throws {
        let tmux = try Tmux(running: .shell("echo $$; exec cat"))
        try tmux.waitFor { $0.contains("\n") && !$0.hasPrefix("\n") }
        try tmux.kill()
        #expect(throws: TmuxError.self) { try tmux.state() }
    }
}
