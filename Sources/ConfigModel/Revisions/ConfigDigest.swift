/// A checksum over the live entries of a namespace, which does not depend on their order.
///
/// It is the sum modulo 2^64 of the first eight bytes, big-endian, of SHA-256(key, 0x00, value as RFC 8785 JSON), so
/// that both ends keep it up to date at a cost that depends on the change alone. It detects faults; it is not a signature.
public struct ConfigDigest: Hashable, Sendable {
    /// The sum.
    public private(set) var rawValue: UInt64 = 0

    /// The digest of no entries.
    public init() {}

    /// The digest of these entries.
    public init(_ entries: some Sequence<(key: String, value: EntryValue)>) {
        for (key, value) in entries { insert(value, forKey: key) }
    }

    /// Adds an entry.
    public mutating func insert(_ value: EntryValue, forKey key: String) {
        rawValue &+= Self.summand(key, value)
    }

    /// Removes an entry.
    public mutating func remove(_ value: EntryValue, forKey key: String) {
        rawValue &-= Self.summand(key, value)
    }

    private static func summand(_ key: String, _ value: EntryValue) -> UInt64 {
        var hash = SHA256()
        hash.update(key.utf8)
        hash.update(CollectionOfOne(0))
        hash.update(value.canonicalJSON.utf8)
        return hash.finish().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}

extension ConfigDigest: LosslessStringConvertible {
    /// Sixteen lowercase hexadecimal digits.
    public var description: String { rawValue.hexDigits }

    /// Reads what ``description`` writes; anything else is `nil`.
    public init?(_ text: String) {
        guard let rawValue = UInt64(hexDigits: text) else { return nil }
        self.rawValue = rawValue
    }
}
