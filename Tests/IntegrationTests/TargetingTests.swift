// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import ConfigWire
import RemoteConfig
import TestSupport
import Testing

/// Real programs on real terminals, of different users.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct TargetingTests {
    private static let key = "app.background.color"

    private static func rule(_ targeting: EntryValue) -> EntryValue {
        ["variants": ["pink": "#FFB6C1", "sky": "#87CEFA"], "defaultVariant": "pink", "targeting": targeting]
    }

    private func tmux(_ address: String, _ folder: TemporaryDirectory, _ context: String...) throws -> Tmux {
        try Tmux.withDemo([address] + context.flatMap { ["--context", $0] }, in: folder)
    }

    /// Whether the screen is one colour, black beside it as text.
    private func shows(_ color: VirtualScreen.Color, _ tmux: Tmux) throws -> Bool {
        try tmux.captureScreen().cell(row: 0, column: 0).visibleBackground == color
    }

    private func publish(_ targeting: EntryValue, _ server: RunningServer) throws {
        try server.publish(PublishRequest(set: [Self.key: "#000000"], rules: [Self.key: Self.rule(targeting)]))
    }

    @Test func ruleReachesTerminalsOfTwoUsers() throws {
        let server = try RunningServer()
        try publish(["if": [["==": [["var": "language"], "es"]], "sky"]], server)
        let folders = try (0..<2).map { _ in try TemporaryDirectory() }
        let spanish = try tmux(server.address, folders[0], "user=1", "language=es")
        let german = try tmux(server.address, folders[1], "user=2", "language=de")
        for terminal in [spanish, german] { try terminal.waitFor("the first frame") { $0.contains("live ") } }
        try until("sky for Spain") { try shows(.indexed(117), spanish) }
        try until("pink elsewhere") { try shows(.indexed(217), german) }
        try publish(["if": [["==": [["var": "language"], "de"]], "sky"]], server)
        try until("pink for Spain") { try shows(.indexed(217), spanish) }
        try until("sky elsewhere") { try shows(.indexed(117), german) }
        for (terminal, reason) in [(spanish, "variant pink, the default variant"), (german, "language is de")] {
            try terminal.sendKeys("i", "Enter", "3")
            try terminal.waitFor("the reason") { $0.contains(reason) }
            try terminal.sendKeys("q")
            #expect(try terminal.waitForExit() == .exited(0))
        }
    }
}
