/// The whole configuration at one moment; it never changes.
public struct ConfigSnapshot: Hashable, Sendable {
    /// A value, where it came from and since when it has been what it is.
    public struct Entry: Hashable, Sendable {
        /// The value.
        public var value: ConfigValue
        /// The name of the source, such as `config.json`.
        public var source: String
        /// Where the value stands in the source, if the source is a text.
        public var location: TextLocation?
        /// When the value was first seen.
        public var changedAt: Timestamp
    }

    /// How many different states came before this one in this process; 0 is the empty state before the first.
    public private(set) var revision: UInt64
    /// The entries by key.
    public private(set) var entries: [String: Entry]

    /// The state before anything is known.
    public static let empty = ConfigSnapshot(revision: 0, entries: [:])

    /// The state that follows this one when a document is read.
    ///
    /// - Parameters:
    ///   - document: what the source holds now.
    ///   - source: the source's name.
    ///   - now: the time of reading, from which changed entries count.
    /// - Returns: the new state, and the keys whose value was added, changed or removed, sorted. Without such
    ///   keys the revision stays as it is.
    public func updated(
        with document: ConfigDocument,
        from source: String,
        at now: Timestamp
    ) -> (snapshot: ConfigSnapshot, changedKeys: [String]) {
        var changedKeys = entries.keys.filter { document.entries[$0] == nil }
        var next = self
        next.entries = [:]
        for (key, read) in document.entries {
            let known = entries[key]
            let isSame = known?.value == read.value
            if !isSame { changedKeys.append(key) }
            next.entries[key] = Entry(
                value: read.value,
                source: source,
                location: read.location,
                changedAt: isSame ? known?.changedAt ?? now : now
            )
        }
        if !changedKeys.isEmpty { next.revision += 1 }
        return (next, changedKeys.sorted())
    }
}

extension ConfigSnapshot {
    /// Reads the value of a key as a type.
    ///
    /// - Returns: the value, or `nil` if the key is not there.
    /// - Throws: ``ConfigError`` with the code `typeMismatch` and the value's place, if the key is there but
    ///   its value cannot be read as the type.
    public func value<Value: ConfigValueConvertible>(
        forKey key: String,
        as type: Value.Type = Value.self
    ) throws(ConfigError) -> Value? {
        guard let entry = entries[key] else { return nil }
        if let value = Value(configValue: entry.value) { return value }
        throw mismatch(of: entry, key: key, expected: Value.configTypeName)
    }

    private func mismatch(of entry: Entry, key: String, expected: String) -> ConfigError {
        let message = "\(entry.value.shown) is no \(expected)"
        return ConfigError(.typeMismatch, message, source: entry.source, location: entry.location, key: key)
    }
}

extension ConfigValue {
    /// The beginning of a text in quotes, or the kind of any other value.
    fileprivate var shown: String {
        if case .string(let text) = self { return "\"\(text.excerpt(ofScalars: 40))\"" }
        let startsWithVowel = kindName.first.map("aeiou".contains) ?? false
        return (startsWithVowel ? "an " : "a ") + kindName
    }
}
