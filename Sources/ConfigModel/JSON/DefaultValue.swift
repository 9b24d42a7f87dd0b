/// A value that is written as a literal: a text, a number, a Boolean, an array of such, or a dictionary of values by
/// their keys, which is a branch of the key tree.
///
/// ```swift
/// let defaults = try ConfigDocument(values: [
///     "app.title": "Hi",
///     "theme": ["dark": true, "colors": ["#FFB6C1", "#000000"]],
/// ])
/// ```
public struct DefaultValue: Hashable, Sendable {
    /// The value as JSON, which its reader checks.
    fileprivate let json: String

    fileprivate init(json: String) { self.json = json }

    /// Takes a value that is no literal.
    public init(_ value: EntryValue) { json = value.canonicalJSON }
}

extension ConfigDocument {
    /// Creates a document from values, such as a program's defaults.
    ///
    /// - Parameter values: the values by key. A key may have dots, and a dictionary as its value.
    /// - Throws: ``ConfigError`` that names the key, as for a document of JSON: `duplicateKey`, `invalidKey`,
    ///   `unsupportedValue`, `tooLarge`.
    public init(values: KeyValuePairs<String, DefaultValue>) throws(ConfigError) {
        try self.init(generatedJSON: Array(DefaultValue.object(values).utf8), source: "bundled default")
    }

    /// Reads JSON that nobody wrote as a text, so that places in it mean nothing.
    package init(generatedJSON json: [UInt8], source: String) throws(ConfigError) {
        do throws(ConfigError) {
            try self.init(json: json, source: source)
        } catch {
            var error = error
            (error.location, error.excerpt) = (nil, nil)
            if error.code == .duplicateKey { error.message = "duplicate key; remove one" }
            throw error
        }
        entries = entries.replacing(with: entries.values.map { Entry(value: $0.value, location: nil) })
    }
}

extension DefaultValue {
    fileprivate static func object(_ members: some Sequence<(key: String, value: DefaultValue)>) -> String {
        let members = members.map { EntryValue.string($0.key).canonicalJSON + ":" + $0.value.json }
        return "{" + members.joined(separator: ",") + "}"
    }
}

extension DefaultValue: ExpressibleByStringInterpolation {
    /// A text.
    public init(stringLiteral text: String) { self.init(.string(text)) }
}

extension DefaultValue: ExpressibleByIntegerLiteral {
    /// A whole number.
    public init(integerLiteral number: Int) { json = String(number) }
}

extension DefaultValue: ExpressibleByFloatLiteral {
    /// A number.
    public init(floatLiteral number: Double) { self.init(.double(number)) }
}

extension DefaultValue: ExpressibleByBooleanLiteral {
    /// `true` or `false`.
    public init(booleanLiteral flag: Bool) { self.init(.boolean(flag)) }
}

extension DefaultValue: ExpressibleByArrayLiteral {
    /// An array of values of one kind.
    public init(arrayLiteral elements: DefaultValue...) {
        json = "[" + elements.map(\.json).joined(separator: ",") + "]"
    }
}

extension DefaultValue: ExpressibleByDictionaryLiteral {
    /// A branch of the key tree.
    public init(dictionaryLiteral elements: (String, DefaultValue)...) {
        json = Self.object(elements.map { (key: $0, value: $1) })
    }
}
