// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire
import TestSupport
import Testing

@testable import LiveryCommands

struct HistoryReplayTests {
    private static func record(_ revision: UInt64, _ key: String, _ value: EntryValue?) -> HistoryRecord {
        let (kind, name) = EntryKind.named(key)
        return HistoryRecord(name, value, at: revision, kind: kind)
    }

    private static let rule = EntryKind.rule.key(of: "a")

    @Test func eachChangeHasTheValueBefore() throws {
        let records = [
            Self.record(9, Self.rule, nil), Self.record(8, "b", .integer(1)),
            Self.record(7, EntryKind.schema.key(of: "a"), true),
            Self.record(6, Self.rule, [:]), Self.record(5, "a", nil), Self.record(4, "a", .integer(2)),
        ]
        let replay = try HistoryReplay(from: ["a": .integer(1)], by: records, to: ["b": .integer(1)])
        #expect(replay.steps.map(\.revision) == [4, 5, 6, 8, 9])
        #expect(replay.steps.map(\.change.old) == [.integer(1), .integer(2), nil, nil, [:]])
        #expect(replay.steps.map(\.change.new) == [.integer(2), nil, [:], .integer(1), nil])
        #expect(replay.steps.map(\.change.kind) == [.value, .value, .rule, .value, .rule])
    }

    @Test func aHistoryWithAGapIsRefused() {
        let records = [Self.record(4, "a", .integer(2))]
        #expect(throws: ConfigError.self) {
            _ = try HistoryReplay(from: ["a": .integer(1)], by: records, to: ["a": .integer(2), "b": .integer(1)])
        }
        #expect(throws: ConfigError.self) { _ = try HistoryReplay(from: [:], by: [], to: ["a": .integer(2)]) }
    }
}
