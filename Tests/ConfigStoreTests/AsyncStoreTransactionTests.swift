// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import ConfigStore

@Suite(.timeLimit(.minutes(1)))
struct AsyncStoreTransactionTests {
    /// Records whose reads and writes are awaited.
    private struct AwaitedRecords: AsyncStoreTransaction {
        typealias Failure = Never

        final class Count {
            var keyQueries = 0
        }

        var records = PublishCommitterTests.Records()
        let count = Count()

        func floor() async -> UInt64 {
            await Task.yield()
            return records.floor()
        }

        func revision(of namespace: String) async -> UInt64 {
            await Task.yield()
            return records.revision(of: namespace)
        }

        func entries(_ keys: [String], in namespace: String) async -> [String: StoredEntry] {
            await Task.yield()
            count.keyQueries += 1
            return keys.reduce(into: [:]) { $0[$1] = records.entry($1, in: namespace) }
        }

        func entries(in namespace: String, from beginning: String) async -> [String: StoredEntry] {
            await Task.yield()
            return records.entries(in: namespace, from: beginning)
        }

        func values(in namespace: String, at revision: UInt64) async -> [String: EntryValue?] {
            await Task.yield()
            #expect(revision >= records.floor(), "below the floor there are no values")
            return records.values(in: namespace, at: revision)
        }

        mutating func write(_ revision: NewRevision) async -> [String: StoredEntry?] {
            await Task.yield()
            return records.write(revision)
        }
    }

    private static let schema: EntryValue = ["type": "integer"]

    private static let publishes =
        (PublishCommitterTests.edits + PublishCommitterTests.conditions + PublishCommitterTests.rollbacks).map {
            Publish(namespace: $0.namespace, change: $0.change, conditions: $0.conditions)
        }
        + [
            ["schema:*": schema], ["b": nil], ["schema:*": schema, "c": nil], ["a": "text"],
            ["schema:*": nil, "a": "text"],
            ["rule:a": ["defaultVariant": "none"]],
        ].map { (edits: [String: EntryValue?]) in Publish(namespace: "default", change: .edit(edits)) }

    @Test func awaitedReadsLeadToTheSameOutcomes() async {
        // Each alone, and all of them in one batch, in which each sees those before it.
        for publishes in Self.publishes.map({ [$0] }) + [Self.publishes] {
            var (committer, records) = (PublishCommitterTests.committer(), PublishCommitterTests.Records())
            let wanted = committer.commit(publishes, in: &records)
            var (awaiting, awaited) = (PublishCommitterTests.committer(), AwaitedRecords())
            let outcomes = await awaiting.commit(publishes, in: &awaited)
            #expect(outcomes == wanted)
            #expect((awaiting.head, awaiting.updatedAt) == (committer.head, committer.updatedAt))
            #expect(awaited.records.entries == records.entries)
        }
    }

    @Test func keysOfPublishAreReadTogether() async {
        let edits = Dictionary(uniqueKeysWithValues: (0..<500).map { ("k\($0)", EntryValue?.some(.integer($0))) })
        var (committer, records) = (PublishCommitterTests.committer(), AwaitedRecords())
        let publishes = (0..<3).map { _ in Publish(namespace: "default", change: .edit(edits)) }
        let outcomes = await committer.commit(publishes, in: &records)
        #expect(outcomes.map { $0.commit?.changes.count } == [500, nil, nil])
        #expect(records.count.keyQueries == 1)
    }
}
