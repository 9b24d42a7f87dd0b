// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigStoreTesting
import ConfigWire
import HashTreeCollections
import HubTestSupport
import NIOCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct ChangeRingTests {
    /// Random edits; after each, the changes in memory and in the store lead from every old state to the new one, the
    /// digest equals one computed from scratch, and the events equal the changes.
    @Test(arguments: [3, 4096])
    func memoryAndHistoryLeadToTheSameState(_ limit: Int) async throws {
        var random = SeededGenerator(seed: 5)
        try await withHub(ReferenceStore(), limits: .patient { $0.recentChanges = limit }) { hub in
            var states: [UInt64: [String: EntryValue]] = [0: [:]]
            for step in 0..<60 {
                var edits: [String: EntryValue?] = [:]
                for _ in 0..<Int.random(in: 1...5, using: &random) {
                    let isDelete = Int.random(in: 0..<3, using: &random) == 0
                    edits["k\(Int.random(in: 0..<9, using: &random))"] = isDelete ? .some(nil) : .integer(step)
                }
                try await hub.edit(edits, in: step % 3 == 0 ? "other" : "default")
                let state = try #require(hub.state(of: "default"))
                states[state.revision] = try hub.values()
                #expect(state.digest == ConfigDigest(state.entries.lazy.map { ($0.key, $0.value.value) }))
                for (old, values) in states { try await expect(hub, state, leadsFrom: old, values) }
            }
        }
    }

    private func expect(
        _ hub: NamespaceHub,
        _ state: NamespaceState,
        leadsFrom old: UInt64,
        _ values: [String: EntryValue]
    ) async throws {
        let answer = try await hub.changes(in: "default", after: old)
        let change = try #require(answer.changes)
        #expect((change.from, change.to, change.digest) == (old, state.revision, state.digest))
        let reached = values.merging(change.values.upserts) { $1 }.filter { !change.values.deletes.contains($0.key) }
        #expect(try reached == hub.values())
        guard let events = state.encodedEvents(after: old)?.events else {
            #expect(state.changes(after: old) == nil)
            return
        }
        var position = old
        for event in try changes(in: events) {
            #expect(event.from == position)
            position = event.to
        }
        #expect(position == state.revision)
    }

    private func changes(in events: ByteBuffer) throws -> [Changeset] {
        try String(buffer: events).split(separator: "\n\n").map { event in
            let data = try #require(event.split(separator: "\n").last?.dropFirst("data: ".count))
            let read = try #require(try StreamEvent(name: "change", data: Array(data.utf8)))
            guard case .change(let change, _) = read else { throw NotAChange() }
            return change
        }
    }

    private struct NotAChange: Error {}

    @Test
    func theRingIsBoundedByItsBytes() async throws {
        try await withHub(ReferenceStore(), limits: .patient { $0.recentBytes = 10_000 }) { hub in
            for step in 0..<20 {
                try await hub.edit(["a": .string(String(repeating: "x", count: 2000 + step))])
            }
            let state = try #require(hub.state(of: "default"))
            #expect(state.changes(after: 17) != nil)
            #expect(state.changes(after: 12) == nil)
            try await hub.edit(["a": .string(String(repeating: "y", count: 20_000))])
            #expect(hub.state(of: "default")?.encodedEvents(after: 20) == nil)
            #expect(try await hub.changes(in: "default", after: 20).changes?.values.upserts.count == 1)
            try await hub.edit(["a": .string("z")])
            #expect(hub.state(of: "default")?.encodedEvents(after: 21) != nil)
        }
    }

    @Test
    func aRevisionThatIsNotYetHasNoChanges() async throws {
        try await withHub(ReferenceStore()) { hub in
            try await hub.edit(["a": .integer(1)])
            let state = try #require(hub.state(of: "default"))
            #expect(state.changes(after: 2) == nil)
            #expect(state.encodedEvents(after: 2) == nil)
            #expect(state.encodedEvents(after: 1)?.events.readableBytes == 0)
            #expect(try await hub.changes(in: "default", after: 2).changes == nil)
        }
    }
}
