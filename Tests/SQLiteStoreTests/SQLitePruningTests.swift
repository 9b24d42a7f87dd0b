// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import ConfigStoreTesting
import GRDB
import SQLiteStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SQLitePruningTests {
    private let folder: TemporaryDirectory
    private var path: String { folder.store }

    init() throws { folder = try TemporaryDirectory() }

    /// Random publishes with recorded states; then everything above the floor is read.
    @Test
    func revisionsAboveTheFloorAreAvailable() async throws {
        let clock = ManualClock()
        let store = try await opened(path) { options in
            (options.history.revisions, options.history.age) = (20, .seconds(1))
            options.now = { clock.now }
        }
        var random = SeededGenerator(seed: 3)
        var states: [[String: EntryValue]] = [[:]]
        while states.count < 300 {
            clock.advance(by: 100)
            var edits: [String: EntryValue?] = [:]
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let isDelete = Int.random(in: 0..<3, using: &random) == 0
                edits["k\(Int.random(in: 0..<12, using: &random))"] = isDelete ? .some(nil) : .integer(states.count)
            }
            guard try await store.edit(edits) != nil else { continue }
            states.append(try await store.load().namespaces["default"]?.entries.mapValues(\.value) ?? [:])
        }
        let head = UInt64(states.count - 1)
        for after in head - 20...head {
            let old = try #require(try await store.values(in: "default", at: after))
            let state = states[Int(head)].mapValues(Optional.some).merging(old) { $1 }.compactMapValues(\.self)
            #expect(state == states[Int(after)])
        }
        #expect(try await store.values(in: "default", at: 1) == nil)
        let refused = try await store.commit([Publish(namespace: "default", change: .rollback(to: 1))])
        #expect(refused == [.unknownRevision(1)])
        _ = try await store.commit([Publish(namespace: "default", change: .rollback(to: head - 18))])
        #expect(
            try await store.load().namespaces["default"]?.entries.mapValues(\.value) == states[Int(head) - 18]
        )
        try await expectTidy(store)
    }

    private func expectTidy(_ store: SQLiteEntryStore) async throws {
        try await store.close()
        let database = try DatabaseQueue(path: path)
        let (floor, old, bare) = try await database.read { db in
            let floor = try Int.fetchOne(db, sql: "SELECT floor FROM meta") ?? 0
            let old = try Int.fetchOne(
                db,
                sql: """
                    SELECT count(*) FROM history AS h WHERE revision <= ?1 AND (value IS NULL OR EXISTS (
                        SELECT 1 FROM history AS n WHERE n.key = h.key AND n.revision > h.revision AND n.revision <= ?1
                    ))
                    """,
                arguments: [floor]
            )
            let bare = try Int.fetchOne(
                db,
                sql: "SELECT count(*) FROM revisions WHERE revision NOT IN (SELECT revision FROM history)"
            )
            return (floor, old, bare)
        }
        #expect(floor >= 270)
        #expect(old == 0)
        #expect(bare == 0)
    }

    @Test
    func youngHistoryIsKeptHoweverMuchThereIs() async throws {
        let store = try await opened(path) { $0.history.revisions = 5 }
        for step in 0..<60 { try await store.put(step) }
        #expect(try await store.history(HistoryQuery(of: "default", limit: 100)).count == 60)
        #expect(try await store.values(in: "default", at: 0) != nil)
    }
}
