// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
public import Configuration

// The getters of strings read a value of JSON from an object of several keys too, as each object of a plain document is. Other
// types do not, so that a text of a provider below is found: to a provider, all of them are strings.

/// A value of JSON for the getters of swift-configuration, which those of ``DecodedJSON`` call.
private struct JSONText<Value: Codable & Sendable>: ExpressibleByConfigString {
    let json: DecodedJSON<Value>

    init(_ json: DecodedJSON<Value>) { self.json = json }

    init?(configString: String) {
        guard let json = DecodedJSON<Value>(configString: configString) else { return nil }
        self.json = json
    }

    var description: String { json.description }
}

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
            string(forKey: key, as: JSONText<Value>.self, isSecret: isSecret, fileID: fileID, line: line)?.json
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
        let fallback = JSONText(defaultValue)
        return BranchReading.$isWanted.withValue(true) {
            string(forKey: key, isSecret: isSecret, default: fallback, fileID: fileID, line: line).json
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
            try requiredString(forKey: key, as: JSONText<Value>.self, isSecret: isSecret, fileID: fileID, line: line)
                .json
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
            try await fetchString(
                forKey: key,
                as: JSONText<Value>.self,
                isSecret: isSecret,
                fileID: fileID,
                line: line
            )?
            .json
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
        let fallback = JSONText(defaultValue)
        return try await BranchReading.$isWanted.withValue(true) {
            try await fetchString(forKey: key, isSecret: isSecret, default: fallback, fileID: fileID, line: line).json
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
            try await fetchRequiredString(
                forKey: key,
                as: JSONText<Value>.self,
                isSecret: isSecret,
                fileID: fileID,
                line: line
            ).json
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
            try await watchString(forKey: key, isSecret: isSecret, fileID: fileID, line: line) {
                (updates: ConfigUpdatesAsyncSequence<JSONText<Value>?, Never>) in
                try await handOver(updates.map { $0?.json }, to: updatesHandler)
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
        let fallback = JSONText(defaultValue)
        return try await BranchReading.$isWanted.withValue(true) {
            try await watchString(forKey: key, isSecret: isSecret, default: fallback, fileID: fileID, line: line) {
                (updates: ConfigUpdatesAsyncSequence<JSONText<Value>, Never>) in
                try await handOver(updates.map(\.json), to: updatesHandler)
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
            try await watchRequiredString(forKey: key, isSecret: isSecret, fileID: fileID, line: line) {
                (updates: ConfigUpdatesAsyncSequence<JSONText<Value>, any Error>) in
                try await handOver(updates.map(\.json), to: updatesHandler)
            }
        }
    }
}

/// Calls the handler of a watcher. What the handler reads itself is another matter.
private func handOver<Element: Sendable, Failure: Error, Return>(
    _ updates: some AsyncSequence<Element, Failure> & Sendable,
    to handler: (_ updates: ConfigUpdatesAsyncSequence<Element, Failure>) async throws -> Return
) async throws -> Return {
    try await BranchReading.$isWanted.withValue(false) { try await handler(ConfigUpdatesAsyncSequence(updates)) }
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
            string(forKey: key, as: JSONText<Value>.self, isSecret: isSecret, fileID: fileID, line: line)?.json
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
        let fallback = JSONText(defaultValue)
        return BranchReading.$isWanted.withValue(true) {
            string(forKey: key, isSecret: isSecret, default: fallback, fileID: fileID, line: line).json
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
            try requiredString(forKey: key, as: JSONText<Value>.self, isSecret: isSecret, fileID: fileID, line: line)
                .json
        }
    }
}
