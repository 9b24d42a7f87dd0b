// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import ConfigStoreTesting
import ConfigWire
import HashTreeCollections
import HubTestSupport
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import ConfigHub

/// The quotas of namespaces, and the errors beyond them.
@Suite(.timeLimit(.minutes(5)))
struct QuotaTests {
    private static func limits(bytes: Int = 1 << 20, keys: Int = 1000, namespaces: Int = 100) -> NamespaceHub.Limits {
        .patient { limits in
            (limits.quotas.bytes, limits.quotas.keys, limits.quotas.namespaces) = (bytes, keys, namespaces)
        }
    }

    private func refusal(_ body: () async throws -> PublishOutcome) async -> String? {
        do {
            _ = try await body()
            return nil
        } catch {
            let error = error as? StoreError
            #expect(error?.code == .overQuota)
            return error?.message
        }
    }

    @Test func aNamespaceCountsItsSnapshotsBytes() async throws {
        var random = SeededGenerator(seed: 8)
        try await withHub(ReferenceStore()) { hub in
            for step in 0..<60 {
                let key = "k\(Int.random(in: 0..<12, using: &random))"
                let values: [EntryValue?] = [.integer(step), .string("\"\(step)\n"), [0.1, 1], nil]
                try await hub.edit([key: values[Int.random(in: 0..<4, using: &random)]])
                guard let state = hub.state(of: "default"), !state.entries.isEmpty else { continue }
                let json = String(buffer: state.snapshotJSON)
                let entries = try #require(json.split(separator: "\"entries\":{", maxSplits: 1).last)
                // Without the braces, and with a comma after the last.
                #expect(state.bytes(of: .value) == entries.utf8.count - 2 + 1, "\(json)")
                #expect(hub.quotas.announcedBytes(for: state) >= state.resetJSON.readableBytes)
            }
        }
    }

    @Test func bytesBeyondTheQuotaAreRefused() async throws {
        let store = ReferenceStore()
        try await withHub(store, limits: Self.limits(bytes: 1000)) { hub in
            try await hub.edit(["a": .string(String(repeating: "x", count: 900))])
            let message = await refusal { try await hub.edit(["b": .string(String(repeating: "x", count: 200))]) }
            #expect(message?.contains("exceeded: 1114 bytes, limit 1000") == true)
            #expect(await refusal { try await hub.edit(["b": .string(String(repeating: "x", count: 80))]) } == nil)
            #expect(try await hub.edit(["a": .string("y"), "b": nil]).commit != nil)
        }
        try await withHub(store, limits: Self.limits(bytes: 4)) { hub in
            #expect(await refusal { try await hub.edit(["a": .string("yy")]) } != nil)
            #expect(await refusal { try await hub.edit(["a": .string("z")]) } == nil)
            #expect(await refusal { try await hub.edit(["a": .string("")]) } == nil)
            #expect(await refusal { try await hub.edit(["a": .string("z")]) } != nil)
            #expect(await refusal { try await hub.edit(["a": nil]) } == nil)
        }
    }

    /// A publish before it may fail, so that a removal frees quota only once it is committed.
    @Test func removalsFreeNoQuotaWithinTheirBatch() async throws {
        let full = EntryValue.string(String(repeating: "x", count: 900))
        try await withHub(ReferenceStore()) { hub in
            try await hub.edit(["a": full])
            let state = try #require(hub.state(of: "default"))
            var quotas = NamespaceQuotas()
            quotas.bytes = 1000
            var ledger = QuotaLedger(quotas) { (live: 1, known: 1) }
            let little = EntryValue.string(String(repeating: "x", count: 85))
            let edits: [[String: EntryValue?]] = [["a": nil], ["b": full], ["a": full], ["c": 1], ["d": little]]
            let decisions = edits.map { edits in
                switch ledger.check(edits, in: state) {
                case .fits: "fits"
                case .later: "later"
                case .refused: "refused"
                }
            }
            #expect(decisions == ["fits", "later", "fits", "fits", "later"])
        }
    }

    @Test func keysBeyondTheQuotaAreRefused() async throws {
        try await withHub(ReferenceStore(), limits: Self.limits(keys: 2)) { hub in
            try await hub.edit(["a": .integer(1), "b": .integer(1)])
            let message = await refusal { try await hub.edit(["c": .integer(1)]) }
            #expect(message?.contains("exceeded: 3 keys, limit 2") == true)
            #expect(await refusal { try await hub.edit(["schema:c": [:]]) } != nil)
            #expect(await refusal { try await hub.edit(["a": nil, "schema:c": [:]]) } == nil)
            #expect(await refusal { try await hub.edit(["b": .integer(2)]) } == nil)
            #expect(await refusal { try await hub.edit(["schema:c": nil, "c": .integer(1)]) } == nil)
        }
    }

    @Test func theSchemasOfANamespaceHaveALimitTogether() async throws {
        try await withHub(ReferenceStore()) { hub in
            let schema: EntryValue = ["description": .string(String(repeating: "x", count: 65_000))]
            for number in 0..<16 { try await hub.edit(["schema:s\(number)": schema]) }
            let message = await refusal { try await hub.edit(["schema:s16": schema]) }
            #expect(message?.contains("to share schemas") == true)
            #expect(await refusal { try await hub.edit(["a": .integer(1)]) } == nil)
            #expect(await refusal { try await hub.edit(["schema:s16": schema], in: "other") } == nil)
        }
    }

    /// A rule goes with its key, and so makes room as well.
    @Test func aKeyThatIsRemovedTakesItsRulesQuota() async throws {
        try await withHub(ReferenceStore(), limits: Self.limits(keys: 5)) { hub in
            let rule: EntryValue = ["variants": ["on": true], "defaultVariant": "on"]
            let ruleKey = EntryKind.rule.key(of: "a")
            try await hub.edit(["a": true, "b": true, "c": true, "d": true, ruleKey: rule])
            #expect(await refusal { try await hub.edit(["a": nil, "x": true, "y": true, "z": true]) } != nil)
            #expect(await refusal { try await hub.edit(["a": nil, "x": true, "y": true]) } == nil)
            #expect(hub.state(of: "default")?.entries.count == 5)
            // One that is set at the same time stays, and counts.
            let newKey = EntryKind.rule.key(of: "b")
            #expect(await refusal { try await hub.edit(["b": nil, newKey: rule, "e": true]) } != nil)
            #expect(await refusal { try await hub.edit(["b": nil, newKey: rule]) } == nil)
        }
    }

    @Test func namespacesBeyondTheQuotaAreRefused() async throws {
        try await withHub(ReferenceStore(), limits: Self.limits(namespaces: 2)) { hub in
            try await hub.edit(["a": .integer(1)], in: "one")
            try await hub.edit(["a": .integer(1)], in: "two")
            let message = await refusal { try await hub.edit(["a": .integer(1)], in: "three") }
            #expect(message?.contains("the server's quota is 2") == true)
            #expect(await refusal { try await hub.edit(["b": .integer(1)], in: "two") } == nil)
            try await hub.edit(["a": nil], in: "one")
            #expect(hub.namespacesAndHead()?.namespaces.map(\.namespace) == ["two"])
            #expect(await refusal { try await hub.edit(["a": .integer(1)], in: "three") } == nil)
            #expect(await refusal { try await hub.edit(["a": .integer(1)], in: "one") } != nil)
        }
    }

    @Test func emptiedNamespacesAreBounded() async throws {
        try await withHub(ReferenceStore(), limits: Self.limits(namespaces: 1)) { hub in
            for number in 0..<10 {
                try await hub.edit(["a": .integer(1)], in: "n\(number)")
                try await hub.edit(["a": nil], in: "n\(number)")
            }
            #expect(await refusal { try await hub.edit(["a": .integer(1)], in: "new") } != nil)
            #expect(await refusal { try await hub.edit(["a": .integer(1)], in: "n3") } == nil)
        }
    }

    /// Publishes that arrive together are checked one after the other, each against the real outcome of the earlier ones.
    @Test func batchAppliesThePublishesThatFit() async throws {
        let store = FaultyStore()
        try await withHub(store, limits: Self.limits(keys: 10)) { hub in
            store.hold()
            async let first = hub.edit(["first": .integer(1)])
            try await until { store.taken == 1 }
            let results = try await withThrowingTaskGroup { group in
                for number in 0..<30 {
                    group.addTask { await self.refusal { try await hub.edit(["k\(number)": .integer(1)]) } == nil }
                }
                // Of one that is not made, nothing is counted.
                group.addTask {
                    let publish = Publish(
                        namespace: "default",
                        change: .edit(["x": .integer(1)]),
                        conditions: [.present(key: "x")]
                    )
                    _ = try? await hub.publish(publish)
                    return false
                }
                try await until { hub.waitingPublishes == 31 }
                store.letGo()
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            _ = try await first
            #expect(results == 9)
            #expect(hub.state(of: "default")?.entries.count == 10)
        }
    }

    @Test func rollbacksHonourALoweredQuota() async throws {
        let store = ReferenceStore()
        try await withHub(store) { hub in
            try await hub.edit(["a": .integer(1), "b": .integer(1), "c": .integer(1)])
            try await hub.edit(["b": nil, "c": nil])
        }
        try await withHub(store, limits: Self.limits(keys: 2)) { hub in
            let message = await refusal {
                try await hub.publish(Publish(namespace: "default", change: .rollback(to: 1)))
            }
            #expect(message?.contains("exceeded: 3 keys") == true)
            let back = try await hub.publish(Publish(namespace: "default", change: .rollback(to: 0)))
            #expect(back.commit?.changes.count == 1)
        }
    }
}

/// The recent changes of all namespaces share one budget.
@Suite(.timeLimit(.minutes(5)))
struct RingBudgetTests {
    @Test func recentChangesStayWithinTheBudget() async throws {
        try await withHub(ReferenceStore(), limits: .patient { $0.allRecentBytes = 100_000 }) { hub in
            for step in 0..<200 {
                let value = EntryValue.string(String(repeating: "x", count: 2000) + "\(step)")
                try await hub.edit(["k": value], in: "n\(step % 20)")
                let states = (0..<20).compactMap { hub.state(of: "n\($0)") }
                let bytes = states.map(\.recent.bytes).reduce(0, +)
                #expect(bytes <= 100_000)
                #expect(hub.memory.present?.ringBytes == bytes)
                // A reader of the state before needs only the change.
                let state = try #require(hub.state(of: "n\(step % 20)"))
                if step >= 20 { #expect(state.changes(after: state.revision - 20) != nil) }
            }
        }
    }

    @Test func changesLargerThanTheSnapshotAreNotKept() async throws {
        try await withHub(ReferenceStore()) { hub in
            let keys = (0..<60).map { "k\($0)" }
            let full = Dictionary(
                uniqueKeysWithValues: keys.map { key -> (String, EntryValue?) in
                    (key, .string(String(repeating: "x", count: 60_000)))
                }
            )
            try await hub.edit(full)
            #expect(try #require(hub.state(of: "default")).recent.bytes > 3_000_000)
            try await hub.edit(full.mapValues { _ in nil })
            let state = try #require(hub.state(of: "default"))
            #expect(state.recent.bytes < 10_000 && state.bytes(of: .value) == 0)
            #expect(state.changes(after: 1)?.values.deletes.count == 60)
            #expect(state.changes(after: 0) == nil)
            #expect(try await hub.edit(["a": .integer(1)]).commit?.previous == 2)
        }
    }
}
