// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Emoji of several characters, in terminals that show them as one and in others.
@Suite(.timeLimit(.minutes(5)))
struct ClusterTests {
    static let config = ##"{"app.background.color": "#FFB6C1", "app.fun_button.text": "<🇩🇪 👍🏽 ❤️ 👩‍🚀 👨‍👩‍👧‍👦>"}"##
    private static let whole = "<🇩🇪 👍🏽 ❤️ 👩‍🚀 👨‍👩‍👧‍👦>"
    private static let apart = "<DE 👍 ❤  👩 👨>"

    /// A terminal that counts by cluster; two indicators are a flag, and one is as wide.
    private static let joining = GlyphWidths(joinsClusters: true) { scalar in
        (0x1F1E6...0x1F1FF).contains(scalar.value) ? 2 : GlyphWidths.standardWidth(scalar)
    }

    private func demo(
        _ answers: VirtualScreen.Answers,
        widths: GlyphWidths = ClusterTests.joining,
        terminal: String = "xterm-256color"
    ) throws -> RunningDemo {
        let configuration = VirtualScreen.Configuration(widths: widths, answers: answers)
        let demo = try RunningDemo(terminal: terminal, config: Self.config, configuration: configuration)
        try demo.terminal.readUntilQuiet()
        return demo
    }

    private func sent(by demo: RunningDemo) -> String { String(decoding: demo.terminal.bytesReceived, as: UTF8.self) }

    @Test func whereTheTerminalCountsByClusterTheyAreWhole() throws {
        let demo = try demo(VirtualScreen.Answers(deviceAttributes: "?62;22", knownModes: [2027]))
        try demo.waitFor(Self.whole)
        #expect(demo.terminal.screen.isSet(privateMode: 2027))
        #expect(!sent(by: demo).contains("\u{1B}[6n"))
        #expect(try demo.quit() == .exited(0))
        #expect(!demo.terminal.screen.isSet(privateMode: 2027))
        #expect(demo.terminal.screen.violations == [])
    }

    @Test func whereItDoesNotSayTheyAreMeasured() throws {
        let demo = try demo(VirtualScreen.Answers(deviceAttributes: "?62;22", reportsStatus: true, knownModes: []))
        try demo.waitFor(Self.whole)
        #expect(!sent(by: demo).contains("?2027h"))
        // The measured cells are drawn over.
        #expect(demo.terminal.screen.find("🇪🇺") == nil)
        #expect(demo.terminal.screen.find("🚀>") == nil)
        #expect(try demo.quit() == .exited(0))
        #expect(demo.terminal.screen.violations == [])
    }

    @Test func decomposedClustersAreReplaced() throws {
        let answers = VirtualScreen.Answers(deviceAttributes: "?62;22", reportsStatus: true, knownModes: [])
        let demo = try demo(answers, widths: .scalars)
        try demo.terminal.readUntil("the measurement") { _ in sent(by: demo).contains("\u{1B}[6n") }
        try demo.terminal.readUntilQuiet()
        #expect(demo.terminal.screen.contains(Self.apart))
        let silent = try self.demo(VirtualScreen.Answers(), widths: .scalars)
        #expect(!sent(by: silent).contains("\u{1B}[6n"))
        #expect(silent.terminal.screen.contains(Self.apart))
        // No trace of the measurement is left.
        for row in 0..<23 { #expect(demo.terminal.screen.text(row: row) == silent.terminal.screen.text(row: row)) }
        #expect(demo.terminal.screen.cursorPosition == silent.terminal.screen.cursorPosition)
    }

    @Test func theyFollowEveryChange() throws {
        let demo = try demo(VirtualScreen.Answers(deviceAttributes: "?62;22", knownModes: [2027]))
        try demo.waitFor(Self.whole)
        for (color, text) in [
            ("#87CEFA", "<🇩🇪 👍🏽 ❤️ 👩‍🚀 👨‍👩‍👧‍👦>"), ("#87CEFA", "<🇫🇷 👍🏽 ❤️ 👨‍👩‍👧‍👦 👩‍🚀>"), ("#FFB6C1", "a <🇩🇪 👍🏽>"),
            ("#FFB6C1", "a <DX 👍>"), ("#000080", "<ab🏴󠁧󠁢󠁥󠁮󠁧󠁿cd>"), ("#000080", "<abcdef>"),
        ] {
            try demo.overwrite(##"{"app.background.color": "\##(color)", "app.fun_button.text": "\##(text)"}"##)
            try demo.waitFor(text)
            try demo.waitFor(color)
            let place = try #require(demo.terminal.screen.find("<"))
            let style = demo.terminal.screen.cell(row: place.row, column: place.column).visibleBackground
            for column in place.column..<place.column + 6 {
                #expect(demo.terminal.screen.cell(row: place.row, column: column).visibleBackground == style)
            }
            // The button is as wide as its text.
            #expect(demo.terminal.screen.text(row: place.row).contains("▸  \(text)  ◂"))
        }
        #expect(demo.terminal.screen.violations == [])
    }
}
