// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import RemoteConfig

struct KeyOrderTests {
    private static func document(_ keys: some Sequence<String>, value: Int) throws -> ConfigDocument {
        let members = keys.map { "\"\($0)\": \(value)" }.joined(separator: ", ")
        return try ConfigDocument(json: Array("{\(members)}".utf8), source: "test")
    }

    /// The oracle is a sort of the keys that are there.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func theOrderOfEachStateIsThatOfItsKeys(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var current = ConfigState.Snapshot(snapshot: .empty, status: SourceStatus(source: "test"))
        for step in 0..<150 {
            var keys = Set(current.snapshot.entries.keys)
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                keys.formSymmetricDifference(["k\(Int.random(in: 0..<80, using: &random))"])
            }
            let document = try Self.document(keys, value: Int.random(in: 0...1, using: &random))
            current.follow(current.snapshot.updated(with: document, from: "test", at: Timestamp(milliseconds: 1)))
            #expect(current.keys == current.snapshot.entries.keys.sorted(), "seed \(seed), step \(step)")
        }
    }
}

struct ChangedKeyHistoryTests {
    @Test func severalStatesAreOneSetOfKeys() {
        var changes = ChangedKeyHistory(from: 5)
        changes.note(["b", "c"], at: 6)
        changes.note(["a", "b"], at: 7)
        #expect(changes.keys(since: 5) == ["a", "b", "c"])
        #expect(changes.keys(since: 6) == ["a", "b"])
        #expect(changes.keys(since: 7) == [])
        #expect(changes.keys(since: 4) == nil, "nobody was there")
    }

    @Test func oldChangesAreUnknown() {
        var changes = ChangedKeyHistory(from: 0)
        for revision in 1...100 as ClosedRange<UInt64> { changes.note(["k\(revision)"], at: revision) }
        #expect(changes.keys(since: 35) == nil)
        #expect(changes.keys(since: 36)?.count == 64)
    }

    @Test func tooManyKeysAreNotKept() {
        var changes = ChangedKeyHistory(from: 0)
        changes.note((0..<5000).map { "k\($0)" }, at: 1)
        #expect(changes.keys(since: 0) == nil)
        #expect(changes.keys(since: 1) == [])
        changes.note(["a"], at: 2)
        #expect(changes.keys(since: 1) == ["a"])
    }
}
