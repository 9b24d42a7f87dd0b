// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens

/// Revisions: the list, the differences, the restore.
struct HistoryScreenTests {
    private static let contents = NamespaceContents(values: [
        "app.color": "#FFB6C1", "app.limit": 20, "app.name": "cat",
    ])

    /// A source with three revisions after the first one.
    private func desk() throws -> EditDesk {
        let desk = try EditDesk(Self.contents, columns: 120)
        let write = { (change: KeyChange, author: String, message: String) in
            desk.source.write(ConfigDiff([change]), by: author, message: message)
        }
        write(KeyChange(key: "app.limit", old: 20, new: 30), "ann", "raise")
        write(KeyChange(key: "app.color", old: "#FFB6C1", new: "#0000FF"), "bob", "blue")
        write(KeyChange(key: "app.limit", old: 30, new: 40), "ann", "raise again")
        return desk
    }

    @Test func keysAreSortedByTheAuthorsOfTheHistory() async throws {
        var desk = try desk()
        desk.source.write(ConfigDiff([KeyChange(key: "app.limit", old: 40, new: 50)]), by: "zoe")
        desk.send(.resized(Size(columns: 240, rows: 40)))
        try await desk.press("i", "o", "o")
        #expect(desk.model.inspector?.keyList.rows.texts == ["app.color", "app.limit", "app.name"])
        #expect(["author", "bob", "zoe"].allSatisfy(desk.screen.contains), "\(desk.screen)")
        #expect(desk.model.inspector?.keyList.order.changes.authorColumns == 3)
        desk.source.change { $0.failure = ConfigError(.unavailable, "no answer") }
        try await desk.press("o", "o", "o")
        #expect(desk.model.inspector?.keyList.order.sorting == .name)
        #expect(desk.model.inspector?.feedback == "Cannot read the authors: no answer")
    }

    @Test func newRevisionsAppearAtTheTopAndTheCursorStays() async throws {
        var desk = try desk()
        try await desk.press("h", "j")
        desk.source.write(ConfigDiff([KeyChange(key: "app.name", old: "cat", new: "dog")]), by: "eve", message: "dog")
        // The first answer shows the change, and leads to a new read.
        try await desk.answer()
        try await desk.answer()
        let rows = desk.model.lines.filter { $0.contains("11-20 12:03") }
        #expect(rows.first?.contains("dog") == true, "\(desk.screen)")
        #expect(rows.first { $0.contains("▌") }?.contains("blue") == true)
    }

    @Test func twoRevisionsAreComparedByAMark() async throws {
        var desk = try desk()
        try await desk.press("h", "m", "j", "j", "=")
        #expect(desk.screen.contains("2 → 4"))
        #expect(desk.screen.contains("~ app.color") && desk.screen.contains("app.limit"), "\(desk.screen)")
        #expect(desk.screen.contains("30 → 40"))
    }

    @Test func aKeysChangeLeadsToItsRevisionAndBack() async throws {
        var desk = try desk()
        try await desk.press("i", "Enter", "h")
        #expect(desk.screen.contains("History of app.color"))
        try await desk.press("Enter")
        #expect(desk.screen.contains("Revision 3") && desk.screen.contains("app.color"), "\(desk.screen)")
        try await desk.press("Enter")
        #expect(desk.top == .changedKey("app.color"))
        try await desk.press("Esc", "Esc", "Esc")
        #expect(desk.top == .key("app.color"))
    }

    @Test func longRevisionShowsItsFirstChangesAndTheKey() async throws {
        var desk = try desk()
        let changes = (1000..<3100).map { KeyChange(key: "app.k\($0)", old: nil, new: 1) }
        desk.source.write(ConfigDiff(changes), by: "ann", message: "many")
        try await desk.press("h", "Enter", "End")
        #expect(desk.screen.contains("+ app.k2999") && desk.screen.contains("… and 100 more changes"), "\(desk.screen)")
        try await desk.press("/", "{k30}")
        #expect(desk.screen.contains("+ app.k3000") && desk.screen.contains("2,100 new"), "\(desk.screen)")
        try await desk.press("Esc", "Esc", "Esc", "i", "/", "{app.k3099}", "Enter", "h", "Enter")
        #expect(desk.screen.contains("+ app.k3099"), "\(desk.screen)")
    }

    @Test func ruleChangesAreInWords() async throws {
        var desk = try EditDesk(EditDesk.targeted, columns: 120)
        let old = EditDesk.targeted.rules["app.color"]
        let new: EntryValue = [
            "variants": ["blue": "#0000FF", "pink": "#FFB6C1"], "defaultVariant": "pink",
            "targeting": ["fractional": [["blue", 50], ["pink", 50]]],
        ]
        desk.source.write(ConfigDiff([KeyChange(key: "app.color", kind: .rule, old: old, new: new)]), by: "ann")
        try await desk.press("h", "Enter")
        #expect(desk.screen.contains("~ rollout of blue: 0 % → 50 %"), "\(desk.screen)")
    }

    @Test func oneKeyIsRestoredAfterItsDifference() async throws {
        var desk = try desk()
        try await desk.press("i", "j", "h", "j", "b")
        #expect(desk.screen.contains("40 → 30") && !desk.screen.contains("~ app.color"), "\(desk.screen)")
        try await desk.press("Enter", "u")
        #expect(
            desk.values["app.limit"] == 40 && desk.top == .restore(2, name: "app.limit"),
            "only y and Ctrl-S confirm"
        )
        try await desk.press("y")
        #expect(desk.values["app.limit"] == 30 && desk.values["app.color"] == "#0000FF")
        let notice = "Restored app.limit to revision 2 as revision 5; u undoes it"
        #expect(desk.screen.contains(notice), "\(desk.screen)")
        #expect(desk.source.current.messages.last == "Restore app.limit to revision 2")
    }

    @Test func aKeyIsRestoredWithItsRuleAndItsSchema() async throws {
        var desk = try EditDesk(EditDesk.targeted, columns: 120)
        let (color, rule) = (EditDesk.targeted.values["app.color"], EditDesk.targeted.rules["app.color"])
        let schemas = ["app.color", "app.*"].map { KeyChange(key: $0, kind: .schema, old: nil, new: true) }
        let removals = [(EntryKind.value, color), (.rule, rule)].map {
            KeyChange(key: "app.color", kind: $0, old: $1, new: nil)
        }
        desk.source.write(ConfigDiff(removals + schemas), by: "bob")
        try await desk.press("h", "Enter", "b")
        let changes = ["+ app.color", "+ rule app.color", "- schema app.color"]
        #expect(changes.allSatisfy(desk.screen.contains) && !desk.screen.contains("app.*"), "\(desk.screen)")
        try await desk.press("y")
        #expect(
            desk.values == EditDesk.targeted.values && desk.source.current.contents.rules == EditDesk.targeted.rules
        )
        #expect(Array(desk.source.current.contents.schemas.keys) == ["app.*"] && desk.writes == 2)
        try await desk.press("Esc", "Esc", "i", "h", "j", "b", "y")
        #expect(desk.values["app.color"] == nil && desk.source.current.contents.rules.isEmpty, "\(desk.screen)")
        #expect(desk.source.current.contents.schemas.count == 2 && desk.writes == 3)
    }

    @Test func aRestoreOfAKeyIsStaged() async throws {
        var desk = try desk()
        try await desk.press("i", "j", "h", "j", "b", "Ctrl-N")
        #expect(desk.model.desk.staged.changes.changes.map(\.new) == [30], "\(desk.screen)")
        #expect(desk.top == .history("app.limit") && desk.writes == 3)
    }

    @Test func aRestoreOfAKeyThatChangedSinceIsRefused() async throws {
        var desk = try desk()
        try await desk.press("i", "j", "h", "j", "b")
        desk.source.write(ConfigDiff([KeyChange(key: "app.limit", old: 40, new: 50)]), by: "eve")
        try await desk.press("y")
        #expect(desk.screen.contains("Nothing was written: the key has changed"), "\(desk.screen)")
        #expect(desk.values["app.limit"] == 50 && desk.top == .restore(2, name: "app.limit"))
    }

    @Test func aRevisionIsRestoredAsAWholeAfterItsDifference() async throws {
        var desk = try desk()
        try await desk.press("h", "j", "j", "b")
        #expect(desk.screen.contains("Roll back to revision 2") && desk.screen.contains("40 → 30"), "\(desk.screen)")
        try await desk.press("Enter", "u", "q")
        #expect(desk.values["app.limit"] == 40 && desk.top == .restore(2), "only y and Ctrl-S confirm")
        try await desk.press("Ctrl-S")
        #expect(desk.values["app.limit"] == 30 && desk.values["app.color"] == "#FFB6C1")
        #expect(desk.screen.contains("Rolled back to revision 2, as revision 5; u undoes it"), "\(desk.screen)")
    }

    @Test func aRestoredRevisionIsUndone() async throws {
        var desk = try desk()
        let before = desk.values
        try await desk.press("h", "j", "j", "b", "y")
        desk.source.write(ConfigDiff([KeyChange(key: "app.name", old: "cat", new: "dog")]), by: "eve")
        try await desk.press("u")
        #expect(desk.screen.contains("Undo revision 5") && desk.screen.contains("✔ Valid"), "\(desk.screen)")
        try await desk.press("y")
        #expect(desk.values == before.merging(["app.name": "dog"]) { $1 }, "only that revision is undone")
        #expect(desk.top == .history(nil) && desk.screen.contains("Undone as revision 7"), "\(desk.screen)")
    }

    @Test func restoreOfAChangedSourceIsRefused() async throws {
        var desk = try desk()
        try await desk.press("h", "j", "j", "b")
        desk.source.write(ConfigDiff([KeyChange(key: "app.name", old: "cat", new: "dog")]), by: "eve")
        try await desk.press("y")
        #expect(desk.screen.contains("Nothing was written") && desk.values["app.name"] == "dog", "\(desk.screen)")
    }

    @Test func escapeCancelsTheFirstRead() async throws {
        var desk = try desk()
        desk.send("h")
        #expect(desk.requests.contains(.history(of: nil, before: nil)))
        desk.send("Esc")
        #expect(!desk.requests.contains(.history(of: nil, before: nil)) && desk.top == .history(nil))
        #expect(desk.screen.contains("press r to try again"), "\(desk.screen)")
        try await desk.press("r")
        #expect(desk.screen.contains("raise again"))
        try await desk.press("Esc")
        #expect(desk.top == nil)
    }

    @Test(
        arguments: [(["h", "j"], "Enter", "~ app.color"), (["h", "j", "j"], "b", "40 → 30")]
            as [([String], String, String)]
    )
    func failedReadOfARevisionIsShownAndRetried(keys: [String], opening: String, change: String) async throws {
        var desk = try desk()
        for key in keys { try await desk.press(key) }
        desk.source.change { $0.failure = ConfigError(.unreachable, "no route to host") }
        try await desk.press(opening)
        #expect(desk.screen.contains("✖ no route to host"), "\(desk.screen)")
        desk.source.change { $0.failure = nil }
        try await desk.press("r")
        #expect(desk.screen.contains(change) && !desk.screen.contains("✖"), "\(desk.screen)")
    }
}

struct RevisionLogTests {
    private static func page(_ numbers: ClosedRange<UInt64>, next: UInt64?) -> HistoryMessage {
        HistoryMessage(records: numbers.reversed().map { HistoryRecord("k", 1, at: $0) }, next: next)
    }

    @Test func pagesAreReadUpToTheEnd() {
        var log = RevisionLog()
        log.add(Self.page(6...9, next: 6), before: nil)
        #expect(log.tail == 6)
        log.add(Self.page(1...5, next: nil), before: 6)
        #expect(log.tail == nil && log.revisions.map(\.number) == (1...9).reversed())
    }

    @Test func missedRevisionsAreReadLater() {
        var log = RevisionLog()
        log.add(Self.page(1...3, next: nil), before: nil)
        log.add(Self.page(10...12, next: 10), before: nil)
        #expect(log.missing == [10])
        log.add(Self.page(6...9, next: 6), before: 10)
        #expect(log.missing == [6])
        log.add(Self.page(2...5, next: 2), before: 6)
        #expect(log.missing == [] && log.revisions.map(\.number) == (1...12).reversed())
    }
}
