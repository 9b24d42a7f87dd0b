import ArgumentParser
import ConfigModel

/// The type that the text of a value is read as.
enum ValueKind: String, CaseIterable, ExpressibleByArgument {
    case string
    case number
    case boolean
    case array
    /// Any value of JSON, texts in quotes.
    case json
}

extension ValueKind {
    /// Reads a text as a value of this type.
    ///
    /// - Throws: `typeMismatch`, or `syntax` if the text is not JSON.
    func value(_ text: String) throws(ConfigError) -> EntryValue {
        guard self != .string else { return try Self.checked(.string(text)) }
        guard let value = try? Self.parsed(text) else {
            if self == .json { return try Self.parsed(text) }
            throw mismatch(text)
        }
        switch (self, value) {
        case (.json, _), (.number, .integer), (.number, .double), (.boolean, .boolean),
            (.array, .strings), (.array, .integers), (.array, .doubles), (.array, .booleans):
            return value
        default:
            throw mismatch(text)
        }
    }

    /// Reads a text as a value of the type that a key's value has now.
    ///
    /// A new key's value is a number, a Boolean or an array if the text is one in JSON, and otherwise a string.
    static func value(_ text: String, like former: EntryValue?) throws(ConfigError) -> EntryValue {
        guard let former else {
            if let value = try? parsed(text), ValueKind(of: value) != .string { return value }
            return try checked(.string(text))
        }
        let kind = ValueKind(of: former)
        do throws(ConfigError) {
            return try kind.value(text)
        } catch {
            guard error.code == .typeMismatch else { throw error }
            let advice = "the type of the present value; use --type to change it"
            throw ConfigError(.typeMismatch, "\(error.message), \(advice)")
        }
    }

    init(of value: EntryValue) {
        switch value {
        case .string: self = .string
        case .integer, .double: self = .number
        case .boolean: self = .boolean
        case .strings, .integers, .doubles, .booleans: self = .array
        }
    }

    private static func parsed(_ text: String) throws(ConfigError) -> EntryValue {
        var scanner = try JSONScanner(Array(text.utf8))
        let value = try scanner.value()
        scanner.skipWhitespace()
        if scanner.current != nil { throw scanner.unexpected("nothing after the value") }
        return value
    }

    private static func checked(_ value: EntryValue) throws(ConfigError) -> EntryValue {
        guard value.canonicalJSON.utf8.count <= EntryValue.maximumBytes else {
            let limit = EntryValue.maximumBytes
            throw ConfigError(
                .tooLarge,
                "the value is larger than \(limit) bytes; keep it elsewhere and put its URL here"
            )
        }
        return value
    }

    private func mismatch(_ text: String) -> ConfigError {
        let shown = text.excerpt(ofScalars: 40)
        let name = self == .boolean ? "Boolean" : rawValue
        return ConfigError(.typeMismatch, "\"\(shown)\" is not \(self == .array ? "an" : "a") \(name)")
    }
}
