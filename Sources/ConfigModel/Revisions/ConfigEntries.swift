internal import HashTreeCollections

/// The entries of a snapshot by key.
///
/// Two states of a configuration share what is the same in both, so that a change costs what it changes, and not
/// what there is.
public struct ConfigEntries: Sendable {
    // Boxed: a change copies a few of the tree's nodes, of which each holds up to 32 entries.
    private var tree = TreeDictionary<String, Box>()

    /// Creates no entries.
    public init() {}

    /// How many entries there are.
    public var count: Int { tree.count }

    /// Whether there are none.
    public var isEmpty: Bool { tree.isEmpty }

    /// The entry of a key; `nil` if there is none.
    public subscript(key: String) -> EntrySnapshot.Entry? {
        get { tree[key]?.entry }
        set { tree[key] = newValue.map(Box.init) }
    }

    /// - Returns: the entry that was there before.
    package mutating func update(_ entry: EntrySnapshot.Entry, forKey key: String) -> EntrySnapshot.Entry? {
        tree.updateValue(Box(entry), forKey: key)?.entry
    }

    /// - Returns: the entry that was there.
    package mutating func remove(_ key: String) -> EntrySnapshot.Entry? {
        tree.removeValue(forKey: key)?.entry
    }

    /// The keys, in no order.
    public var keys: some Collection<String> & Sendable { tree.keys }

    /// The entries without their keys, in no order.
    public var values: some Collection<EntrySnapshot.Entry> { tree.values.lazy.map(\.entry) }

    /// The keys with transformed entries.
    public func mapValues<Value>(_ transform: (EntrySnapshot.Entry) throws -> Value) rethrows -> [String: Value] {
        var values: [String: Value] = Dictionary(minimumCapacity: count)
        for (key, box) in tree { values[key] = try transform(box.entry) }
        return values
    }
}

extension ConfigEntries: Sequence {
    /// Goes through the entries, in no order.
    public func makeIterator() -> some IteratorProtocol<(key: String, value: EntrySnapshot.Entry)> {
        tree.lazy.map { (key: $0.key, value: $0.value.entry) }.makeIterator()
    }
}

extension ConfigEntries: Hashable {}

extension ConfigEntries: ExpressibleByDictionaryLiteral {
    /// Creates entries; the last of duplicate keys wins.
    public init(dictionaryLiteral elements: (String, EntrySnapshot.Entry)...) {
        for (key, entry) in elements { tree[key] = Box(entry) }
    }
}

/// An entry in a place of its own, which states share.
private final class Box: Sendable {
    let entry: EntrySnapshot.Entry

    init(_ entry: EntrySnapshot.Entry) {
        self.entry = entry
    }
}

extension Box: Hashable {
    static func == (left: Box, right: Box) -> Bool {
        left === right || left.entry == right.entry
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(entry)
    }
}
