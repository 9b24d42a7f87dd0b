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

        /// Creates an entry from its parts.
        package init(value: ConfigValue, source: String, location: TextLocation? = nil, changedAt: Timestamp) {
            self.value = value
            self.source = source
            self.location = location
            self.changedAt = changedAt
        }
    }

    /// How many different states came before this one in this process; 0 is the empty state before the first.
    public internal(set) var revision: UInt64
    /// The entries by key.
    public internal(set) var entries: ConfigEntries
    /// Where in the history of a server this state stands; `nil` where it came from no server.
    public internal(set) var cursor: Cursor?
    /// The digest of the entries, where they came from a server.
    public internal(set) var digest: ConfigDigest?

    /// The state before anything is known.
    public static let empty = ConfigSnapshot(revision: 0, entries: [:])
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
