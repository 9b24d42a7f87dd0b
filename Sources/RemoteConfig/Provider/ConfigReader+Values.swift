// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Configuration

// swift-configuration has getters of texts, numbers, Booleans and arrays of these. Here is one for every other `Codable` type,
// from whichever provider: of a `RemoteConfigProvider` its value, of another provider a string of JSON.

extension ConfigReader {
    /// Reads the value of a key as any `Codable` type, such as a structure or an array of them.
    ///
    /// ```swift
    /// struct MenuItem: Codable { var title: String; var url: URL }
    ///
    /// let config = ConfigReader(provider: RemoteConfigProvider(service: service))
    /// let menu = try config.value(forKey: "app.menu", as: [MenuItem].self) ?? []
    /// ```
    ///
    /// - Returns: the value; `nil` if no provider has one.
    /// - Throws: `typeMismatch` if the value is of another type.
    public func value<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) throws(ConfigModel.ConfigError) -> Value? {
        try JSONText.value(of: key) {
            string(forKey: key, as: JSONText.self, isSecret: isSecret, fileID: fileID, line: line)
        }
    }

    /// Reads the value of a key as any `Codable` type; the default if no provider has one, or it is of another type.
    public func value<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        default defaultValue: @autoclosure () -> Value,
        fileID: String = #fileID,
        line: UInt = #line
    ) -> Value {
        JSONText.value(of: key, default: defaultValue) {
            string(forKey: key, as: JSONText.self, isSecret: isSecret, fileID: fileID, line: line)
        }
    }

    /// Fetches the value of a key as any `Codable` type.
    ///
    /// - Returns: the value; `nil` if no provider has one.
    /// - Throws: `typeMismatch` if the value is of another type, or the error of a provider.
    public func fetchValue<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) async throws -> Value? {
        let text = try await JSONRequest.with(JSONRequest(reading: type)) {
            try await fetchString(forKey: key, as: JSONText.self, isSecret: isSecret, fileID: fileID, line: line)
        }
        // Not as an optional, which is another type.
        return try text.map { text throws(ConfigModel.ConfigError) -> Value in try text.value(of: key) }
    }

    /// Watches the value of a key as any `Codable` type: the current value, and each one that follows; `nil` while no
    /// provider has one, and a failure while it is of another type.
    public func watchValue<Value: Codable & Sendable, Return>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line,
        updatesHandler: (
            _ updates: ConfigUpdatesAsyncSequence<Result<Value?, ConfigModel.ConfigError>, Never>
        ) async throws -> Return
    ) async throws -> Return {
        try await JSONRequest.with(JSONRequest(reading: type)) {
            try await watchString(forKey: key, isSecret: isSecret, fileID: fileID, line: line) {
                (updates: ConfigUpdatesAsyncSequence<JSONText?, Never>) in
                let values = updates.map { text in
                    Result { () throws(ConfigModel.ConfigError) -> Value? in
                        try text.map { text throws(ConfigModel.ConfigError) -> Value in try text.value(of: key) }
                    }
                }
                // What the handler reads itself is another matter.
                return try await JSONRequest.with(nil) { try await updatesHandler(ConfigUpdatesAsyncSequence(values)) }
            }
        }
    }
}

extension ConfigSnapshotReader {
    /// Reads the value of a key as any `Codable` type.
    ///
    /// - Returns: the value; `nil` if no provider has one.
    /// - Throws: `typeMismatch` if the value is of another type.
    public func value<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) throws(ConfigModel.ConfigError) -> Value? {
        try JSONText.value(of: key) {
            string(forKey: key, as: JSONText.self, isSecret: isSecret, fileID: fileID, line: line)
        }
    }

    /// Reads the value of a key as any `Codable` type; the default if no provider has one, or it is of another type.
    public func value<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        default defaultValue: @autoclosure () -> Value,
        fileID: String = #fileID,
        line: UInt = #line
    ) -> Value {
        JSONText.value(of: key, default: defaultValue) {
            string(forKey: key, as: JSONText.self, isSecret: isSecret, fileID: fileID, line: line)
        }
    }
}

extension JSONRequest {
    /// Requests a value of a type.
    fileprivate convenience init<Value: Decodable & Sendable>(reading type: Value.Type) {
        self.init(readsBranches: !EntrySnapshot.isOfOneKey(type)) { _ = try ValueDecoder($0).decode(type) }
    }
}

/// The answer of a provider to a ``JSONRequest``.
private struct JSONText: ExpressibleByConfigString {
    let description: String

    init?(configString: String) { description = configString }

    /// Reads a value, which a string of a provider that knows no JSON may be in one way or another.
    func value<Value: Decodable>(of key: ConfigKey) throws(ConfigModel.ConfigError) -> Value {
        let values = JSONRequest.values(of: description)
        for value in values {
            // The error would contain the value, which may be secret.
            if let decoded = try? ValueDecoder(value).decode(Value.self) { return decoded }
        }
        let found = values.first?.kindName.withArticle ?? "no value"
        let message = "expected a value of the type \(Value.self), found \(found)"
        throw ConfigModel.ConfigError(.typeMismatch, message, key: key.components.joined(separator: "."))
    }

    static func value<Value: Decodable & Sendable>(
        of key: ConfigKey,
        _ read: () -> JSONText?
    ) throws(ConfigModel.ConfigError) -> Value? {
        guard let text = JSONRequest.with(JSONRequest(reading: Value.self), read) else { return nil }
        return try text.value(of: key) as Value
    }

    static func value<Value: Decodable & Sendable>(
        of key: ConfigKey,
        default defaultValue: () -> Value,
        _ read: () -> JSONText?
    ) -> Value {
        // The provider has reported the error.
        let found: Value? = try? value(of: key, read)
        return found ?? defaultValue()
    }
}
