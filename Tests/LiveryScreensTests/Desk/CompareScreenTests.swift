// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import RemoteConfig
import Synchronization
import TerminalUI
import Testing

@testable import LiveryScreens

/// Two sources side by side.
struct CompareScreenTests {
    private static let here = NamespaceContents(
        values: ["app.color": "#FFB6C1", "app.limit": 20, "app.name": "cat", "app.on": true],
        rules: ["app.on": rule("a")]
    )
    private static let there = NamespaceContents(
        values: ["app.color": "#0000FF", "app.limit": 20, "app.new": ["one", "two"], "app.on": true],
        rules: ["app.on": rule("b")]
    )

    private static func rule(_ variant: EntryValue) -> EntryValue {
        ["variants": ["a": true, "b": false], "defaultVariant": variant, "bucketing": "flagd-3"]
    }

    /// The comparison, opened from the inspector.
    private static func desk(with other: OtherSource, columns: Int = 100, rows: Int = 24) async throws -> EditDesk {
        var desk = try EditDesk(here, columns: columns, rows: rows)
        desk.directory = other.directory
        try await desk.press("i", "C", "b", ".", "Enter")
        return desk
    }

    /// The rows of keys.
    private static func rows(_ desk: EditDesk) -> [String] {
        desk.model.lines.filter { line in ["+ app", "- app", "~ app"].contains(where: line.contains) }
    }

    @Test func valuesAreStackedBelowSixtyColumns() async throws {
        var desk = try await Self.desk(with: OtherSource(Self.there), columns: 59)
        let lines = desk.model.lines
        let row = try #require(lines.firstIndex { $0.contains("~ app.color") })
        #expect(lines[row + 1].contains("here   ██ #FFB6C1") && lines[row + 2].contains("there  ██ #0000FF"))
        desk.send(.resized(Size(columns: 60, rows: 24)))
        #expect(Self.rows(desk).first?.contains("#0000FF") == true, "\(desk.screen)")
    }

    @Test func longNamesOfSourcesDiffer() throws {
        var state = try Demo.model().panelState
        state.demo.configuration.status.source = "http://127.0.0.1:3000/v1/default"
        let screen = CompareScreen("http://127.0.0.1:3000/v1/shop", state, size: Size(columns: 60, rows: 24))
        let text = screen.text()
        #expect(text.contains("here: http://1…/default") && text.contains("there: http://1…/v1/shop"), "\(text)")
    }

    @Test func longKeysDifferAndStagedOnesAreMarked() async throws {
        let names = ["app.service.alpha.configuration.limit", "app.service.bravo.configuration.limit"]
        let there = NamespaceContents(values: [names[0]: 1, names[1]: 2])
        var desk = try await Self.desk(with: OtherSource(there), columns: 60)
        try await desk.press("G", "<")
        let lines = desk.model.lines
        #expect(lines.contains { $0.contains(" + ") && $0.contains("alpha") }, "\(desk.screen)")
        #expect(lines.contains { $0.contains("▌+±") && $0.contains("bravo") }, "\(desk.screen)")
    }

    @Test func enterShowsBothValuesInFull() async throws {
        var desk = try await Self.desk(with: OtherSource(Self.there))
        try await desk.press("Enter")
        #expect(desk.screen.contains("~ ██ \"#FFB6C1\" → ██ \"#0000FF\""), "\(desk.screen)")
        try await desk.press("G", "Enter")
        #expect(!desk.screen.contains("→ ██"), "one key at a time: \(desk.screen)")
        #expect(desk.model.lines.count { $0.contains("◇ rule") } == 2, "\(desk.screen)")
        try await desk.press("Enter")
        #expect(desk.model.lines.count { $0.contains("◇ rule") } == 1, "\(desk.screen)")
    }

    @Test func copiedKeysArePublishedTogether() async throws {
        var desk = try await Self.desk(with: OtherSource(Self.there))
        try await desk.press("<", "j", "c", "j", "<", "G", "<", "P", "y")
        let present = desk.source.current.contents
        #expect(present.values == Self.there.values && present.rules == Self.there.rules, "\(desk.screen)")
        #expect(desk.writes == 1 && desk.top == .compare("b."))
        #expect(desk.screen.contains("No differences"), "\(desk.screen)")
    }

    @Test func rowsFollowChangesOfTheOwnSource() async throws {
        var desk = try await Self.desk(with: OtherSource(Self.there))
        try await desk.press("j")
        let change = KeyChange(key: "app.color", old: "#FFB6C1", new: "#0000FF")
        desk.source.write(ConfigDiff([change]), by: "bob")
        try await desk.answer()
        let rows = Self.rows(desk)
        #expect(rows.count == 3 && rows.first?.contains("▌- app.name") == true, "\(desk.screen)")
    }

    @Test func refreshReadsTheOtherSourceAgain() async throws {
        let other = OtherSource(Self.there)
        var desk = try await Self.desk(with: other)
        other.state.withLock { $0 = .failure(ConfigError(.unreachable, "no route to host")) }
        try await desk.press("r")
        #expect(desk.screen.contains("no route to host") && Self.rows(desk).isEmpty, "\(desk.screen)")
        other.state.withLock { $0 = .success(Self.here) }
        try await desk.press("r")
        #expect(desk.screen.contains("No differences"), "\(desk.screen)")
    }

    @Test func filterFindsKeys() async throws {
        var desk = try await Self.desk(with: OtherSource(Self.there))
        try await desk.press("/", "n", "e", "w", "Enter")
        #expect(Self.rows(desk).count == 1 && Self.rows(desk)[0].contains("app.new"), "\(desk.screen)")
        try await desk.press("Esc")
        #expect(Self.rows(desk).count == 4 && Self.rows(desk)[2].contains("▌"), "\(desk.screen)")
    }

    @Test func copyIsRefusedWithItsReason() async throws {
        var desk = try await Self.desk(with: OtherSource(Self.there))
        desk.source.change { $0.granted.refuse([.rules], "the token cannot write rules") }
        try await desk.press("Esc", "C", "b", ".", "Enter", "G", "<")
        #expect(desk.screen.contains("the token cannot write rules"), "\(desk.screen)")
        try await desk.press("P")
        #expect(desk.top == .compare("b."), "nothing is staged")
    }
}

/// A source beside the one on the screen, whose contents a test decides.
final class OtherSource: Sendable {
    let state: Mutex<Result<NamespaceContents, ConfigError>>

    init(_ contents: NamespaceContents) { state = Mutex(.success(contents)) }

    var directory: SourceDirectory {
        SourceDirectory(
            current: "config.json",
            recent: RecentSources(environment: [:]),
            open: { throw ConfigError(.invalidSource, $0) },
            check: { _ in SourceCheck(.live, "") },
            contents: { [self] _ in state.withLock(\.self).map { SourceContents($0) } }
        )
    }
}
