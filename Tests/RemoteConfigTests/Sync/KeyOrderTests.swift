// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import RemoteConfig

struct KeyOrderTests {
    private static let time = Timestamp(milliseconds: 1)

    private static func document(_ keys: some Sequence<String>, value: Int) throws -> ConfigDocument {
        let members = keys.map { "\"\($0)\": \(value)" }.joined(separator: ", ")
        return try ConfigDocument(json: Array("{\(members)}".utf8), source: "test")
    }

    /// The oracle is a sort of the keys that are there.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func theOrderOfEachStateIsThatOfItsKeys(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var current = ConfigState.Current(snapshot: .empty, status: SyncStatus(source: "test"))
        for step in 0..<150 {
            let count = Int.random(in: 0...(Bool.random(using: &random) ? 3 : 60), using: &random)
            var keys = Set((0..<count).map { _ in "k\(Int.random(in: 0..<80, using: &random))" })
            // Most states differ a little from the one before.
            if step % 5 != 0 { keys.formSymmetricDifference(current.snapshot.entries.keys) }
            let document = try Self.document(keys, value: Int.random(in: 0...1, using: &random))
            current.follow(current.snapshot.updated(with: document, from: "test", at: Self.time))
            // Whoever asks seldom has more than one change worked in at once.
            guard Int.random(in: 0..<4, using: &random) == 0 || step > 60 && step < 70 else { continue }
            #expect(current.sortedKeys == current.snapshot.entries.keys.sorted(), "seed \(seed), step \(step)")
        }
        #expect(current.sortedKeys == current.snapshot.entries.keys.sorted(), "seed \(seed)")
    }

    @Test func anOrderThatNobodyAsksForStaysBounded() throws {
        var current = ConfigState.Current(snapshot: .empty, status: SyncStatus(source: "test"))
        for number in 0..<300 {
            let keys = (0...number).map { "k\($0)" }
            let document = try Self.document(keys, value: number)
            current.follow(current.snapshot.updated(with: document, from: "test", at: Self.time))
        }
        #expect(current.sortedKeys == current.snapshot.entries.keys.sorted())
    }

    @Test func aStateThatIsPutTogetherHasItsOwnOrder() throws {
        let snapshot = EntrySnapshot.empty.updated(
            with: try Self.document(["b", "a"], value: 1),
            from: "test",
            at: Self.time
        ).snapshot
        var current = ConfigState.Current(snapshot: .empty, status: SyncStatus(source: "test"))
        #expect(current.sortedKeys == [])
        current.snapshot = snapshot
        #expect(current.sortedKeys == ["a", "b"])
        #expect(current == ConfigState.Current(snapshot: snapshot, status: SyncStatus(source: "test")))
    }
}
