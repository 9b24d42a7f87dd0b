// SPDX-License-Identifier: Apache-2.0

internal import HashTreeCollections

/// The entries of a snapshot by key.
///
/// The entries of the last full read stay unchanged, and later changes overlay them. Two states of a configuration share their
/// common part, so that the cost of a change does not depend on the number of entries.
package struct ConfigEntries: Sendable {
    private var base = KeyedValues<ConfigEntry>()
    private var changes = TreeDictionary<ExactString, Change>()

    /// The number of entries.
    package private(set) var count = 0

    /// Creates no entries.
    package init() {}

    package init(_ entries: KeyedValues<ConfigEntry>) { (base, count) = (entries, entries.count) }

    /// Whether there are none.
    package var isEmpty: Bool { count == 0 }

    /// The entry of a key; `nil` if there is none.
    package subscript(key: String) -> ConfigEntry? {
        get {
            if !changes.isEmpty, let change = changes[ExactString(key)] { return change.entry }
            return base[key]
        }
        set {
            count += (newValue == nil ? 0 : 1) - (self[key] == nil ? 0 : 1)
            let isGone = newValue == nil && base.index(of: key) == nil
            changes[ExactString(key)] = isGone ? nil : Change(to: newValue)
            // So rarely that the amortized cost is that of one change.
            if changes.count > Swift.max(64, base.count / 2) { self = ConfigEntries(joined) }
        }
    }

    /// Replaces the entries of keys, all of them at once where they are many.
    package mutating func replace(_ entries: [(key: String, entry: ConfigEntry?)]) {
        guard entries.count > count / 8, entries.allSatisfy({ $0.entry != nil }) else {
            for (key, entry) in entries { self[key] = entry }
            return
        }
        var joined = joined
        for case (let key, let entry?) in entries { joined.update(entry, forKey: key) }
        self = ConfigEntries(joined)
    }

    /// Replaces the places of the entries.
    mutating func moveEach(_ moved: (TextLocation) -> TextLocation) {
        func move(_ entry: ConfigEntry) -> ConfigEntry {
            var entry = entry
            entry.location = entry.location.map(moved)
            return entry
        }
        base = base.replacing(with: base.values.map(move))
        changes = changes.mapValues { Change(to: $0.entry.map(move)) }
    }

    /// All entries, as if they were read at once.
    var joined: KeyedValues<ConfigEntry> {
        if changes.isEmpty { return base }
        var joined = KeyedValues<ConfigEntry>()
        for (key, entry) in self { joined.update(entry, forKey: key) }
        return joined
    }

    /// The keys, in no order.
    package var keys: some Collection<String> & Sendable { changes.isEmpty ? base.keys : map(\.key) }

    /// The entries without their keys, in no order.
    package var values: some Collection<ConfigEntry> { changes.isEmpty ? base.values : map(\.value) }

    /// The keys with transformed entries.
    package func mapValues<Value>(_ transform: (ConfigEntry) throws -> Value) rethrows -> [String: Value] {
        var values: [String: Value] = Dictionary(minimumCapacity: count)
        for (key, entry) in self { values[key] = try transform(entry) }
        return values
    }
}

extension ConfigEntries {
    /// The keys whose values are not those of other entries, sorted.
    package func keys(differingFrom other: ConfigEntries) -> [String] {
        let added = keys.filter { self[$0]?.value != other[$0]?.value }
        return (added + other.keys.filter { self[$0] == nil }).sorted()
    }
}

extension ConfigEntries {
    /// Finds one key after another, immediately if they are requested in order.
    struct Search {
        private let entries: KeyedValues<ConfigEntry>
        private var next = 0

        init(_ entries: ConfigEntries) { self.entries = entries.joined }

        mutating func entry(of key: String) -> ConfigEntry? {
            let isNext = next < entries.count && entries.keys[next].hasSameScalars(as: key)
            guard let index = isNext ? next : entries.index(of: key) else { return nil }
            next = index + 1
            return entries.values[index]
        }
    }
}

extension ConfigEntries: Sequence {
    /// Iterates over the entries, unordered.
    package struct Iterator: IteratorProtocol {
        private let base: KeyedValues<ConfigEntry>
        private let changes: TreeDictionary<ExactString, Change>
        private var position = 0
        private var rest: TreeDictionary<ExactString, Change>.Iterator

        fileprivate init(_ base: KeyedValues<ConfigEntry>, _ changes: TreeDictionary<ExactString, Change>) {
            (self.base, self.changes) = (base, changes)
            rest = changes.makeIterator()
        }

        /// The next entry with its key; `nil` at the end.
        package mutating func next() -> (key: String, value: ConfigEntry)? {
            while position < base.count {
                let index = position
                position += 1
                if !changes.isEmpty, changes[ExactString(base.keys[index])] != nil { continue }
                return (base.keys[index], base.values[index])
            }
            while let (key, change) = rest.next() {
                if let entry = change.entry { return (key.string, entry) }
            }
            return nil
        }
    }

    /// Iterates over the entries, unordered.
    package func makeIterator() -> Iterator { Iterator(base, changes) }

    /// The number of entries.
    package var underestimatedCount: Int { count }
}

extension ConfigEntries: Hashable {
    /// Equal when they have the same entries.
    package static func == (left: ConfigEntries, right: ConfigEntries) -> Bool {
        if left.changes.isEmpty, right.changes.isEmpty { return left.base == right.base }
        return left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }

    /// Hashes what equality compares.
    package func hash(into hasher: inout Hasher) { hasher.combine(joined) }
}

extension ConfigEntries: ExpressibleByDictionaryLiteral {
    /// Creates entries; the last of duplicate keys wins.
    package init(dictionaryLiteral elements: (String, ConfigEntry)...) {
        self.init()
        for (key, entry) in elements { self[key] = entry }
    }
}

/// The current entry, if it still exists; stored separately and shared among states: a further change copies only a few nodes
/// of the tree, each with up to 32 of these.
private final class Change: Sendable {
    let entry: ConfigEntry?

    init(to entry: ConfigEntry?) { self.entry = entry }
}
