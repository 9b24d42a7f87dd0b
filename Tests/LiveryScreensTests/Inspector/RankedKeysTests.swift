// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import LiveryScreens

struct RankedKeysTests {
    @Test func keysStayInBothOrders() {
        var random = SeededGenerator(seed: 5)
        let names = (0..<300).map { "k\($0)" }.sorted()
        var (keys, ranks): (RankedKeys, [String: Int]) = (RankedKeys(among: names), [:])
        for start in stride(from: 0, to: names.count, by: 70) {
            let items = (start..<min(start + 70, names.count)).compactMap { place -> RankedKeys.Item? in
                guard Int.random(in: 0..<3, using: &random) > 0 else { return nil }
                let rank = Int.random(in: -4...4, using: &random)
                ranks[names[place]] = rank
                return RankedKeys.Item(rank: rank, place: Int32(place))
            }
            keys.append(items)
            expect(keys, have: ranks)
        }
        for _ in 0..<400 {
            // Some of them are not among the names.
            let name = "k\(Int.random(in: 0..<400, using: &random))"
            let rank = Bool.random(using: &random) ? Int.random(in: -4...4, using: &random) : nil
            keys.set(rank, of: name)
            ranks[name] = rank
        }
        expect(keys, have: ranks)
    }

    private func expect(_ keys: RankedKeys, have ranks: [String: Int]) {
        let sorted = ranks.map { RankedKey(rank: $0.value, key: $0.key) }.sorted()
        #expect((0..<keys.count).map { keys[$0] } == sorted)
        #expect(keys.places.map { keys.name(at: $0) } == ranks.keys.sorted())
        #expect(ranks.allSatisfy { keys.rank(of: $0.key) == $0.value } && keys.rank(of: "x") == nil)
        #expect(sorted.indices.allSatisfy { keys.row(of: sorted[$0]) == $0 })
        guard let first = sorted.first, let last = sorted.last else { return }
        #expect(keys.neighbor(of: last, byName: false, forward: true) == first)
        #expect(keys.neighbor(of: first, byName: false, forward: false) == last)
    }
}
