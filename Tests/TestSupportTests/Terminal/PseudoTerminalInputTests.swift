// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PseudoTerminalInputTests {
    @Test func typesAndEchoes() throws {
        let terminal = try PseudoTerminal(running: .shell("read line; echo \"got $line\""))
        try terminal.write("grüezi\r")
        try terminal.waitForExit()
        #expect(terminal.screen.lines.prefix(2) == ["grüezi", "got grüezi"])
    }

    @Test func writesMoreThanTheKernelHolds() throws {
        let script = "stty raw -echo; echo ready; head -c 300000 | wc -c"
        let terminal = try PseudoTerminal(running: .shell(script))
        try terminal.readUntil { $0.contains("ready") }
        try terminal.write([UInt8](repeating: UInt8(ascii: "x"), count: 300_000))
        try terminal.waitForExit()
        #expect(terminal.screen.contains("300000"))
    }

    @Test func saysThatInputIsNotRead() throws {
        let terminal = try PseudoTerminal(running: .shell("stty raw -echo; echo ready; kill -STOP $$"))
        try terminal.readUntil { $0.contains("ready") }
        #expect(throws: TerminalWaitError.self) {
            try terminal.write([UInt8](repeating: 0x78, count: 300_000), deadline: .milliseconds(50))
        }
    }

    @Test func interruptsWithControlC() throws {
        let terminal = try PseudoTerminal(
            running: .shell("trap 'echo caught; exit 7' INT; echo ready; while :; do :; done")
        )
        try terminal.readUntil { $0.contains("ready") }
        try terminal.write([3])
        #expect(try terminal.waitForExit() == .exited(7))
        #expect(terminal.screen.contains("caught"))
    }

    @Test func killsWithControlCWhatDoesNotCatchIt() throws {
        let terminal = try PseudoTerminal(running: .shell("echo ready; exec cat"))
        try terminal.readUntil { $0.contains("ready") }
        try terminal.write("\u{3}")
        #expect(try terminal.waitForExit() == .signaled(SIGINT))
    }

    @Test(.enabled(if: Command.isInstalled("bash"), "bash is the program that is run"))
    func stopsAndContinuesAJob() throws {
        let shell = Command(
            "bash",
            ["--norc", "--noprofile", "-i"],
            environment: Command.environment(adding: ["PS1": "$ "])
        )
        let terminal = try PseudoTerminal(running: shell)
        let group = terminal.processIdentifier
        try terminal.readUntil { $0.text == "$" }

        try terminal.write("cat\r")
        try eventually("the job to be in the foreground") { try terminal.foregroundProcessGroup() != group }
        let job = try terminal.foregroundProcessGroup()
        #expect(ProcessState(of: job) == .active)
        // Until the program has answered, it may still be the shell's child that ignores the key.
        try terminal.write("one\r")
        try terminal.readUntil { $0.text.hasSuffix("one\none") }

        try terminal.write("\u{1A}")
        try terminal.readUntil { $0.contains("Stopped") }
        try eventually("the job to stop") { ProcessState(of: job) == .stopped }
        #expect(try terminal.foregroundProcessGroup() == group)

        try terminal.write("fg\r")
        try eventually("the job to go on") { ProcessState(of: job) == .active }
        try terminal.readUntil { $0.text.hasSuffix("fg\ncat") }
        try terminal.write("hello\r")
        try terminal.readUntil { $0.text.hasSuffix("hello\nhello") }
        try terminal.write("\u{4}")
        try eventually("the job to end") { ProcessState(of: job) == .ended }
        try terminal.readUntil { $0.text.hasSuffix("\n$") }
        try terminal.write("exit 3\r")
        #expect(try terminal.waitForExit() == .exited(3))
    }
}
