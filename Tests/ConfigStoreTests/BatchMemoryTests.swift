// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import Testing

struct BatchMemoryTests {
    private let epoch = Epoch.random()

    private func cursor(_ revision: UInt64) -> RevisionCursor { RevisionCursor(epoch: epoch, revision: revision) }

    /// Commits a batch in its own transaction, as a store does.
    private func commit(_ values: [String: EntryValue?], in tables: inout Tables, _ memory: inout BatchMemory) throws {
        let (head, time) = (tables.head, tables.updatedAt)
        var known = memory.take(at: cursor(head), time)
        let publish = Publish(namespace: "default", change: .edit(values))
        let outcomes = try tables.commit([publish], at: cursor(head), time, knowing: &known) {
            Timestamp(milliseconds: 1)
        }
        #expect(outcomes.first?.commit?.changes.mapValues(\.?.value) == values)
        memory = known
    }

    @Test func batchReadsItsOwnWritesFromMemory() throws {
        var (tables, memory) = (Tables(), BatchMemory())
        try commit(["a": .integer(1), "b": .integer(1)], in: &tables, &memory)
        #expect(tables.reads.take() == ["default", "a b", "schema:"])
        try commit(["a": .integer(2), "b": nil], in: &tables, &memory)
        #expect(tables.reads.take() == ["rule:b"], "a rule goes with its key")
        try commit(["b": .integer(3), "c": .integer(3)], in: &tables, &memory)
        #expect(tables.reads.take() == ["c"])
        #expect(tables.entries.mapValues(\.id) == ["a": 1, "b": 3, "c": 4])
    }

    @Test func everythingIsReadAgainAfterACommitOfSomebodyElse() throws {
        var (tables, memory) = (Tables(), BatchMemory())
        try commit(["a": .integer(1)], in: &tables, &memory)
        tables.head += 1
        #expect(tables.reads.take() == ["default", "a", "schema:"])
        try commit(["a": .integer(2)], in: &tables, &memory)
        #expect(tables.reads.take() == ["default", "a", "schema:"])
        // The same number of another history.
        tables.updatedAt = Timestamp(milliseconds: 77)
        try commit(["a": .integer(3)], in: &tables, &memory)
        #expect(tables.reads.take() == ["default", "a", "schema:"])
    }

    @Test func schemasAreReadOnceAndTheirChangesAreKnown() throws {
        var (tables, memory) = (Tables(), BatchMemory())
        try commit(["schema:a": ["type": "integer"]], in: &tables, &memory)
        #expect(tables.reads.take() == ["default", "a schema:a", "schema:", "rule:a"])
        try commit(["a": 1], in: &tables, &memory)
        #expect(tables.reads.take() == [])
        try commit(["a": 2], in: &tables, &memory)
        #expect(tables.reads.take() == [])
    }

    @Test func aBatchThatFailedLeavesNothingBehind() throws {
        var (tables, memory) = (Tables(), BatchMemory())
        try commit(["a": .integer(1)], in: &tables, &memory)
        _ = memory.take(at: cursor(tables.head), tables.updatedAt)
        _ = tables.reads.take()
        try commit(["a": .integer(2)], in: &tables, &memory)
        #expect(tables.reads.take() == ["default", "a", "schema:"])
    }
}

/// Tables that count the reads.
private struct Tables: BatchTables {
    final class Reads {
        private var reads: [String] = []
        func add(_ names: [String]) { reads.append(Set(names).sorted().joined(separator: " ")) }
        func take() -> [String] {
            defer { reads = [] }
            return reads
        }
    }

    var head: UInt64 = 0
    var updatedAt = Timestamp(milliseconds: 0)
    var entries: [String: StoredEntry] = [:]
    let reads = Reads()
    private var namespaces: [String: UInt64] = [:]
    private var lastID: Int64 = 0

    func floor() -> UInt64 { 0 }

    func revisions(of namespaces: [String]) -> [String: UInt64] {
        reads.add(namespaces)
        return self.namespaces
    }

    func entries(_ keys: [String], in namespace: String) -> [String: StoredEntry] {
        reads.add(keys)
        return entries.filter { keys.contains($0.key) }
    }

    func entries(in namespace: String, from beginning: String) -> [String: StoredEntry] {
        reads.add([beginning])
        return entries.filter { $0.key.hasPrefix(beginning) }
    }

    func values(in namespace: String, at revision: UInt64) -> [String: EntryValue?] { [:] }

    mutating func finish(at head: UInt64, _ updatedAt: Timestamp) {
        (self.head, self.updatedAt) = (head, updatedAt)
    }

    mutating func write(_ batch: RevisionBatch) -> [Int64: Int64] {
        var ids: [Int64: Int64] = [:]
        for (place, entry) in batch.upserts {
            if entry.id < 0 {
                lastID += 1
                ids[entry.id] = lastID
            }
            entries[place.key] = entry
            entries[place.key]?.id = ids[entry.id] ?? entry.id
        }
        for place in batch.removals { entries[place.key] = nil }
        namespaces.merge(batch.namespaces) { $1 }
        return ids
    }
}
