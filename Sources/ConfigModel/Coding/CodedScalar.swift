// SPDX-License-Identifier: Apache-2.0

/// A type whose values are one scalar of JSON, in a form that `Codable` leaves to its coders.
///
/// It is the only coding of such a type, for every way to read and write a value. ``ValueDecoder`` and ``ValueEncoder`` read
/// and write every other `Codable` type by its own code.
package protocol CodedScalar: Decodable, Sendable {
    /// The name of the type in an error message, with an example of its form where one helps.
    static var configTypeName: String { get }

    /// The JSON Schema of the type, with the keyword `type`. It accepts all that is read.
    static var configSchema: EntryValue { get }

    /// The requirement for writing a value, as a sentence for an error.
    static var rule: String { get }

    /// Reads a value of JSON; `nil` if it has another form.
    init?(configValue: EntryValue)

    /// The value of JSON; `nil` if there is none.
    var entryValue: EntryValue? { get }

    /// Reads the form in a store of this machine.
    init?(storedValue: EntryValue)

    /// The form in a store of this machine, which has numbers that no configuration has; `null` if there is none.
    var storedValue: EntryValue { get }
}

extension CodedScalar {
    package static var rule: String { "any value can be written" }
    package init?(storedValue: EntryValue) { self.init(configValue: storedValue) }
    package var storedValue: EntryValue { entryValue ?? .null }

    /// Reads a value as a type that is this one.
    static func read<Value>(_ value: EntryValue, as type: Value.Type) -> Value? { Self(configValue: value) as? Value }
}

extension CodedScalar where Self: LosslessStringConvertible {
    package static var configSchema: EntryValue { ["type": "string"] }

    package init?(configValue: EntryValue) {
        guard case .string(let text) = configValue else { return nil }
        self.init(text)
    }

    package var entryValue: EntryValue? { .string(description) }
}

extension Decoder {
    /// Reads a text by the type's own form.
    func parsedText<Value: CodedScalar & LosslessStringConvertible>() throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        if let value = Value(text) { return value }
        let message = "\"\(text.excerpt(ofScalars: 40))\" is not \(Value.configTypeName.withArticle)"
        throw DecodingError.dataCorruptedError(in: container, debugDescription: message)
    }
}

extension String: CodedScalar {
    package static var configTypeName: String { "string" }
    package var entryValue: EntryValue? { .string(self) }
}

extension Bool: CodedScalar {
    package static var configTypeName: String { "Boolean" }
    package static var configSchema: EntryValue { ["type": "boolean"] }

    package init?(configValue: EntryValue) {
        guard case .boolean(let flag) = configValue else { return nil }
        self = flag
    }

    package var entryValue: EntryValue? { .boolean(self) }
}

extension RGBColor: CodedScalar {
    package static var configTypeName: String { "colour such as #FFB6C1" }
    package static var configSchema: EntryValue { ["type": "string", "format": "color"] }
}

extension RGBColor: Codable {
    /// Reads a string such as `"#FFB6C1"`.
    public init(from decoder: any Decoder) throws { self = try decoder.parsedText() }

    /// Writes a string.
    public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}
