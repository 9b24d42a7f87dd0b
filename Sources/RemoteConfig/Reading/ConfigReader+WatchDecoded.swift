public import Configuration

// The same, again and again.
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
        try await watchString(
            forKey: key,
            as: DecodedJSON<Value>.self,
            isSecret: isSecret,
            fileID: fileID,
            line: line
        ) { updates in
            try await updatesHandler(ConfigUpdatesAsyncSequence(updates.map { $0?.value }))
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
        try await watchString(
            forKey: key,
            as: DecodedJSON<Value>.self,
            isSecret: isSecret,
            default: DecodedJSON(defaultValue),
            fileID: fileID,
            line: line
        ) { updates in
            try await updatesHandler(ConfigUpdatesAsyncSequence(updates.map { $0.value }))
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
        try await watchRequiredString(
            forKey: key,
            as: DecodedJSON<Value>.self,
            isSecret: isSecret,
            fileID: fileID,
            line: line
        ) { updates in
            try await updatesHandler(ConfigUpdatesAsyncSequence(updates.map { $0.value }))
        }
    }
}
