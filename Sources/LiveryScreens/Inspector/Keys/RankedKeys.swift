// SPDX-License-Identifier: Apache-2.0

/// A key and its place in an order: lower ranks come first, and keys of one rank by name.
struct RankedKey: Hashable, Comparable, Sendable {
    var rank = 0
    var key: String

    static func < (left: RankedKey, right: RankedKey) -> Bool {
        left.rank == right.rank ? left.key < right.key : left.rank < right.rank
    }
}

/// Keys by their names and by their ranks.
struct RankedKeys: Sendable {
    private(set) var byName: [RankedKey] = []
    private(set) var byRank: [RankedKey] = []

    var count: Int { byRank.count }

    /// Adds keys that come after all others by name, sorted by name.
    mutating func append(_ keys: [RankedKey]) {
        byName += keys
        // Sorts are stable, so that names are not compared.
        let sorted = keys.sorted { $0.rank < $1.rank }
        if byRank.last.map({ $0.rank <= sorted.first?.rank ?? $0.rank }) != false { return byRank += sorted }
        var merged: [RankedKey] = []
        merged.reserveCapacity(byRank.count + sorted.count)
        var rest = sorted[...]
        for key in byRank {
            while let next = rest.first, next.rank < key.rank { merged.append(rest.removeFirst()) }
            merged.append(key)
        }
        byRank = merged + rest
    }

    /// Gives a key another rank, adds it, or removes it if it has none.
    mutating func set(_ rank: Int?, of key: String) {
        let place = byName.lowerBound { $0.key < key }
        let known = place < byName.count && byName[place].key == key ? byName[place] : nil
        guard known?.rank != rank else { return }
        if let known {
            byRank.remove(at: byRank.lowerBound { $0 < known })
            byName.remove(at: place)
        }
        guard let rank else { return }
        let ranked = RankedKey(rank: rank, key: key)
        byName.insert(ranked, at: place)
        byRank.insert(ranked, at: byRank.lowerBound { $0 < ranked })
    }

    /// The rank of a key; `nil` if it is not here.
    func rank(of key: String) -> Int? {
        let place = byName.lowerBound { $0.key < key }
        return place < byName.count && byName[place].key == key ? byName[place].rank : nil
    }
}

extension RandomAccessCollection where Index == Int {
    /// The first place, in a sorted collection, whose element is not below a wanted one.
    func lowerBound(isBelow: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if isBelow(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
