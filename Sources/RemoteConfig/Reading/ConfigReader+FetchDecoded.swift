public import Configuration

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
        try await fetchString(
            forKey: key,
            as: DecodedJSON<Value>.self,
            isSecret: isSecret,
            fileID: fileID,
            line: line
        )?.value
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
        try await fetchString(
            forKey: key,
            as: DecodedJSON<Value>.self,
            isSecret: isSecret,
            default: DecodedJSON(defaultValue),
            fileID: fileID,
            line: line
        ).value
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
        try await fetchRequiredString(
            forKey: key,
            as: DecodedJSON<Value>.self,
            isSecret: isSecret,
            fileID: fileID,
            line: line
        ).value
    }
}
