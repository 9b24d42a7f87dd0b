// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The program's reaction to a terminal's answers, and to their absence.
@Suite(.timeLimit(.minutes(5)))
struct TerminalAnswersTests {
    /// xterm's palette, but for one entry of the user's theme.
    private static func palette(theme: [Int: UInt32]) -> [Int: UInt32] {
        var palette: [Int: UInt32] = [:]
        for index in 0..<16 { palette[index] = 0x101010 }
        let levels: [UInt32] = [0, 95, 135, 175, 215, 255]
        for index in 0..<216 {
            palette[16 + index] = levels[index / 36] << 16 | levels[index / 6 % 6] << 8 | levels[index % 6]
        }
        for index in 0..<24 { palette[232 + index] = UInt32(8 + 10 * index) * 0x010101 }
        return palette.merging(theme) { _, entry in entry }
    }

    private func demo(_ answers: VirtualScreen.Answers) throws -> RunningDemo {
        try RunningDemo(configuration: VirtualScreen.Configuration(answers: answers))
    }

    @Test func theRealPaletteIsSearchedOnceItIsKnown() throws {
        let palette = Self.palette(theme: [9: 0xFFB6C1])
        let demo = try demo(VirtualScreen.Answers(deviceAttributes: "?62;22", palette: palette))
        try demo.waitFor("#FFB6C1 → 9  ")
        #expect(demo.background == .indexed(9))
        #expect(demo.terminal.screen.violations == [])
    }

    @Test func framesAreSynchronizedWhereTheTerminalHasIt() throws {
        let demo = try demo(VirtualScreen.Answers(deviceAttributes: "?62;22", knownModes: [2026]))
        try demo.terminal.readUntilQuiet()
        let start = demo.terminal.bytesReceived.count
        try demo.overwrite(RunningDemo.sky)
        try demo.waitFor("#87CEFA")
        let frame = String(decoding: demo.terminal.bytesReceived[start...], as: UTF8.self)
        #expect(frame.hasPrefix("\u{1B}[?2026h"))
        #expect(frame.hasSuffix("\u{1B}[?2026l"))
    }

    /// Without colours, pink is white, and white is the ground of the terminal or its reverse.
    @Test(arguments: [(UInt32(0xFFFFFF), false), (0xEEE8D5, false), (0x000000, true), (0x073642, true)])
    func aLightColorIsLightOnEveryGround(ground: UInt32, isReversed: Bool) throws {
        let answers = VirtualScreen.Answers(deviceAttributes: "?62;22", background: ground)
        let demo = try RunningDemo(
            arguments: ["--color", "never"],
            configuration: VirtualScreen.Configuration(answers: answers),
            waitingFor: "#FFB6C1"
        )
        try demo.terminal.readUntilQuiet()
        #expect(demo.terminal.screen.cell(row: 0, column: 0).isReversed == isReversed)
        #expect(demo.terminal.screen.cell(row: 11, column: 40).isReversed == !isReversed)
        try demo.overwrite(##"{"app.background.color": "#000080"}"##)
        try demo.waitFor("#000080")
        #expect(demo.terminal.screen.cell(row: 0, column: 0).isReversed == !isReversed)
    }

    /// The keys that the protocol reports as characters still have the effects that the system gives them.
    @Test func keyboardProtocolDistinguishesEsc() throws {
        let answers = VirtualScreen.Answers(deviceAttributes: "?62;22", hasKeyboardProtocol: true)
        let demo = try demo(answers)
        try demo.terminal.readUntil("the protocol") { $0.keyboardFlags == 1 }
        try demo.type("?", until: "Refresh from the source")
        try demo.terminal.write("\u{1B}[27u")
        try demo.terminal.readUntil("the main screen") { !$0.contains("Refresh from the source") }
        try demo.terminal.write("\u{1B}[99;5u")
        #expect(try demo.terminal.waitForExit() == .signaled(SIGINT))
        #expect(demo.terminal.screen.keyboardFlags == 0)
    }

    @Test func keysWorkAfterAnOpenPaste() throws {
        let demo = try RunningDemo()
        try demo.terminal.write("\u{1B}[200~a text without an end")
        try demo.terminal.readUntilQuiet(for: .milliseconds(1500))
        #expect(try demo.quit() == .exited(0))
    }

    @Test func theURLIsALinkWhereThatIsSafe() throws {
        let linked = try RunningDemo(environment: ["VTE_VERSION": "7000"])
        let place = try #require(linked.terminal.screen.find("https://www.google.com"))
        let cell = linked.terminal.screen.cell(row: place.row, column: place.column)
        #expect(cell.hyperlink == "https://www.google.com/search?query=dogs%20are%20awesome")
        #expect(linked.terminal.screen.violations == [])

        let plain = try RunningDemo()
        #expect(plain.terminal.screen.cell(row: place.row, column: place.column).hyperlink == nil)
        #expect(!String(decoding: plain.terminal.bytesReceived, as: UTF8.self).contains("\u{1B}]8"))
    }

    @Test func copyingSendsTheURLToTheClipboard() throws {
        let demo = try RunningDemo(config: ##"{"app.fun_button.url": "https://example.org/a"}"##)
        try demo.type("c", until: "Sent to the clipboard: https://example.org/a")
        let sent = String(decoding: demo.terminal.bytesReceived, as: UTF8.self)
        #expect(sent.contains("\u{1B}]52;c;\(Data("https://example.org/a".utf8).base64EncodedString())\u{7}"))
    }

    @Test func theTitleNamesTheSource() throws {
        let demo = try RunningDemo()
        #expect(demo.terminal.screen.title == "livery: config.json")
        #expect(try demo.quit() == .exited(0))
        #expect(demo.terminal.screen.title == "")
    }
}
