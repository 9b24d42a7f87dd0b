// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The keys that a filter finds, or all, in an order other than by name, found a slice at a time.
struct KeyListing: Sendable {
    let ranking: KeyRanking
    /// The keys found so far.
    private(set) var found: RankedKeys
    /// The places of the keys to look at, sorted by name; `nil` for all.
    private let candidates: [Int32]?
    private var next = 0
    /// Keys that have changed while others were still to be looked at.
    private var changed: Set<String> = []

    /// The number of keys in one step: the first takes about half a millisecond, so that the input is shown at once; later
    /// ones take a few, with time for a key press between two frames. For a single letter they are six times as many.
    static let slices = (first: 4096, next: 16_384)
    /// A step with a costly regular expression ends after so many of its visits.
    private static let maximumVisits = 200_000
    /// With more changed keys than this, starting again is faster.
    private static let maximumChangedKeys = 64

    /// - Parameter former: the listing before, whose keys are the only ones to look at if the query has become narrower.
    init(_ ranking: KeyRanking, among keys: [String], after former: KeyListing? = nil) {
        self.ranking = ranking
        guard let former, let query = ranking.query, let before = former.ranking.query, query.narrows(before),
            former.changed.isEmpty
        else {
            (found, candidates) = (RankedKeys(among: keys), nil)
            return
        }
        found = RankedKeys(among: former.found)
        candidates = former.isComplete ? former.found.places : former.candidates
    }

    private var count: Int { candidates?.count ?? found.sortedCount }
    /// Whether every key has been looked at.
    var isComplete: Bool { next == count }

    /// Looks at the next keys.
    mutating func continueWork(in entries: ConfigEntries) {
        let slice = (next == 0 ? Self.slices.first : Self.slices.next) * (ranking.query?.isLetter == true ? 6 : 1)
        let end = min(next + slice, count)
        var (items, work) = ([RankedKeys.Item](), 0)
        items.reserveCapacity(end - next)
        while next < end, work < Self.maximumVisits {
            let place = candidates?[next] ?? Int32(next)
            if let rank = rank(of: found.name(at: place), in: entries, work: &work) {
                items.append(RankedKeys.Item(rank: rank, place: place))
            }
            next += 1
        }
        found.append(items)
        if isComplete, !changed.isEmpty { apply(in: entries) }
    }

    /// Applies added, changed and removed keys.
    ///
    /// - Returns: whether it did; if too many keys have changed, starting again is faster.
    mutating func update(_ keys: [String], in entries: ConfigEntries) -> Bool {
        guard changed.count + keys.count <= Self.maximumChangedKeys else { return false }
        changed.formUnion(keys)
        if isComplete { apply(in: entries) }
        return true
    }

    private mutating func apply(in entries: ConfigEntries) {
        var work = 0
        for key in changed { found.set(rank(of: key, in: entries, work: &work), of: key) }
        changed = []
    }

    private func rank(of key: String, in entries: ConfigEntries, work: inout Int) -> Int? {
        if !changed.isEmpty, changed.contains(key), entries[key] == nil { return nil }
        return ranking.rank(of: key, in: entries, work: &work)
    }
}
