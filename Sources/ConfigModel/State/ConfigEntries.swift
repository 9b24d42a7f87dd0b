internal import HashTreeCollections

/// The entries of a snapshot by key.
///
/// Two states of a configuration share what is the same in both, so that a change costs what it changes, and not
/// what there is.
public struct ConfigEntries: Sendable {
    private var tree = TreeDictionary<String, ConfigSnapshot.Entry>()

    /// Creates no entries.
    public init() {}

    /// How many entries there are.
    public var count: Int { tree.count }

    /// Whether there are none.
    public var isEmpty: Bool { tree.isEmpty }

    /// The entry of a key; `nil` if there is none.
    public subscript(key: String) -> ConfigSnapshot.Entry? {
        get { tree[key] }
        set { tree[key] = newValue }
    }

    /// Changes the value of a key.
    ///
    /// - Returns: the entry that was there before.
    package mutating func update(_ entry: ConfigSnapshot.Entry, forKey key: String) -> ConfigSnapshot.Entry? {
        tree.updateValue(entry, forKey: key)
    }

    /// Removes a key.
    ///
    /// - Returns: the entry that was there.
    package mutating func remove(_ key: String) -> ConfigSnapshot.Entry? {
        tree.removeValue(forKey: key)
    }

    /// The keys, in no order.
    public var keys: some Collection<String> & Sendable { tree.keys }

    /// The entries without their keys, in no order.
    public var values: some Collection<ConfigSnapshot.Entry> { tree.values }

    /// The keys with something else than the entries.
    public func mapValues<Value>(_ transform: (ConfigSnapshot.Entry) throws -> Value) rethrows -> [String: Value] {
        var values: [String: Value] = Dictionary(minimumCapacity: count)
        for (key, entry) in tree { values[key] = try transform(entry) }
        return values
    }
}

extension ConfigEntries: Sequence {
    /// Goes through the entries, in no order.
    public func makeIterator() -> some IteratorProtocol<(key: String, value: ConfigSnapshot.Entry)> {
        tree.makeIterator()
    }
}

extension ConfigEntries: Hashable {}

extension ConfigEntries: ExpressibleByDictionaryLiteral {
    /// Creates entries; a key may stand only once.
    public init(dictionaryLiteral elements: (String, ConfigSnapshot.Entry)...) {
        for (key, entry) in elements { tree[key] = entry }
    }
}
