// SPDX-License-Identifier: Apache-2.0

extension RGBColor: Codable {
    /// Reads a string such as `"#FFB6C1"`.
    public init(from decoder: any Decoder) throws { self = try decoder.parsedText() }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}

extension Decoder {
    /// Reads a text by the type's own form.
    func parsedText<Value: EntryValueConvertible & LosslessStringConvertible>() throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        if let value = Value(text) { return value }
        let message = "\"\(text.excerpt(ofScalars: 40))\" is not \(Value.configTypeName.withArticle)"
        throw DecodingError.dataCorruptedError(in: container, debugDescription: message)
    }
}
