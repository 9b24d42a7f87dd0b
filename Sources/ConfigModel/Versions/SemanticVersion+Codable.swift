extension SemanticVersion: Codable {
    /// Reads a string such as `"1.2.0"`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let version = SemanticVersion(text) else {
            let message = "\"\(text.excerpt(ofScalars: 40))\" is no \(Self.configTypeName)"
            throw DecodingError.dataCorruptedError(in: container, debugDescription: message)
        }
        self = version
    }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
