public import Configuration

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
        string(
            forKey: key,
            as: DecodedJSON<Value>.self,
            isSecret: isSecret,
            fileID: fileID,
            line: line
        )?.value
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
        string(
            forKey: key,
            as: DecodedJSON<Value>.self,
            isSecret: isSecret,
            default: DecodedJSON(defaultValue),
            fileID: fileID,
            line: line
        ).value
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
        try requiredString(
            forKey: key,
            as: DecodedJSON<Value>.self,
            isSecret: isSecret,
            fileID: fileID,
            line: line
        ).value
    }
}
