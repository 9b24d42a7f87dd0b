// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The right colour, or a clear message, on any terminal.
@Suite(.timeLimit(.minutes(5)))
struct TerminalMatrixTests {
    @Test(arguments: [
        ("xterm-256color", VirtualScreen.Color.indexed(217)), ("screen", .indexed(7)), ("linux", .indexed(7)),
        ("xterm-direct", .rgb(0xFFB6C1)), ("xterm-kitty", .rgb(0xFFB6C1)),
    ])
    func showsTheColourAsTheTerminalCan(terminal: String, expected: VirtualScreen.Color) throws {
        let demo = try RunningDemo(terminal: terminal, waitingFor: "#FFB6C1")
        #expect(demo.background == expected)
        try demo.overwrite(RunningDemo.sky)
        try demo.waitFor("#87CEFA")
        #expect(demo.background != expected || [.indexed(7)].contains(expected))
        #expect(demo.terminal.screen.violations == [])
        #expect(try demo.quit() == .exited(0))
        #expect(demo.terminal.screen.violations == [])
    }

    @Test func vt100ShowsALightBackgroundInReverse() throws {
        let demo = try RunningDemo(terminal: "vt100", waitingFor: "#FFB6C1")
        #expect(demo.terminal.screen.cell(row: 0, column: 0).isReversed)
        try demo.overwrite(##"{"app.background.color": "#000080"}"##)
        try demo.waitFor("#000080")
        #expect(!demo.terminal.screen.cell(row: 0, column: 0).isReversed)
        #expect(try demo.quit() == .exited(0))
    }

    @Test(arguments: [
        ("dumb", "does not support cursor positioning"), ("", "TERM is not set"),
        ("nonsense", "unknown terminal type \"nonsense\""),
    ])
    func unsupportedTerminalGetsTextAndAReason(terminal: String, reason: String) throws {
        let demo = try RunningDemo(columns: 160, terminal: terminal, waitingFor: "")
        #expect(try demo.terminal.waitForExit() == .exited(0))
        #expect(demo.terminal.screen.contains(reason))
        #expect(demo.terminal.screen.contains("background:  #FFB6C1"))
        #expect(demo.terminal.screen.violations == [])
    }

    @Test func trueColourIsExactDownToTheLastEight() throws {
        let demo = try RunningDemo(environment: ["COLORTERM": "truecolor"])
        #expect(demo.background == .rgb(0xFFB6C1))
        for value in [0, 1, 2, 3, 4, 5, 6, 7, 8, 0xABCDEF, 0xFFFFFF] as [UInt32] {
            let digits = String(value, radix: 16, uppercase: true)
            let name = "#" + String(repeating: "0", count: 6 - digits.count) + digits
            try demo.overwrite(##"{"app.background.color": "\##(name)"}"##)
            try demo.waitFor("\(name) exact")
            // Changes that are not close to each other fade.
            try demo.waitForBackground(.rgb(value))
        }
        #expect(demo.terminal.screen.violations == [])
    }

    @Test(arguments: [
        (["--color", "8"], [:], VirtualScreen.Color.indexed(7)), (["--color", "truecolor"], [:], .rgb(0xFFB6C1)),
        (["--color", "auto"], ["NO_COLOR": "1"], .standard), (["--color", "256"], ["NO_COLOR": "1"], .indexed(217)),
        ([], ["NO_COLOR": ""], .indexed(217)),
    ])
    func theUserHasTheFirstWord(arguments: [String], environment: [String: String], expected: VirtualScreen.Color)
        throws
    {
        let demo = try RunningDemo(arguments: arguments, environment: environment, waitingFor: "#FFB6C1")
        #expect(demo.terminal.screen.cell(row: 0, column: 0).background == expected)
    }

    @Test func outsideUTF8EverythingIsASCII() throws {
        let demo = try RunningDemo(environment: ["LC_ALL": "C"])
        #expect(demo.terminal.bytesReceived.allSatisfy { $0 < 0x80 })
        #expect(demo.terminal.screen.contains("Meeeeoowwww! ??"))
        #expect(demo.terminal.screen.contains("* live"))
    }
}
