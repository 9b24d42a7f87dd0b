// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Synchronization

/// The keys of a state in their order, worked out when somebody asks.
///
/// An order follows from the one before it and the keys that have changed since: so a change costs little among however
/// many keys, and a program that never asks pays nothing.
package final class KeyOrder: Sendable {
    private let keys: Mutex<OrderedKeys>

    private init(_ keys: OrderedKeys) { self.keys = Mutex(keys) }

    convenience init(of entries: ConfigEntries) {
        self.init(OrderedKeys(known: entries.isEmpty ? [] : nil))
    }

    /// The order of the state that follows.
    ///
    /// - Parameters:
    ///   - changedKeys: the keys that were added, changed or removed, sorted.
    ///   - entries: the entries of that state.
    func following(_ changedKeys: [String], in entries: ConfigEntries) -> KeyOrder {
        var next = keys.withLock(\.self)
        next.note(changedKeys)
        if next.isCrowded { next.settle(for: entries) }
        return KeyOrder(next)
    }

    /// The keys of the entries that this order belongs to.
    func keys(of entries: ConfigEntries) -> [String] {
        keys.withLock { keys in
            keys.settle(for: entries)
            return keys.known ?? []
        }
    }
}

extension KeyOrder: Hashable {
    /// An order says nothing that the entries do not say.
    package static func == (left: KeyOrder, right: KeyOrder) -> Bool { true }

    /// Hashes nothing; see `==`.
    package func hash(into hasher: inout Hasher) {}
}

/// Sorted keys of some state, and what has changed since.
private struct OrderedKeys {
    /// `nil` if nobody has asked yet.
    private(set) var known: [String]?
    /// The keys that changed, state by state, each time sorted.
    private var changes: [[String]] = []

    private static let mostChanges = 64

    init(known: [String]?) { self.known = known }

    /// Whether what has changed is to be worked in before more of it is kept.
    var isCrowded: Bool {
        changes.count > Self.mostChanges || changes.reduce(0) { $0 + $1.count } > (known ?? []).count
    }

    mutating func note(_ changedKeys: [String]) {
        // An order that nobody has asked for is worked out from the entries when somebody does.
        if known != nil, !changedKeys.isEmpty { changes.append(changedKeys) }
    }

    /// Works in what has changed.
    mutating func settle(for entries: ConfigEntries) {
        guard let known else {
            self.known = entries.keys.sorted()
            return
        }
        guard let first = changes.first else { return }
        let changed = changes.count == 1 ? first : Set(changes.joined()).sorted()
        changes = []
        // All keys of a first state are new.
        self.known = known.isEmpty && changed.count == entries.count ? changed : known.updated(changed, entries)
    }
}

extension [String] {
    /// Sorted keys without those that are gone, and with those that are new.
    fileprivate func updated(_ changed: [String], _ entries: ConfigEntries) -> [String] {
        var moved: [(place: Int, key: String, isNew: Bool)] = []
        var place = 0
        for key in changed {
            place = firstIndex(notBelow: key, from: place)
            let isKnown = place < count && self[place] == key
            let isThere = entries[key] != nil
            if isKnown != isThere { moved.append((place, key, isThere)) }
        }
        if moved.isEmpty { return self }
        var result: [String] = []
        result.reserveCapacity(entries.count)
        var end = 0
        for (place, key, isNew) in moved {
            result += self[end..<place]
            if isNew { result.append(key) }
            end = isNew ? place : place + 1
        }
        return result + self[end...]
    }

    /// The first place from a given one on whose key is not below this one; in steps that grow, since it is often near.
    private func firstIndex(notBelow key: String, from start: Int) -> Int {
        var (low, step) = (start, 1)
        while low + step <= count, self[low + step - 1] < key {
            low += step
            step *= 2
        }
        var high = Swift.min(low + step, count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
