// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

extension EntryValue {
    /// Writes a value of any `Encodable` type, such as one to publish.
    ///
    /// ```swift
    /// struct MenuItem: Codable { var title: String; var price: Double }
    ///
    /// let menu = try EntryValue(encoding: [MenuItem(title: "Pie", price: 2.5)])
    /// ```
    ///
    /// A `Date` becomes a text by ISO 8601 in UTC, rounded to milliseconds, a `URL` its text, and `Data` a text of Base64.
    /// A value that is `nil` as a whole becomes ``null``, which no key may have.
    ///
    /// - Throws: ``ConfigError``: `unsupportedValue` with the path of a number that is not finite, or an integer beyond
    ///   ``maximumInteger``; `tooLarge` beyond ``maximumBytes`` or ``maximumDepth``.
    public init(encoding value: some Encodable) throws(ConfigError) {
        do {
            self = try ValueEncoder.value(of: value)
        } catch {
            throw ConfigError(.unsupportedValue, CodingFault(error).description, underlying: error)
        }
        guard isWithinMaximumBytes else {
            throw ConfigError(.tooLarge, "the value is larger than \(Self.maximumBytes) bytes")
        }
        guard depth <= Self.maximumDepth else {
            throw ConfigError(.tooLarge, "the value is nested deeper than \(Self.maximumDepth) levels")
        }
    }

    /// How many arrays and objects stand in one another.
    private var depth: Int {
        switch self {
        case .array(let elements): 1 + (elements.lazy.map(\.depth).max() ?? 0)
        case .object(let members): 1 + (members.lazy.map(\.value.depth).max() ?? 0)
        default: 0
        }
    }
}

extension EntrySnapshot {
    /// Reads the value of a key as any `Decodable` type.
    ///
    /// ```swift
    /// struct MenuItem: Codable { var title: String; var url: URL }
    ///
    /// let menu = try service.state.current.snapshot.value(forKey: "app.menu", as: [MenuItem].self) ?? []
    /// ```
    ///
    /// A key that is a branch, as every object of a plain document is, is read as ``value(ofBranch:as:)`` does. A member of an
    /// object that the type does not know is passed over. A `Date` is a text by ISO 8601, a `URL` a text that
    /// is an ``AbsoluteURL``, and `Data` a text of Base64. A type that reads values itself (``EntryValueConvertible``) does
    /// so here as well, unless it is part of another type.
    ///
    /// - Returns: the value, or `nil` if the key is not there.
    /// - Throws: ``ConfigError`` with the code `typeMismatch`, the value's place, and the path of what does not fit:
    ///   `config.json:3:5: app.menu: at [2].url: expected a string, found a number`.
    public func value<Value: Decodable>(
        forKey key: String,
        as type: Value.Type = Value.self
    ) throws(ConfigError) -> Value? {
        if let entry = entries[key] { return try entry.decoded(ofKey: key) }
        return try value(ofBranch: key)
    }

    /// Reads the value of a key as a type that reads values itself, and is `Decodable` as well.
    ///
    /// - Returns: the value, or `nil` if the key is not there.
    /// - Throws: ``ConfigError`` with the code `typeMismatch` and the value's place.
    public func value<Value: EntryValueConvertible & Decodable>(
        forKey key: String,
        as type: Value.Type = Value.self
    ) throws(ConfigError) -> Value? {
        try entries[key]?.value(ofKey: key)
    }
}

extension EntrySnapshot.Entry {
    /// - Parameter key: the entry's key, for the error.
    func decoded<Value: Decodable>(ofKey key: String, as type: Value.Type = Value.self) throws(ConfigError) -> Value {
        do {
            return try ValueDecoder(value).decode(type)
        } catch {
            throw mismatch(CodingFault(error).description, key: key, underlying: error)
        }
    }

    func mismatch(_ message: String, key: String, underlying: (any Error)? = nil) -> ConfigError {
        ConfigError(.typeMismatch, message, source: source, location: location, key: key, underlying: underlying)
    }
}
