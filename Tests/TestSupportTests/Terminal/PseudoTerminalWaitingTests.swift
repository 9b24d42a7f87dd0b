// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct PseudoTerminalWaitingTests {
    @Test func showsTheScreenWhenAWaitIsInVain() throws {
        let terminal = try PseudoTerminal(running: .shell("echo hello; exec cat"), columns: 12, rows: 2)
        try terminal.readUntil { $0.contains("hello") }
        let error = try #require(throws: TerminalWaitError.self) {
            try terminal.readUntil("a goodbye", deadline: .milliseconds(20)) { $0.contains("goodbye") }
        }
        #expect(error.reason == .deadline(.milliseconds(20)))
        #expect(error.description.contains("waited 0.02 seconds in vain for a goodbye"))
        #expect(error.description.contains("│hello       │"))
        #expect(error.description.contains("is still running"))
        #expect(error.place.hasPrefix("TestSupportTests/PseudoTerminalWaitingTests.swift:"))
    }

    @Test func stopsWaitingWhenTheProgramEnds() throws {
        let terminal = try PseudoTerminal(running: .shell("echo hello; exit 9"))
        let error = try #require(throws: TerminalWaitError.self) {
            try terminal.readUntil(deadline: .seconds(30)) { $0.contains("goodbye") }
        }
        #expect(error.reason == .programEnded)
        #expect(error.exitStatus == .exited(9))
    }

    @Test func stopsWaitingThoughTheProgramWritesOn() throws {
        let terminal = try PseudoTerminal(running: Command("yes"))
        let error = try #require(throws: TerminalWaitError.self) {
            try terminal.readUntil(deadline: .milliseconds(50)) { $0.contains("no") }
        }
        #expect(error.reason == .deadline(.milliseconds(50)))
        #expect(throws: TerminalWaitError.self) { try terminal.waitForExit(deadline: .milliseconds(20)) }
    }

    @Test func looksAtNoHalfOfASynchronizedUpdate() throws {
        let script = "printf '\\033[?2026hhalf'; read x; printf ' whole\\033[?2026l'; exec cat"
        let terminal = try PseudoTerminal(running: .shell("stty -echo; " + script))
        #expect(throws: TerminalWaitError.self) {
            try terminal.readUntil(deadline: .milliseconds(50)) { $0.contains("half") }
        }
        try terminal.write("\r")
        try terminal.readUntil { $0.contains("half") }
        #expect(terminal.screen.contains("half whole"))
    }

    @Test func readsForAWhile() throws {
        let terminal = try PseudoTerminal(running: .shell("printf one; read x; printf two"))
        try terminal.readUntil { $0.text == "one" }
        #expect(try terminal.read(for: .milliseconds(20)) == [])
        try terminal.write("\r")
        _ = try terminal.read(for: .seconds(30))
        #expect(terminal.screen.text == "one\ntwo")
        #expect(!terminal.isRunning)
    }

    @Test func readsUntilSilence() throws {
        let terminal = try PseudoTerminal(running: .shell("seq 1 2000; exec cat"))
        try terminal.readUntil { $0.contains("1") }
        try terminal.readUntilQuiet(for: .milliseconds(200))
        #expect(terminal.screen.contains("2000"))

        let chatty = try PseudoTerminal(running: Command("yes"))
        #expect(throws: TerminalWaitError.self) { try chatty.readUntilQuiet(deadline: .milliseconds(50)) }
    }

    @Test func killsTheProgramAtTheEnd() throws {
        var terminal: PseudoTerminal? = try PseudoTerminal(
            running: .shell("trap '' HUP; echo ready; while :; do read x; done")
        )
        try terminal?.readUntil { $0.contains("ready") }
        let process = try #require(terminal?.processIdentifier)
        #expect(ProcessState(of: process) == .active)
        terminal = nil
        try eventually("the program to be gone") { ProcessState(of: process) == .ended }
    }

    @Test func closes() throws {
        let terminal = try PseudoTerminal(running: .shell("trap '' HUP; echo ready; while :; do read x; done"))
        try terminal.readUntil { $0.contains("ready") }
        try terminal.close()
        #expect(terminal.exitStatus == .signaled(SIGKILL))
        try terminal.close()
    }

    // MARK: Usage

    @Test func countsWakeups() throws {
        let terminal = try PseudoTerminal(running: Command("cat"))
        try terminal.write("a\r")
        try terminal.readUntil { $0.text == "a\na" }
        try terminal.readUntilQuiet()
        let before = try terminal.usage()
        try terminal.read(for: .milliseconds(50))
        let idle = try terminal.usage() - before
        #expect(idle.voluntaryContextSwitches == 0)
        #expect(idle.processorTime == .zero)

        for _ in 1...20 {
            let count = terminal.bytesReceived.count
            try terminal.write("b\r")
            try terminal.readUntil { _ in terminal.bytesReceived.count >= count + 6 }
            // On a busy machine the next line may come before the program sleeps, and then wakes nobody up.
            try terminal.readUntilQuiet(for: .milliseconds(1))
        }
        let busy = try terminal.usage() - before
        #expect((5...100).contains(busy.voluntaryContextSwitches))
        #if os(Linux)
            #expect(try #require(busy.peakMemory) > 100_000)
        #endif
    }

    @Test func measuresProcessorTime() throws {
        let script = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done; read x"
        let terminal = try PseudoTerminal(running: .shell(script))
        try terminal.readUntil(deadline: .seconds(30)) { $0.contains("done") }
        let usage = try terminal.usage()
        #expect(usage.processorTime > .milliseconds(10))
        try terminal.write("\r")
        try terminal.waitForExit()
        #expect(try terminal.usage().processorTime >= usage.processorTime - .milliseconds(10))
    }

    @Test func runsOnAThreadOfItsOwn() async throws {
        let text = try await onDedicatedThread {
            let terminal = try PseudoTerminal(running: .shell("echo hello"))
            try terminal.waitForExit()
            return terminal.screen.text
        }
        #expect(text == "hello")
    }
}
