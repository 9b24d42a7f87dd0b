// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import RemoteConfig
import TerminalUI
import Testing

@testable import LiveryScreens

struct InspectorDetailTests {
    @Test func theWholeValueIsWrappedWithItsOrigin() throws {
        let long = (0..<200).map { "word\($0)" }.joined(separator: " ")
        var model = try Demo.model(#"{"text": "\#(long)"}"#)
        model.press("i", "Enter")
        let lines = try #require(model.page?.lines.map { $0.spans.map(\.text).joined() })
        #expect(lines.allSatisfy { $0.columnWidth <= 76 })
        #expect(lines.joined(separator: " ").contains("\"\(long)\""))
        #expect(lines.contains("Source    config.json:1:10"))
        #expect(lines.contains("Changed   2026-11-20 12:03:44"))
        #expect(model.lines.joined().contains("█"), "a scrollbar")
        model.press("4")
        #expect(model.inspectorLines.contains("no changes since the start"))
    }

    @Test func aLongValueIsSearchedAndScrolledToItsEnd() throws {
        let numbers = (0..<9000).map(String.init).joined(separator: ",")
        var model = try Demo.model(#"{"numbers": [\#(numbers)]}"#)
        model.press("i", "Enter", "G")
        #expect(model.page?.lines.contains { $0.spans.last?.text == "8999" } == true)
        #expect(model.inspectorLines.last?.hasPrefix("Changed") == true)
        model.press("/", "8", "7", "6", "5")
        #expect(model.inspectorLines.contains("  8765,") && !model.inspectorLines.contains("  8764,"))
        model.press("Esc", "Esc")
        #expect(model.page == nil && model.inspector != nil)
    }

    @Test func anArrayHasALineForEachElement() throws {
        var model = try Demo.model(##"{"palette": ["#FF0000", "none", "#00FF00"]}"##)
        model.press("i", "Enter")
        let expected = ["palette", "[", "  ██ \"#FF0000\",", "  \"none\",", "  ██ \"#00FF00\"", "]"]
        #expect(Array(model.inspectorLines.dropFirst().prefix(6)) == expected)
    }

    @Test func theProblemIsThereInFull() throws {
        var model = try Demo.model()
        try model.read(Demo.document(color: "#GGG"))
        model.press("i", "Enter")
        #expect(model.inspectorLines[2] == "\"#GGG\"")
        #expect(model.inspectorLines[3] == ##"✖ "#GGG" is not a colour such as #FFB6C1"##)
        #expect(model.inspectorLines[4] == "using ██ #FFB6C1")
    }

    @MainActor
    @Test func chainShowsTheDecidingLink() throws {
        let desk = try TweakDesk(columns: 160)
        _ = desk.tweaks.perform(.set(id: "app.background.color", .string("#000000"), isContinuing: false))
        desk.update()
        desk.press("i", "Enter")
        let lines = desk.model.inspectorLines
        #expect(lines.contains("◆ overridden by a tweak: ▏▕ #000000"))
        #expect(lines.contains("→ tweak Demo › Look › Background: #000000"))
        #expect(lines.contains("  remote app.background.color: #FFB6C1"))
    }

    @Test func itFollowsChangesAndRemovals() throws {
        var model = try Demo.model()
        model.press("i", "Enter")
        try model.read(Demo.document(color: "#000000"))
        #expect(model.inspectorLines[2] == "▏▕ \"#000000\"")
        try model.read("{}")
        #expect(model.inspectorLines[2] == "removed from the source")
        model.press("4")
        #expect(model.inspectorLines.contains("- ▏▕ \"#000000\""))
    }
}

struct ChangeHistoryTests {
    private static func current(_ json: String, after before: ConfigState.Snapshot? = nil) throws
        -> ConfigState.Snapshot
    {
        try Demo.configuration(json, after: before)
    }

    @Test func firstReadIsNotAChange() throws {
        var history = ChangeHistory()
        let empty = ConfigState.Snapshot(snapshot: .empty, status: SourceStatus(source: "config.json"))
        history.record(from: empty, to: try Self.current(#"{"a": 1}"#, after: empty))
        #expect(history.count == 0)
    }

    @Test func statesThatWereSkippedAreOneChange() throws {
        var history = ChangeHistory()
        let first = try Self.current(#"{"a": 1, "b": 1}"#)
        let second = try Self.current(#"{"a": 2, "b": 1}"#, after: first)
        let third = try Self.current(#"{"a": 3, "b": 1}"#, after: second)
        history.record(from: first, to: third)
        #expect(history["a"].map(\.value) == [.integer(3), .integer(1)])
        #expect(history["b"] == [])
        history.record(from: third, to: third)
        #expect(history.count == 2)
    }

    @Test func itStaysBounded() throws {
        var history = ChangeHistory()
        var state = try Self.current(#"{"a": 0}"#)
        for number in 1...200 {
            let next = try Self.current("{\"a\": \(number)}", after: state)
            history.record(from: state, to: next)
            state = next
        }
        #expect(history["a"].map(\.value) == (151...200).reversed().map { .integer($0) })
        #expect(history.count == ChangeHistory.maximumMomentsPerKey)
        for number in 0..<10 {
            let members = (0..<500).map { "\"k\($0)\": \"\(number)\($0)\"" }.joined(separator: ", ")
            let next = try Self.current("{\(members)}", after: state)
            history.record(from: state, to: next)
            state = next
        }
        #expect(history.count == ChangeHistory.maximumMoments)
        #expect(history["a"] == [], "the oldest go first")
        #expect(history["k7"].map(\.value) == (6..<10).reversed().map { .string("\($0)7") })
    }

    @Test func longValuesTakeNoMoreThanAMegabyte() throws {
        var history = ChangeHistory()
        var state = try Self.current(#"{"a": "0"}"#)
        for number in 1...40 {
            let next = try Self.current("{\"a\": \"\(number)\(String(repeating: "x", count: 60_000))\"}", after: state)
            history.record(from: state, to: next)
            state = next
        }
        #expect((10...17).contains(history.count))
        #expect(history["a"].first?.value == state.snapshot.entries["a"]?.value)
    }
}
