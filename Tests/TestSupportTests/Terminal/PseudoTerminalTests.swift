// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PseudoTerminalTests {
    @Test func showsWhatAProgramWrites() throws {
        let terminal = try PseudoTerminal(running: .shell("printf 'one\\ntwo'"), columns: 20, rows: 3)
        #expect(try terminal.waitForExit() == .exited(0))
        #expect(terminal.screen.lines == ["one", "two", ""])
        #expect(String(decoding: terminal.bytesReceived, as: UTF8.self) == "one\r\ntwo")
        #expect(terminal.screen.violations == [])
    }

    @Test(arguments: [0, 1, 42, 255])
    func reportsTheExitCode(code: Int32) throws {
        let terminal = try PseudoTerminal(running: .shell("exit \(code)"))
        #expect(try terminal.waitForExit() == .exited(code))
        #expect(terminal.exitStatus == .exited(code))
        #expect(!terminal.isRunning)
        #expect(!terminal.send(signal: SIGTERM))
    }

    @Test func reportsTheSignalThatKilled() throws {
        let terminal = try PseudoTerminal(running: .shell("echo ready; read line"))
        try terminal.readUntil { $0.contains("ready") }
        #expect(terminal.isRunning)
        #expect(terminal.send(signal: SIGTERM))
        #expect(try terminal.waitForExit() == .signaled(SIGTERM))
    }

    @Test func losesNothingOfALongOutput() throws {
        let terminal = try PseudoTerminal(running: .shell("seq 1 50000"))
        #expect(try terminal.waitForExit() == .exited(0))
        let expected = (1...50_000).map { "\($0)\r\n" }.joined()
        #expect(terminal.bytesReceived == Array(expected.utf8))
        #expect(terminal.screen.text(row: 22) == "50000")
    }

    @Test func refusesAProgramThatDoesNotExist() throws {
        #expect(throws: SystemError(call: "spawn", subject: "/no/such/program", code: ENOENT)) {
            try PseudoTerminal(running: Command("/no/such/program"))
        }
        #expect(throws: SystemError(call: "exec", subject: "no-such-program", code: ENOENT)) {
            try PseudoTerminal(running: Command("no-such-program"))
        }
        #expect(throws: SystemError(call: "spawn", subject: "/bin/sh", code: ENOENT)) {
            try PseudoTerminal(running: .shell("true", workingDirectory: "/no/such/folder"))
        }
    }

    @Test func passesArgumentsAndTheFolder() throws {
        let folder = try TemporaryDirectory()
        let arguments = ["-c", "printf '%s|' \"$@\"; echo; pwd", "sh", "a b", "", "é"]
        let terminal = try PseudoTerminal(
            running: Command("/bin/sh", arguments, workingDirectory: folder.path),
            columns: 200
        )
        try terminal.waitForExit()
        #expect(terminal.screen.text == "a b||é|\n\(folder.path)")
    }

    @Test func passesTheGivenEnvironmentOnly() throws {
        let terminal = try PseudoTerminal(
            running: Command("/usr/bin/env", environment: ["TERM": "vt100", "ONE": "1 = 1"])
        )
        try terminal.waitForExit()
        #expect(terminal.screen.text == "ONE=1 = 1\nTERM=vt100")
    }

    #if os(Linux)
        @Test func passesNoDescriptorsAndNoSignalSettings() throws {
            let leaked = open("/dev/null", O_RDONLY)
            defer { close(leaked) }
            let script = "ls /proc/self/fd | tr '\\n' ' '; grep -E 'Sig(Blk|Ign)' /proc/self/status | tr '\\t' ' '"
            let terminal = try PseudoTerminal(running: .shell(script))
            try terminal.waitForExit()
            // The fourth descriptor is that of the folder being listed. The signals above 31 belong to the C library.
            #expect(terminal.screen.text(row: 0) == "0 1 2 3 SigBlk: 0000000000000000")
            let ignored = try #require(UInt64(terminal.screen.text(row: 1).dropFirst("SigIgn: ".count), radix: 16))
            #expect(ignored & 0x7FFF_FFFF == 0)
        }
    #endif

    @Test func isTheControllingTerminal() throws {
        let script = "test -t 0 && test -t 1 && test -t 2 && echo opened > /dev/tty && tty && read x"
        let terminal = try PseudoTerminal(running: .shell(script))
        #expect(try terminal.foregroundProcessGroup() == terminal.processIdentifier)
        try terminal.readUntil { $0.text(row: 0) == "opened" && $0.text(row: 1).hasPrefix("/dev/") }
        try terminal.write("\r")
        #expect(try terminal.waitForExit() == .exited(0))
    }

    // MARK: The terminal

    @Test func tellsTheProgramOfItsSizeAndOfANewOne() throws {
        let script = "trap 'stty size' WINCH; stty size; while :; do :; done"
        let terminal = try PseudoTerminal(running: .shell(script), columns: 91, rows: 17)
        try terminal.readUntil { $0.contains("17 91") }
        try terminal.resize(columns: 64, rows: 9)
        try terminal.readUntil { $0.contains("9 64") && $0.columns == 64 && $0.rows == 9 }
    }

    @Test func comparesTheSettingsOfTheLine() throws {
        let script = "read a; stty raw -echo; echo raw; read b; stty sane; exit"
        let terminal = try PseudoTerminal(running: .shell(script))
        let before = terminal.initialAttributes
        #expect(try terminal.terminalAttributes() == before)
        #expect(before.echoes && before.isCanonical && before.sendsSignals)

        try terminal.write("\r")
        try terminal.readUntil { $0.contains("raw") }
        let during = try terminal.terminalAttributes()
        #expect(during != before)
        #expect(!during.echoes && !during.isCanonical && !during.sendsSignals)

        try terminal.write("\n")
        try terminal.waitForExit()
        let after = try terminal.terminalAttributes()
        #expect(after.echoes && after.isCanonical && after.sendsSignals)
    }

    @Test func hangsUp() throws {
        let folder = try TemporaryDirectory()
        let script = "trap 'echo hup > \(folder.path(to: "signal")); exit 5' HUP; echo ready; while :; do :; done"
        let terminal = try PseudoTerminal(running: .shell(script))
        try terminal.readUntil { $0.contains("ready") }
        terminal.hangUp()
        #expect(try terminal.waitForExit() == .exited(5))
        #expect(try folder.read("signal") == Array("hup\n".utf8))
        #expect(throws: SystemError.self) { try terminal.write("x") }
        #expect(throws: SystemError.self) { try terminal.terminalAttributes() }
    }

    @Test func keepsStandardErrorApart() throws {
        let terminal = try PseudoTerminal(running: .shell("echo out; echo err >&2"), separatesStandardError: true)
        try terminal.waitForExit()
        #expect(terminal.screen.text == "out")
        #expect(terminal.standardErrorReceived == Array("err\n".utf8))
    }

    @Test func answersWhatTheProgramAsks() throws {
        let answers = VirtualScreen.Answers(deviceAttributes: "?62;22", reportsStatus: true)
        let terminal = try PseudoTerminal(
            running: .shell("stty raw -echo; printf 'ab\\033[6n\\033[c'; head -c 15 | od -An -c | tr -d ' '"),
            configuration: .init(answers: answers)
        )
        try terminal.waitForExit()
        #expect(terminal.screen.text.hasPrefix(#"ab033[1;3R033[?62;22c"#))
    }
}
