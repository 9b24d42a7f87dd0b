import ConfigDefinitions
import ConfigModel
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryApp

struct InspectorTests {
    private static func document(of count: Int, longest: Int = 1) -> String {
        let keys = (0..<count).map { "\"key\($0 + 100_000)\": \"\(String(repeating: "x", count: longest))\"" }
        return "{\(keys.joined(separator: ", "))}"
    }

    @Test func scrollingGoesThroughEveryKey() throws {
        var model = try Demo.model(Self.document(of: 500), size: Size(columns: 80, rows: 12))
        model.press("i")
        var seen: Set<String> = []
        for _ in 0..<200 {
            for line in model.lines {
                seen.formUnion(line.split(separator: " ").filter { $0.hasPrefix("key1") }.map(String.init))
            }
            model.press("PageDown")
        }
        #expect(seen.count == 500)
        #expect(model.scroll == 1001 - model.overlayPage)
    }

    /// A frame of the inspector makes the rows in sight, whatever the number of keys.
    @Test func aShortListIsAsWideAsItsWidestRowAndALongOneTakesTheWidth() throws {
        let few = (Inspector.mostMeasuredRows - 1) / 2
        for (count, isMeasured) in [(1, true), (few, true), (few + 1, false)] {
            var model = try Demo.model(Self.document(of: count), size: Size(columns: 120, rows: 24))
            model.press("i")
            let widest = model.overlayLines.map(\.columnWidth).max() ?? 0
            #expect(model.overlayFrame.size.columns == (isMeasured ? widest + 4 : 112), "\(count) keys")
        }
    }

    @Test func theInspectorFollowsAddedChangedAndRemovedKeys() throws {
        var model = try Demo.model(#"{"b": 1, "d": 2}"#)
        model.press("i")
        try model.read(#"{"a": 0, "b": 3, "c": 4}"#)
        #expect(model.overlayLines.filter { $0.contains(" = ") } == ["a = 0", "b = 3", "c = 4"])
    }

    /// The rows of keys and of what overrides them, in every arrangement of three.
    @MainActor
    @Test(arguments: 0..<8)
    func eachOverriddenKeyIsFollowedByItsChain(overridden: Int) throws {
        let desk = try TweakDesk()
        let values = [
            ("app.background.color", "#000000"), ("app.fun_button.text", "Tweaked"),
            ("app.fun_button.url", "https://example.com"),
        ]
        for (bit, (id, value)) in values.enumerated() where overridden & 1 << bit != 0 {
            _ = desk.tweaks.perform(.set(id: id, .string(value), isContinuing: false))
        }
        desk.update()
        let state = desk.model.state
        let expected = state.configuration.snapshot.entries.keys.sorted().flatMap { key in
            let item = state.tweaks.items.first { $0.id == key && $0.isOverridden }
            return [key] + (item?.explanation.map { "    \($0)".sanitized() } ?? [])
        }
        let rows = Inspector(state, clock: .utc).rows.dropFirst().filter { !$0.contains(", changed ") }
        #expect(rows.map { $0.hasPrefix(" ") ? $0 : String($0.prefix { $0 != " " }) } == expected)
        #expect(expected.count >= 4 + 2 * overridden.nonzeroBitCount)
    }
}
