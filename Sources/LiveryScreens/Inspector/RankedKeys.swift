// SPDX-License-Identifier: Apache-2.0

import Basics

/// A key and its place in an order: lower ranks come first, and keys of one rank by name.
struct RankedKey: Hashable, Comparable, Sendable {
    var rank = 0
    var key: String

    static func < (left: RankedKey, right: RankedKey) -> Bool {
        left.rank == right.rank ? left.key < right.key : left.rank < right.rank
    }
}

/// Keys by their names and by their ranks.
///
/// The lists have the places of keys among the names, and not the keys: nothing is counted when they are copied, sorted or freed.
struct RankedKeys: Sendable {
    /// A key by its place among the names.
    struct Item: Sendable {
        var rank: Int
        var place: Int32
    }

    /// All keys that may be here, sorted, and after them the keys that were added later.
    private var names: [String]
    /// The number of the sorted names.
    let sortedCount: Int
    private var byName: [Item] = []
    private var byRank: [Item] = []

    /// None of these keys yet.
    ///
    /// - Parameter names: sorted.
    init(among names: [String]) { (self.names, sortedCount) = (names, names.count) }

    /// None of the keys of another list yet.
    init(among other: RankedKeys) { (names, sortedCount) = (other.names, other.sortedCount) }

    var count: Int { byRank.count }
    /// The places of the keys, sorted by name.
    var places: [Int32] { byName.map(\.place) }

    /// The key of a row, in the order of ranks.
    subscript(row: Int) -> RankedKey { key(byRank[row]) }

    func name(at place: Int32) -> String { names[Int(place)] }

    private func key(_ item: Item) -> RankedKey { RankedKey(rank: item.rank, key: name(at: item.place)) }

    /// Adds keys that come after all others by name, sorted by name.
    mutating func append(_ items: [Item]) {
        byName += items
        // Sorts are stable, so that names are not compared.
        let sorted = items.sorted { $0.rank < $1.rank }
        if byRank.last.map({ $0.rank <= sorted.first?.rank ?? $0.rank }) != false { return byRank += sorted }
        var merged: [Item] = []
        merged.reserveCapacity(byRank.count + sorted.count)
        var next = 0
        for item in byRank {
            while next < sorted.count, sorted[next].rank < item.rank {
                merged.append(sorted[next])
                next += 1
            }
            merged.append(item)
        }
        byRank = merged + sorted[next...]
    }

    /// Gives a key another rank, adds it, or removes it if it has none.
    mutating func set(_ rank: Int?, of key: String) {
        let index = index(of: key)
        let known = index < byName.count && name(at: byName[index].place) == key ? byName[index] : nil
        guard known?.rank != rank else { return }
        if let known {
            byRank.remove(at: row(of: self.key(known)))
            byName.remove(at: index)
        }
        guard let rank else { return }
        let item = Item(rank: rank, place: known?.place ?? place(of: key))
        byName.insert(item, at: index)
        byRank.insert(item, at: row(of: self.key(item)))
    }

    /// The place of a key among the names, to which it is added if it is new.
    private mutating func place(of key: String) -> Int32 {
        let place = names[..<sortedCount].lowerBound { $0 < key }
        if place < sortedCount, names[place] == key { return Int32(place) }
        if let place = names[sortedCount...].firstIndex(of: key) { return Int32(place) }
        names.append(key)
        return Int32(names.count - 1)
    }

    private func index(of key: String) -> Int { byName.lowerBound { name(at: $0.place) < key } }

    /// The rank of a key; `nil` if it is not here.
    func rank(of key: String) -> Int? {
        let index = index(of: key)
        return index < byName.count && name(at: byName[index].place) == key ? byName[index].rank : nil
    }

    /// The row of a key; of the next one, if it is not here.
    func row(of key: RankedKey) -> Int { byRank.lowerBound { self.key($0) < key } }

    /// The first row whose rank is not below another one.
    func row(ofRank rank: Int) -> Int { byRank.lowerBound { $0.rank < rank } }

    /// The key after another one, or before it; after the last one comes the first. There must be one.
    ///
    /// - Parameter isByName: whether the order is that of the names, and not that of the ranks.
    func neighbor(of here: RankedKey, byName isByName: Bool, forward: Bool) -> RankedKey {
        let items = isByName ? byName : byRank
        let next = items.lowerBound { item in
            let key = key(item)
            return (isByName ? key.key < here.key : key < here) || forward && key.key == here.key
        }
        return key(items[(next + (forward ? 0 : items.count - 1)) % items.count])
    }
}
