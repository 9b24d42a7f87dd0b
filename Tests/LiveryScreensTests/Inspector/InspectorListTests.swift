// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryScreens

struct InspectorListTests {
    static func document(of count: Int) -> String {
        "{\((0..<count).map { "\"key\($0 + 100_000)\": \"\($0 % 10)x\"" }.joined(separator: ", "))}"
    }

    @Test func movingGoesThroughEveryKeyAndTheCursorStaysInSight() throws {
        var model = try Demo.model(Self.document(of: 60), size: Size(columns: 80, rows: 12))
        model.press("i")
        for name in ["j", "PageDown", "Space", "k", "PageUp", "Down", "Up"] {
            var seen: Set<String> = []
            model.press(["k", "PageUp", "Up"].contains(name) ? "G" : "g")
            for _ in 0..<60 {
                let cursor = try #require(model.inspectorLines.first { $0.hasPrefix("▌") })
                #expect(cursor.contains(try #require(model.inspector?.keyList.selectedKey)))
                for line in model.inspectorLines { seen.formUnion(line.split(separator: " ").map(String.init)) }
                model.press(name)
            }
            #expect(seen.filter { $0.hasPrefix("key1") }.count == 60, "\(name)")
        }
    }

    @Test func aRowHasASwatchBeforeEachColour() throws {
        let colors = (0..<12).map { "\"#FF00\($0 + 10)\"" }.joined(separator: ", ")
        var model = try Demo.model(##"{"few": ["#FF0000", "#00FF00"], "many": [\##(colors)], "one": "#0000FF"}"##)
        model.press("i", "End")
        let rows = model.inspectorLines.dropFirst().map { $0.dropFirst(6).trimmingPrefix { $0 == " " } }
        #expect(rows[0].hasPrefix("██ ██ (2) "))
        #expect(rows[1].hasPrefix("██ ██ ██ ██ ██ ██ ██ ██ … (12) "), "\(rows[1])")
        #expect(rows[2].hasPrefix("██ #0000FF "))
        let place = try #require(model.place(of: "██ #0000FF"))
        #expect(model.view()[place]?.style.background == model.main.look.colors.match(RGBColor(0x0000FF)).color)
    }

    @MainActor
    @Test func anOverriddenRowNamesTheUsedValue() throws {
        let desk = try TweakDesk(columns: 160)
        _ = desk.tweaks.perform(.set(id: "app.background.color", .string("#000000"), isContinuing: false))
        desk.update()
        desk.press("i")
        #expect(desk.model.inspectorLines[1].contains("◆ ▏▕ #000000 not ██ #FFB6C1"))
        #expect(!desk.model.inspectorLines[2].contains("◆"))
    }

    @Test func anEmptyConfigurationIsNamedAsSuch() throws {
        var model = try Demo.model("{}")
        model.press("i", "j", "Enter", "y", "G")
        #expect(model.inspectorLines.contains("No keys in config.json."))
    }

    @Test func aSourceThatWasRefusedAtTheStartIsNotCalledEmpty() throws {
        var model = try Demo.model("{}")
        model.fail(ConfigError(.syntax, "expected a value", source: "config.json"))
        model.press("i")
        #expect(model.inspectorLines.contains("config.json: expected a value"))
    }

    @Test func keysThatComeAndGoLeaveTheCursorOnItsKey() throws {
        var model = try Demo.model(#"{"b": 1, "d": 2}"#)
        model.press("i", "j")
        try model.read(#"{"a": 0, "b": 3, "c": 4, "d": 2}"#)
        #expect(model.inspector?.keyList.rows.texts == ["a", "b", "c", "d"])
        #expect(model.inspector?.keyList.selectedKey == "d")
        try model.read(#"{"a": 0, "e": 1}"#)
        #expect(model.inspector?.keyList.selectedKey == "e", "the next one")
        try model.read(#"{"a": 0}"#)
        #expect(model.inspectorLines.count == 2)
    }

    @Test func aKeyAboveThatComesMovesNothingOnTheScreen() throws {
        var model = try Demo.model(Self.document(of: 500), size: Size(columns: 80, rows: 12))
        model.press("i", "PageDown", "PageDown", "k")
        let before = model.inspectorLines
        try model.read(Self.document(of: 500).replacing("{", with: #"{"aaa": 1, "#))
        #expect(model.inspectorLines == before)
    }

    @Test func theValueAndTheKeyAreCopied() throws {
        var model = try Demo.model(#"{"list": [1, 2], "text": "Meow! \"x\""}"#)
        model.press("i")
        #expect(model.press("y") == [.copy("[1,2]")])
        #expect(model.press("Y") == [.copy("list")])
        #expect(model.press("j", "y") == [.copy("Meow! \"x\"")])
        #expect(model.press("Enter", "Y") == [.copy("text")])
        _ = model.update(.copied("text", .sent))
        #expect(model.inspectorLines.last == "Sent to the clipboard: text")
        model.press("j")
        #expect(model.inspectorLines.last?.contains("Copied") == false)
    }
}
