// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import ConfigModel
internal import Synchronization

/// The sorted keys of a state, sorted at the first request. States with the same keys share them, so that a change of values
/// costs no sort; a few added or removed keys cost a merge.
final class KeyOrder: Sendable {
    private let keys: Mutex<Keys>

    init() { keys = Mutex(.unsorted) }

    /// The order of a state that follows another one.
    ///
    /// - Parameters:
    ///   - former: the order of that state; `nil` if it has no keys.
    ///   - changed: the keys that may have been added or removed, sorted.
    init(after former: KeyOrder?, changing changed: [String]) {
        keys = Mutex(former?.keys.withLock { $0.changing(changed) } ?? .earlier(changed, changed: []))
    }

    /// - Parameter entries: The entries of a state that this order belongs to.
    func keys(of entries: ConfigEntries) -> [String] {
        keys.withLock { keys in
            let sorted = keys.sorted(entries)
            keys = .sorted(sorted)
            return sorted
        }
    }
}

private enum Keys {
    case unsorted
    case sorted([String])
    /// The sorted keys of an earlier state, and the keys that may have been added or removed since.
    case earlier([String], changed: Set<String>)

    /// More changed keys than this are not merged.
    private static let maximumMergedKeys = 1000

    func changing(_ changed: [String]) -> Keys {
        let (known, former): ([String], Set<String>)
        switch self {
        case .unsorted: return self
        case .sorted(let keys): (known, former) = (keys, [])
        case .earlier(let keys, let changed): (known, former) = (keys, changed)
        }
        if former.count + changed.count > Self.maximumMergedKeys { return .unsorted }
        return .earlier(known, changed: former.union(changed))
    }

    func sorted(_ entries: ConfigEntries) -> [String] {
        switch self {
        case .unsorted: break
        case .sorted(let keys): return keys
        case .earlier(let known, let changed):
            let keys = changed.isEmpty ? known : Self.merged(known, changed, in: entries)
            if keys.count == entries.count { return keys }
        }
        return entries.keys.sorted()
    }

    private static func merged(_ known: [String], _ changed: Set<String>, in entries: ConfigEntries) -> [String] {
        var merged: [String] = []
        merged.reserveCapacity(known.count + changed.count)
        var rest = known[...]
        for key in changed.sorted() {
            let place = rest.sortedStart(of: key)
            merged += rest[..<place]
            rest = rest[place...]
            if rest.first == key { rest.removeFirst() }
            if entries[key] != nil { merged.append(key) }
        }
        return merged + rest
    }
}

extension ConfigEntries {
    /// More changed keys than this are not merged: a sort takes as long.
    private static let maximumComparedKeys = 1000

    /// Whether the entries have the keys that other entries had before some keys were changed; `false` if that is not certain.
    func haveSameKeys(as other: ConfigEntries, except changedKeys: [String]) -> Bool {
        count == other.count && changedKeys.count <= Self.maximumComparedKeys
            && changedKeys.allSatisfy { (self[$0] == nil) == (other[$0] == nil) }
    }
}

// Keys are of ASCII, so that their order is that of their bytes.
extension RandomAccessCollection<String> where Index == Int {
    /// The index of a key among sorted keys.
    func sortedIndex(of key: String) -> Int? {
        let index = sortedStart(of: key)
        return index < endIndex && self[index] == key ? index : nil
    }

    /// Those of sorted keys that are below a key; all keys are below the empty one.
    func sortedKeys(below key: String) -> SubSequence {
        if key.isEmpty { return self[...] }
        let start = key + "."
        return self[sortedStart(of: start)...].prefix { $0.utf8.starts(with: start.utf8) }
    }

    /// The index of the first of sorted keys that is not less than a text.
    func sortedStart(of text: String) -> Int {
        lowerBound { $0.utf8.lexicographicallyPrecedes(text.utf8) }
    }
}
