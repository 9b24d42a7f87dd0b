// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig
import TestSupport
import Testing

@testable import LiveryScreens
@testable import TerminalUI

/// For any configuration, the output to the terminal is harmless.
@MainActor
@Suite(.serialized, .timeLimit(.minutes(10)))
struct HostileFrameTests {
    @Test func framesOfRandomValuesStayInsideTheScreen() throws {
        var random = SeededGenerator(seed: 2026)
        let size = Size(columns: 60, rows: 9)
        let profile = TerminalProfile(choice: .auto, environment: ["TERM": "xterm-256color"])
        let input = open("/dev/null", O_RDONLY | O_CLOEXEC)
        let screen = try CursesScreen(profile: profile, terminal: input, size: size, repertoire: .locale())
        close(input)
        // A terminal whose tables are as new as this project's.
        let widths = GlyphWidths { $0.columnWidth }
        var virtual = VirtualScreen(columns: size.columns, rows: size.rows, configuration: .init(widths: widths))
        let colors = ColorMatcher(depth: .indexed256)
        for frame in 0..<1_000 {
            let model = Self.model(size: size, colors: colors, random: &random)
            virtual.feed(screen.encode(model.view()))
            try #require(virtual.violations == [], "frame \(frame)")
        }
        virtual.feed(screen.leave())
        #expect(virtual.violations == [])
    }

    private static func model(size: Size, colors: ColorMatcher, random: inout SeededGenerator) -> DemoModel {
        let color = RGBColor(.random(in: 0...63, using: &random) * 0x040404)
        let text = EntryValue.string(hostileText(&random))
        let json = "{\"app.background.color\": \"\(color)\", \"app.fun_button.text\": \(text.canonicalJSON)}"
        var current = ConfigState(source: hostileText(&random)).current
        if let document = try? ConfigDocument(json: Array(json.utf8), source: "random") {
            current.snapshot =
                current.snapshot.updated(
                    with: document,
                    from: hostileText(&random),
                    at: Timestamp(milliseconds: 0)
                ).snapshot
        }
        let state = DemoState(configuration: current, values: DemoValues(of: current))
        var model = DemoModel(size: size, look: ScreenLook(colors: colors), state: state)
        _ = model.update(.refreshed(.failed(ConfigError(.syntax, hostileText(&random)))))
        if Int.random(in: 0..<3, using: &random) == 0 { _ = model.toggle(.help) }
        if Int.random(in: 0..<4, using: &random) == 0 { _ = model.update(.terminal(.input(.key(.character("i"))))) }
        return model
    }

    /// Letters, emoji and everything that a terminal must not get.
    private static func hostileText(_ random: inout SeededGenerator) -> String {
        let pieces = [
            "a", "Wide 漢字", "\u{1B}[2J", "\u{1B}]0;x\u{7}", "\u{9B}31m", "\r\n", "\t", "\u{202E}", "👨‍👩‍👧‍👦", "🇩🇪", "e\u{301}",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            if Bool.random(using: &random) {
                text += pieces.randomElement(using: &random) ?? ""
            } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x1FFFF, using: &random)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
