public import Configuration
internal import Foundation

// Any `Codable` type from a string of JSON, named as the library names its own getters.
extension ConfigReader {
    /// The value of a key now, read from a string of JSON;
    /// `nil` if the key is missing or its value malformed.
    public func decoded<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) -> Value? {
        string(forKey: key, as: DecodedJSON<Value>.self, isSecret: isSecret, fileID: fileID, line: line)?.value
    }

    /// The value of a key now, read from a string of JSON;
    /// the default if the key is missing or its value malformed.
    public func decoded<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        default defaultValue: Value,
        fileID: String = #fileID,
        line: UInt = #line
    ) -> Value {
        decoded(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line) ?? defaultValue
    }

    /// The value of a key now, read from a string of JSON;
    /// an error if the key is missing or its value malformed.
    public func requiredDecoded<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) throws -> Value {
        try requiredString(forKey: key, as: DecodedJSON<Value>.self, isSecret: isSecret, fileID: fileID, line: line)
            .value
    }
}

// The same after the sources have been asked.
extension ConfigReader {
    /// The value of a key after the providers have asked their sources, read from a string of JSON;
    /// `nil` if the key is missing, and an error if its value is malformed, as with all that fetches.
    public func fetchDecoded<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) async throws -> Value? {
        try await fetchString(forKey: key, as: DecodedJSON<Value>.self, isSecret: isSecret, fileID: fileID, line: line)?
            .value
    }

    /// The value of a key after the providers have asked their sources, read from a string of JSON;
    /// the default if the key is missing, and an error if its value is malformed, as with all that fetches.
    public func fetchDecoded<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        default defaultValue: Value,
        fileID: String = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        try await fetchDecoded(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line) ?? defaultValue
    }

    /// The value of a key after the providers have asked their sources, read from a string of JSON;
    /// an error if the key is missing or its value malformed.
    public func fetchRequiredDecoded<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) async throws -> Value {
        let json = DecodedJSON<Value>.self
        return try await fetchRequiredString(forKey: key, as: json, isSecret: isSecret, fileID: fileID, line: line)
            .value
    }
}

// The same for as long as the values are watched.
extension ConfigReader {
    /// Hands over the value of a key now and each that follows, read from strings of JSON;
    /// `nil` if the key is missing or its value malformed.
    public func watchDecoded<Value: Codable & Sendable, Return: ~Copyable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line,
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<Value?, Never>) async throws -> Return
    ) async throws -> Return {
        let json = DecodedJSON<Value>.self
        return try await watchString(forKey: key, as: json, isSecret: isSecret, fileID: fileID, line: line) {
            try await updatesHandler(ConfigUpdatesAsyncSequence($0.map { $0?.value }))
        }
    }

    /// Hands over the value of a key now and each that follows, read from strings of JSON;
    /// the default if the key is missing or its value malformed.
    public func watchDecoded<Value: Codable & Sendable, Return: ~Copyable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        default defaultValue: Value,
        fileID: String = #fileID,
        line: UInt = #line,
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<Value, Never>) async throws -> Return
    ) async throws -> Return {
        let json = DecodedJSON<Value>.self
        return try await watchString(forKey: key, as: json, isSecret: isSecret, fileID: fileID, line: line) {
            try await updatesHandler(ConfigUpdatesAsyncSequence($0.map { $0?.value ?? defaultValue }))
        }
    }

    /// Hands over the value of a key now and each that follows, read from strings of JSON;
    /// an error if the key is missing or its value malformed.
    public func watchRequiredDecoded<Value: Codable & Sendable, Return: ~Copyable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line,
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<Value, any Error>) async throws -> Return
    ) async throws -> Return {
        let json = DecodedJSON<Value>.self
        return try await watchRequiredString(forKey: key, as: json, isSecret: isSecret, fileID: fileID, line: line) {
            try await updatesHandler(ConfigUpdatesAsyncSequence($0.map { $0.value }))
        }
    }
}

/// A value of any `Codable` type that a configuration holds as a string of JSON.
///
/// ``Configuration/ConfigReader/decoded(forKey:as:isSecret:fileID:line:)`` and its relatives read one; this type is for
/// what they leave out, such as arrays and snapshots.
///
/// ```swift
/// let banner = config.snapshot().string(forKey: "app.banner", as: DecodedJSON<Banner>.self)?.value
/// ```
public struct DecodedJSON<Value: Codable & Sendable>: Sendable {
    /// The value.
    public let value: Value

    /// Takes over a value.
    public init(_ value: Value) {
        self.value = value
    }
}

extension DecodedJSON: ExpressibleByConfigString {
    /// Reads JSON with Foundation's decoder; `nil` if it is none, or not of this type.
    public init?(configString: String) {
        guard let value = try? JSONDecoder().decode(Value.self, from: Data(configString.utf8)) else { return nil }
        self.value = value
    }

    /// The value as JSON with its keys in order; the type's name if it cannot be written.
    public var description: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let json = try? encoder.encode(value)
        return json.map { String(decoding: $0, as: UTF8.self) } ?? String(describing: Value.self)
    }
}
