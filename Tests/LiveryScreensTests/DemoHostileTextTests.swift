// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryScreens

/// For any configuration, no cell of the screen controls the terminal.
struct DemoHostileTextTests {
    private static let texts = [
        "", " ", "\u{1B}[2J\u{1B}]0;owned\u{7}", "\u{9B}31m\u{85}\u{0}\u{7F}", "a\r\nb\tc\u{B}\u{C}",
        "\u{202E}cod.exe\u{2066}\u{200F}",
        "\u{301}\u{302}\u{303}", "e" + String(repeating: "\u{301}", count: 500),
        "👩\u{200D}👩\u{200D}👧\u{200D}👦👍🏽🇩🇪1\u{FE0F}\u{20E3}",
        "\u{200D}\u{FEFF}\u{FFF9}\u{E0041}\u{10FFFF}", "漢字かな交じり文", "ﷺ 𒐫 ꧅ क्षत्रिय", String(repeating: "x", count: 65_000),
        String(repeating: "😸", count: 16_000), String(repeating: "\u{1B}", count: 10_000),
        String(repeating: "a b ", count: 16_000),
    ]
    private static let sizes = [
        Size(columns: 200, rows: 60), Size(columns: 80, rows: 24), Size(columns: 20, rows: 5),
        Size(columns: 3, rows: 3),
        Size(columns: 1, rows: 1),
    ]

    @Test(.timeLimit(.minutes(5)), arguments: texts.indices)
    func noValueReachesTheTerminalAsACommand(index: Int) throws {
        let text = Self.texts[index]
        let document = Demo.document(color: text, text: text, url: text)
        for keys in [[], ["i"], ["i", "Enter"]] {
            var model = try Demo.model(document)
            for key in keys { model.press(key) }
            for size in Self.sizes {
                model.resize(size.columns, size.rows)
                #expect(model.view().faults == [], "\(size)")
            }
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: texts.indices)
    func noNameOrMessageReachesTheTerminalAsACommand(index: Int) throws {
        let text = Self.texts[index]
        for size in Self.sizes {
            var model = try Demo.model("{}", size: size)
            model.main.state.configuration = try Demo.configuration("{}", source: text)
            _ = model.update(.refreshed(.failed(ConfigError(.syntax, text))))
            #expect(model.view().faults == [], "\(size)")
            model.press("i")
            model.fail(ConfigError(.syntax, text, source: text, key: text))
            #expect(model.view().faults == [], "\(size)")
        }
    }

    @Test func aHostileNameStaysWithinTheInspector() throws {
        var model = try Demo.model("{}")
        model.main.state.configuration = try Demo.configuration("{}", source: String(repeating: "\u{1B}", count: 200))
        model.press("i")
        let frame = PanelPlace.list(in: model.size).frame
        let right = Point(column: frame.columns.upperBound - 1, row: frame.origin.row + 1)
        #expect(model.view()[right]?.cluster == "│")
    }
}
