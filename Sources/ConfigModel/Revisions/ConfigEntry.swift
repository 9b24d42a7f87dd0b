// SPDX-License-Identifier: Apache-2.0

/// A value, its origin and the time of its last change.
public struct ConfigEntry: Hashable, Sendable {
    /// The value.
    public var value: EntryValue
    /// The place of the value in the source, if the source is a text.
    public var location: TextLocation?
    /// The name of the source, such as `config.json`.
    public var source: String
    /// The time at which the value was first seen.
    public var changedAt: Timestamp

    /// Creates an entry from its parts.
    public init(value: EntryValue, source: String, location: TextLocation? = nil, changedAt: Timestamp) {
        self.value = value
        self.source = source
        self.location = location
        self.changedAt = changedAt
    }
}

extension EntrySnapshot {
    /// The value of a key; `nil` if there is none.
    package subscript(key: String) -> EntryValue? { entries[key]?.value }
}

extension ConfigEntry {
    /// Reads the value as any `Decodable` type.
    ///
    /// - Parameter key: the entry's key, for the error.
    /// - Throws: `typeMismatch` with the value's place, and the path of what does not fit.
    package func value<Value: Decodable>(
        ofKey key: String,
        as type: Value.Type = Value.self
    ) throws(ConfigError) -> Value {
        if let plain = value.plain(as: type) { return plain }
        if let scalar = type as? any CodedScalar.Type {
            if let value = scalar.read(value, as: type) { return value }
            throw mismatch("\(value.shown) is not \(scalar.configTypeName.withArticle)", key: key)
        }
        do {
            return try ValueDecoder(value).decode(type)
        } catch {
            throw mismatch(CodingFault(error).description, key: key, underlying: error)
        }
    }

    package func mismatch(_ message: String, key: String, underlying: (any Error)? = nil) -> ConfigError {
        ConfigError(.typeMismatch, message, source: source, location: location, key: key, underlying: underlying)
    }
}

/// A type whose values may be arrays or objects, and are always the value of one key: never an object that is spread
/// over keys.
private protocol ValueOfOneKey {
    static var isOfOneKey: Bool { get }
}

extension Array: ValueOfOneKey { fileprivate static var isOfOneKey: Bool { true } }

extension Set: ValueOfOneKey { fileprivate static var isOfOneKey: Bool { true } }

extension Optional: ValueOfOneKey {
    fileprivate static var isOfOneKey: Bool { EntrySnapshot.isOfOneKey(Wrapped.self) }
}

extension EntrySnapshot {
    /// Whether values of a type are that of one key, and not made of keys below it, as an object may be.
    package static func isOfOneKey(_ type: Any.Type) -> Bool {
        if type is any CodedScalar.Type || type is any RawRepresentable.Type { return true }
        return (type as? any ValueOfOneKey.Type)?.isOfOneKey ?? false
    }
}
