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
        try valueNow(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
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
        // The provider has reported the error.
        (try? valueNow(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)) ?? defaultValue()
    }
}

extension ConfigSnapshotReader {
    /// Reads the value of a key in the snapshot, as any `Codable` type.
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
        try valueNow(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
    }

    /// Reads the value of a key in the snapshot; the default if no provider has one, or it is of another type.
    public func value<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type = Value.self,
        isSecret: Bool = false,
        default defaultValue: @autoclosure () -> Value,
        fileID: String = #fileID,
        line: UInt = #line
    ) -> Value {
        // The provider has reported the error.
        (try? valueNow(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)) ?? defaultValue()
    }
}

/// A reader, or a snapshot of one.
private protocol ImmediateReader {
    func string<Value: ExpressibleByConfigString>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        fileID: String,
        line: UInt
    ) -> Value?
}

extension ConfigReader: ImmediateReader {}

extension ConfigSnapshotReader: ImmediateReader {}

extension ImmediateReader {
    fileprivate func valueNow<Value: Codable & Sendable>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        fileID: String,
        line: UInt
    ) throws(ConfigModel.ConfigError) -> Value? {
        let text = JSONRequest.with(JSONRequest(reading: type)) {
            string(forKey: key, as: JSONAnswer.self, isSecret: isSecret, fileID: fileID, line: line)
        }
        return try text?.value(of: key, as: type)
    }
}

extension ConfigReader {
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
            try await fetchString(forKey: key, as: JSONAnswer.self, isSecret: isSecret, fileID: fileID, line: line)
        }
        return try text?.value(of: key, as: type)
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
                (updates: ConfigUpdatesAsyncSequence<JSONAnswer?, Never>) in
                let values = updates.map { text in
                    Result { () throws(ConfigModel.ConfigError) in try text?.value(of: key, as: type) }
                }
                // The reads of the handler are separate requests.
                return try await JSONRequest.with(nil) { try await updatesHandler(ConfigUpdatesAsyncSequence(values)) }
            }
        }
    }
}

extension JSONRequest {
    /// Requests a value of a type.
    fileprivate convenience init<Value: Decodable & Sendable>(reading type: Value.Type) {
        self.init(EntrySnapshot.isOfOneKey(type) ? .valueOfOneKey : .value) { _ = try ValueDecoder($0).decode(type) }
    }
}

/// The answer of a provider to a ``JSONRequest``.
private struct JSONAnswer: ExpressibleByConfigString {
    let description: String

    init?(configString: String) { description = configString }

    /// Reads a value. A string of a provider without JSON may be a string, or JSON.
    func value<Value: Decodable>(of key: ConfigKey, as type: Value.Type) throws(ConfigModel.ConfigError) -> Value {
        let values = JSONRequest.values(of: description)
        for value in values {
            // The error would contain the value, which may be secret.
            if let decoded = try? ValueDecoder(value).decode(type) { return decoded }
        }
        let found = values.first?.kindName.withArticle ?? "no value"
        let message = "expected a value of the type \(type), found \(found)"
        throw ConfigModel.ConfigError(.typeMismatch, message, key: key.components.joined(separator: "."))
    }
}

/// Read with `config.string(forKey: "app.background.color", as: RGBColor.self)`.
extension RGBColor: ExpressibleByConfigString {
    /// Reads `#RRGGBB`, `RRGGBB` or `#RGB`; `nil` for anything else.
    public init?(configString: String) { self.init(configString) }
}

/// Read with `config.string(forKey: "app.min_version", as: SemanticVersion.self)`.
extension SemanticVersion: ExpressibleByConfigString {
    /// Reads a version by SemVer 2.0.0, such as `1.4.0-rc.1`; `nil` for anything else.
    public init?(configString: String) { self.init(configString) }
}

/// Read with `config.string(forKey: "app.versions", as: VersionRange.self)`.
extension VersionRange: ExpressibleByConfigString {
    /// Reads a range such as `>=1.2.0 <2.0.0`; `nil` for anything else.
    public init?(configString: String) { self.init(configString) }
}
