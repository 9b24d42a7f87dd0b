// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI
import Testing

@testable import LiveryScreens

struct ScreenFixtureTests {
    private static let file = """
        {
            "size": [100, 20], "time": "2026-11-20T12:03:44Z", "source": "shop.json", "clients": 2,
            "values": {"app.background.color": "#FFB6C1", "app.fun_button.text": "Meow!"},
            "tweaks": {"app.fun_button.text": "Wuff!"}
        }
        """

    private static func fixture(_ json: String) throws(ConfigError) -> ScreenFixture {
        try ScreenFixture(json: Array(json.utf8), source: "fixture.json")
    }

    @Test(arguments: [
        (ScreenName.main, ["Wuff!", "◆ 1 tweak", "changed 12:03:44"]), (.help, ["Keys", "Refresh from"]),
        (.errors, ["Errors"]), (.log, ["Log", "No events yet."]), (.inspector, ["Inspector ── 2 keys", "#FFB6C1"]),
        (.tweaks, ["Tweaks ── All", "1 of 5 changed"]), (.wall, ["wall-1", "wall-2"]),
    ])
    func drawsEachScreen(screen: ScreenName, texts: [String]) throws {
        let frame = try Self.fixture(Self.file).frame(of: screen)
        #expect(frame.size == Size(columns: 100, rows: 20))
        #expect(frame.faults == [])
        for text in texts { #expect(frame.text.contains(text), "\(text) in\n\(frame.text)") }
    }

    @Test func pressesKeysAndShowsTheProblem() throws {
        let json = #"{"values": {"a": 1, "b": 2}, "problem": "no such file", "keys": ["Down", "Enter"]}"#
        let fixture = try Self.fixture(json)
        #expect(fixture.frame(of: .main).text.contains("config.json: no such file"))
        let inspector = fixture.frame(of: .inspector).text
        #expect(inspector.contains("│ b") && inspector.contains("History"))
    }

    @Test(arguments: [
        ("[]", "expected an object"), (#"{"size": [80]}"#, "size: expected the columns and rows, such as [80, 24]"),
        (
            #"{"keys": ["Hyper-x"]}"#,
            #"keys: expected an array of keys and texts, such as ["Down", {"type": "text"}]"#
        ),
        (#"{"clients": 0}"#, "clients: expected a number from 1 to 64"),
        (
            #"{"color": 1}"#,
            "color: expected one of changes, clients, keys, problem, size, source, sources, time, tweaks, values"
        ),
    ])
    func rejectsInvalidFixtures(json: String, message: String) {
        let error = #expect(throws: ConfigError.self) { try Self.fixture(json) }
        #expect(error?.message == message && error?.source == "fixture.json")
    }

    @Test func rejectsATweakThatDoesNotExist() throws {
        let json = #"{"tweaks": {"app.sound": true}}"#
        let error = #expect(throws: ConfigError.self) { try Self.fixture(json) }
        #expect(error?.message == "tweaks: unknown tweak 'app.sound'")
    }
}
