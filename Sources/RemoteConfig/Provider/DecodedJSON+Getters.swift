// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
public import Configuration

// The getters of strings read a value of JSON from an object of several keys too, as each object of a plain document is. Other
// types do not, so that a text of a provider below is found: to a provider, all of them are strings.

extension ConfigReader {
    /// A value of JSON; `nil` if there is none, or none of the type.
    public func string<Value>(
        forKey key: ConfigKey,
        as type: DecodedJSON<Value>.Type = DecodedJSON<Value>.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) -> DecodedJSON<Value>? {
        BranchReading.$isWanted.withValue(true) {
            text(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
        }
    }

    /// A value of JSON, or the default if there is none of the type.
    public func string<Value>(
        forKey key: ConfigKey,
        as type: DecodedJSON<Value>.Type = DecodedJSON<Value>.self,
        isSecret: Bool = false,
        default defaultValue: DecodedJSON<Value>,
        fileID: String = #fileID,
        line: UInt = #line
    ) -> DecodedJSON<Value> {
        BranchReading.$isWanted.withValue(true) {
            text(forKey: key, as: type, isSecret: isSecret, default: defaultValue, fileID: fileID, line: line)
        }
    }

    /// A value of JSON.
    ///
    /// - Throws: an error if there is none of the type.
    public func requiredString<Value>(
        forKey key: ConfigKey,
        as type: DecodedJSON<Value>.Type = DecodedJSON<Value>.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) throws -> DecodedJSON<Value> {
        try BranchReading.$isWanted.withValue(true) {
            try requiredText(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
        }
    }
}

extension ConfigReader {
    /// A value of JSON, fetched; `nil` if there is none.
    public func fetchString<Value>(
        forKey key: ConfigKey,
        as type: DecodedJSON<Value>.Type = DecodedJSON<Value>.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) async throws -> DecodedJSON<Value>? {
        try await BranchReading.$isWanted.withValue(true) {
            try await fetchText(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
        }
    }

    /// A value of JSON, fetched, or the default if there is none.
    public func fetchString<Value>(
        forKey key: ConfigKey,
        as type: DecodedJSON<Value>.Type = DecodedJSON<Value>.self,
        isSecret: Bool = false,
        default defaultValue: DecodedJSON<Value>,
        fileID: String = #fileID,
        line: UInt = #line
    ) async throws -> DecodedJSON<Value> {
        try await BranchReading.$isWanted.withValue(true) {
            try await fetchText(
                forKey: key,
                as: type,
                isSecret: isSecret,
                default: defaultValue,
                fileID: fileID,
                line: line
            )
        }
    }

    /// A value of JSON, fetched.
    ///
    /// - Throws: an error if there is none of the type.
    public func fetchRequiredString<Value>(
        forKey key: ConfigKey,
        as type: DecodedJSON<Value>.Type = DecodedJSON<Value>.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) async throws -> DecodedJSON<Value> {
        try await BranchReading.$isWanted.withValue(true) {
            try await fetchRequiredText(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
        }
    }
}

extension ConfigReader {
    /// Watches a value of JSON; it is `nil` while there is none.
    public func watchString<Value, Return>(
        forKey key: ConfigKey,
        as type: DecodedJSON<Value>.Type = DecodedJSON<Value>.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line,
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<DecodedJSON<Value>?, Never>) async throws -> Return
    ) async throws -> Return {
        try await BranchReading.$isWanted.withValue(true) {
            try await watchText(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line) { updates in
                // What the handler reads itself is another matter.
                try await BranchReading.$isWanted.withValue(false) { try await updatesHandler(updates) }
            }
        }
    }

    /// Watches a value of JSON; it is the default while there is none.
    public func watchString<Value, Return>(
        forKey key: ConfigKey,
        as type: DecodedJSON<Value>.Type = DecodedJSON<Value>.self,
        isSecret: Bool = false,
        default defaultValue: DecodedJSON<Value>,
        fileID: String = #fileID,
        line: UInt = #line,
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<DecodedJSON<Value>, Never>) async throws -> Return
    ) async throws -> Return {
        try await BranchReading.$isWanted.withValue(true) {
            try await watchText(
                forKey: key,
                as: type,
                isSecret: isSecret,
                default: defaultValue,
                fileID: fileID,
                line: line
            ) { updates in
                // What the handler reads itself is another matter.
                try await BranchReading.$isWanted.withValue(false) { try await updatesHandler(updates) }
            }
        }
    }

    /// Watches a value of JSON; the updates throw while there is none.
    public func watchRequiredString<Value, Return>(
        forKey key: ConfigKey,
        as type: DecodedJSON<Value>.Type = DecodedJSON<Value>.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line,
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<DecodedJSON<Value>, any Error>) async throws -> Return
    ) async throws -> Return {
        try await BranchReading.$isWanted.withValue(true) {
            try await watchRequiredText(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line) {
                updates in
                // What the handler reads itself is another matter.
                try await BranchReading.$isWanted.withValue(false) { try await updatesHandler(updates) }
            }
        }
    }
}

extension ConfigSnapshotReader {
    /// A value of JSON; `nil` if there is none, or none of the type.
    public func string<Value>(
        forKey key: ConfigKey,
        as type: DecodedJSON<Value>.Type = DecodedJSON<Value>.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) -> DecodedJSON<Value>? {
        BranchReading.$isWanted.withValue(true) {
            text(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
        }
    }

    /// A value of JSON, or the default if there is none of the type.
    public func string<Value>(
        forKey key: ConfigKey,
        as type: DecodedJSON<Value>.Type = DecodedJSON<Value>.self,
        isSecret: Bool = false,
        default defaultValue: DecodedJSON<Value>,
        fileID: String = #fileID,
        line: UInt = #line
    ) -> DecodedJSON<Value> {
        BranchReading.$isWanted.withValue(true) {
            text(forKey: key, as: type, isSecret: isSecret, default: defaultValue, fileID: fileID, line: line)
        }
    }

    /// A value of JSON.
    ///
    /// - Throws: an error if there is none of the type.
    public func requiredString<Value>(
        forKey key: ConfigKey,
        as type: DecodedJSON<Value>.Type = DecodedJSON<Value>.self,
        isSecret: Bool = false,
        fileID: String = #fileID,
        line: UInt = #line
    ) throws -> DecodedJSON<Value> {
        try BranchReading.$isWanted.withValue(true) {
            try requiredText(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
        }
    }
}

// To the compiler, these types are not `DecodedJSON`, so that the getters of swift-configuration are called.
extension ConfigReader {
    private func text<Value: ExpressibleByConfigString>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        fileID: String,
        line: UInt
    ) -> Value? {
        string(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
    }

    private func text<Value: ExpressibleByConfigString>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        default defaultValue: Value,
        fileID: String,
        line: UInt
    ) -> Value {
        string(forKey: key, as: type, isSecret: isSecret, default: defaultValue, fileID: fileID, line: line)
    }

    private func requiredText<Value: ExpressibleByConfigString>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        fileID: String,
        line: UInt
    ) throws -> Value {
        try requiredString(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
    }

    private func fetchText<Value: ExpressibleByConfigString>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        fileID: String,
        line: UInt
    ) async throws -> Value? {
        try await fetchString(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
    }

    private func fetchText<Value: ExpressibleByConfigString>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        default defaultValue: Value,
        fileID: String,
        line: UInt
    ) async throws -> Value {
        try await fetchString(
            forKey: key,
            as: type,
            isSecret: isSecret,
            default: defaultValue,
            fileID: fileID,
            line: line
        )
    }

    private func fetchRequiredText<Value: ExpressibleByConfigString>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        fileID: String,
        line: UInt
    ) async throws -> Value {
        try await fetchRequiredString(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
    }

    private func watchText<Value: ExpressibleByConfigString & Sendable, Return>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        fileID: String,
        line: UInt,
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<Value?, Never>) async throws -> Return
    ) async throws -> Return {
        try await watchString(
            forKey: key,
            as: type,
            isSecret: isSecret,
            fileID: fileID,
            line: line,
            updatesHandler: updatesHandler
        )
    }

    private func watchText<Value: ExpressibleByConfigString & Sendable, Return>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        default defaultValue: Value,
        fileID: String,
        line: UInt,
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<Value, Never>) async throws -> Return
    ) async throws -> Return {
        try await watchString(
            forKey: key,
            as: type,
            isSecret: isSecret,
            default: defaultValue,
            fileID: fileID,
            line: line,
            updatesHandler: updatesHandler
        )
    }

    private func watchRequiredText<Value: ExpressibleByConfigString & Sendable, Return>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        fileID: String,
        line: UInt,
        updatesHandler: (_ updates: ConfigUpdatesAsyncSequence<Value, any Error>) async throws -> Return
    ) async throws -> Return {
        try await watchRequiredString(
            forKey: key,
            as: type,
            isSecret: isSecret,
            fileID: fileID,
            line: line,
            updatesHandler: updatesHandler
        )
    }
}

extension ConfigSnapshotReader {
    private func text<Value: ExpressibleByConfigString>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        fileID: String,
        line: UInt
    ) -> Value? {
        string(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
    }

    private func text<Value: ExpressibleByConfigString>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        default defaultValue: Value,
        fileID: String,
        line: UInt
    ) -> Value {
        string(forKey: key, as: type, isSecret: isSecret, default: defaultValue, fileID: fileID, line: line)
    }

    private func requiredText<Value: ExpressibleByConfigString>(
        forKey key: ConfigKey,
        as type: Value.Type,
        isSecret: Bool,
        fileID: String,
        line: UInt
    ) throws -> Value {
        try requiredString(forKey: key, as: type, isSecret: isSecret, fileID: fileID, line: line)
    }
}
