import ArgumentParser
import ConfigModel

/// As what the text of a value is taken.
enum ValueKind: String, CaseIterable, ExpressibleByArgument {
    /// The text as it stands.
    case string
    /// A number of JSON.
    case number
    /// `true` or `false`.
    case boolean
    /// An array of JSON.
    case array
    /// Any value of JSON, texts in quotes.
    case json
}

extension ValueKind {
    /// Reads a text as this kind of value.
    ///
    /// - Throws: `typeMismatch`, or why the text is no JSON.
    func value(_ text: String) throws(ConfigError) -> ConfigValue {
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

    /// Reads a text as the kind that a key's value has already.
    ///
    /// A new key's value is a number, a Boolean or an array where the text is one in JSON, and else a string.
    static func value(_ text: String, like former: ConfigValue?) throws(ConfigError) -> ConfigValue {
        guard let former else {
            if let value = try? parsed(text), ValueKind(of: value) != .string { return value }
            return try checked(.string(text))
        }
        let kind = ValueKind(of: former)
        do throws(ConfigError) {
            return try kind.value(text)
        } catch {
            guard error.code == .typeMismatch else { throw error }
            let advice = "as the value is now; say --type to give it another kind"
            throw ConfigError(.typeMismatch, "\(error.message), \(advice)")
        }
    }

    init(of value: ConfigValue) {
        switch value {
        case .string: self = .string
        case .integer, .double: self = .number
        case .boolean: self = .boolean
        case .strings, .integers, .doubles, .booleans: self = .array
        }
    }

    private static func parsed(_ text: String) throws(ConfigError) -> ConfigValue {
        var scanner = try JSONScanner(Array(text.utf8))
        let value = try scanner.value()
        scanner.skipWhitespace()
        if scanner.current != nil { throw scanner.unexpected("nothing after the value") }
        return value
    }

    private static func checked(_ value: ConfigValue) throws(ConfigError) -> ConfigValue {
        guard value.canonicalJSON.utf8.count <= ConfigValue.maximumBytes else {
            let limit = ConfigValue.maximumBytes
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
        return ConfigError(.typeMismatch, "\"\(shown)\" is no \(name)")
    }
}
