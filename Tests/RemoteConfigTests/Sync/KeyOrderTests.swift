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
