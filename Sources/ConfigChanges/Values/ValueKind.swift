// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The type that the text of a value is read as.
package enum ValueKind: String, CaseIterable, Sendable {
    case string
    case number
    case boolean
    case array
    case object
    /// Any value of JSON, texts in quotes.
    case json

    package init(of value: EntryValue) {
        switch value {
        case .string: self = .string
        case .integer, .double: self = .number
        case .boolean: self = .boolean
        case .array: self = .array
        case .object: self = .object
        case .null: self = .json
        }
    }

    /// The name of a value's type as in JSON Schema, such as `integer`.
    package static func name(of value: EntryValue) -> String {
        switch value {
        case .integer: "integer"
        case .null: "null"
        default: ValueKind(of: value).rawValue
        }
    }
}

extension ValueKind {
    /// - Throws: `typeMismatch`, or the error in a text that begins like JSON.
    package func value(_ text: String) throws(ConfigError) -> EntryValue {
        if self == .string { return try Self.string(text) }
        guard self == .json || TypedText.beginsLikeJSON(text) else { throw mismatch(text) }
        let value = try JSONText.value(of: text)
        guard self == .json || self == ValueKind(of: value) else { throw mismatch(text) }
        return value
    }

    /// The type of a new key's value: JSON for a text that is JSON (``TypedText``), in any form if the key's schema allows no
    /// string, and a string for any other text.
    package static func inferred(from text: String, schema: EntryValue? = nil) -> ValueKind {
        if let schema, SchemaSummary.allowsOnlyStrings(schema) { return .string }
        let isTyped = schema.map(SchemaSummary.allowsNoStrings) ?? false
        return (isTyped ? TypedText.beginsLikeJSON(text) : TypedText.isJSON(text)) ? .json : .string
    }

    /// Reads a text that a person typed as a value of the type that a key's value has now; as a string if the key's schema allows
    /// nothing else.
    package static func value(
        _ text: String,
        like former: EntryValue?,
        schema: EntryValue? = nil
    ) throws(ConfigError) -> EntryValue {
        if let schema, SchemaSummary.allowsOnlyStrings(schema) { return try string.value(text) }
        guard let former else { return try inferred(from: text, schema: schema).value(text) }
        let kind = ValueKind(of: former)
        do throws(ConfigError) {
            return try kind.value(text)
        } catch {
            guard error.code == .typeMismatch else { throw error }
            let typed = (try? inferred(from: text).value(text)).map(ValueKind.init(of:)) ?? .string
            let subject = "\"\(text.excerpt(ofScalars: 40))\""
            throw ConfigError(
                .typeMismatch,
                "\(kind.replaced(by: typed, subject)); to change the type, use --type \(typed.rawValue)"
            )
        }
    }

    /// Reads the text of a file or a pipe: JSON as what it is, in the form of `livery get --json`, and any other text as a
    /// person types it.
    ///
    /// - Throws: `typeMismatch` for JSON of another type than a key's value has now, since the text may be meant as a string;
    ///   the error of JSON that is not a value.
    package static func value(
        ofFile text: String,
        like former: EntryValue?,
        schema: EntryValue? = nil
    ) throws(ConfigError) -> EntryValue {
        let asText = "; to store the text as a string, use --type string"
        guard TypedText.isJSON(text) else { return try Self.value(text, like: former, schema: schema) }
        let value: EntryValue
        do throws(ConfigError) {
            value = try JSONText.value(of: text)
        } catch {
            // A number that no value can have is not stored as a text in silence; other texts are not JSON.
            if error.code == .unsupportedValue { throw ConfigError(error.code, error.message + asText) }
            return try Self.value(text, like: former, schema: schema)
        }
        let (kind, formerKind) = (ValueKind(of: value), former.map(ValueKind.init(of:)))
        guard let formerKind, formerKind != kind else { return value }
        let keeping = formerKind == .string ? asText : ""
        let advice = "to change the type, use --type json" + keeping
        throw ConfigError(.typeMismatch, "\(formerKind.replaced(by: kind, "the input")); \(advice)")
    }

    /// `the input is a number, the current value is a string`.
    private func replaced(by kind: ValueKind, _ subject: String) -> String {
        "\(subject) is \(kind.words), the current value is \(words)"
    }

    /// Does what depends on the type that a key's value has now.
    fileprivate static func likeCurrent<Result>(_ body: () throws(ConfigError) -> Result) throws(ConfigError) -> Result
    {
        do throws(ConfigError) {
            return try body()
        } catch {
            guard error.code == .typeMismatch else { throw error }
            let advice = "the type of the current value; to change it, use --type"
            throw ConfigError(.typeMismatch, "\(error.message), \(advice)")
        }
    }

    /// The interpretation of a text without `--type`, if the value differs from the input: `1.1 (number; for a string, use
    /// --type string)`.
    package static func note(on text: String, readAs value: EntryValue) -> String? {
        if JSONText.keeps(text, as: value) { return nil }
        let spelling = value.canonicalJSON
        let shown = spelling.excerpt(ofScalars: 60)
        let rest = spelling.unicodeScalars.count > 60 ? "…" : ""
        let kind = ValueKind(of: value)
        // A string in quotes.
        let wish = kind == .string ? "to keep the quotes" : "for a string"
        return "\(shown)\(rest) (\(kind.rawValue); \(wish), use --type string)"
    }

    private static func string(_ text: String) throws(ConfigError) -> EntryValue {
        let value = EntryValue.string(text)
        guard value.isWithinMaximumBytes else {
            let limit = EntryValue.maximumBytes
            throw ConfigError(
                .tooLarge,
                "the value is larger than \(limit) bytes; store it elsewhere and set its URL"
            )
        }
        return value
    }

    private func mismatch(_ text: String) -> ConfigError {
        ConfigError(.typeMismatch, "\"\(text.excerpt(ofScalars: 40))\" is not \(words)")
    }

    /// `a number`.
    private var words: String { (self == .boolean ? "Boolean" : rawValue).withArticle }

    /// Refuses a rule whose variants programs cannot read in place of a value of this type.
    ///
    /// - Throws: `typeMismatch` with the first variant of another type.
    package func checkVariants(of rule: EntryValue) throws(ConfigError) {
        guard self != .json,
            let (name, value) = StoredRule(rule)?.variants.first(where: {
                $0.value != .null && ValueKind(of: $0.value) != self
            })
        else { return }
        let kind = ValueKind(of: value).words
        throw ConfigError(.typeMismatch, "the variant '\(name.excerpt(ofScalars: 60))' is \(kind), not \(words)")
    }
}

extension NamespaceContents {
    /// The value of a text for a key: of the type that is given, else of the type that fits its value and its schema.
    ///
    /// - Parameter isTyped: whether a person typed it; it is the text of a file or a pipe otherwise.
    package func value(
        of text: String,
        as type: ValueKind?,
        forKey key: String,
        isTyped: Bool = true
    ) throws(ConfigError) -> EntryValue {
        do throws(ConfigError) {
            if let type { return try type.value(text) }
            let (former, schema) = (values[key], schema(forKey: key))
            if !isTyped { return try ValueKind.value(ofFile: text, like: former, schema: schema) }
            return try ValueKind.value(text, like: former, schema: schema)
        } catch {
            throw error.naming(key: key)
        }
    }
}

extension NamespaceContents {
    /// Refuses a rule whose variants are of another type than the one that is given, else than the value of its key.
    package func checkVariants(of rule: EntryValue, as type: ValueKind?, forKey key: String) throws(ConfigError) {
        do throws(ConfigError) {
            if let type { return try type.checkVariants(of: rule) }
            guard let value = values[key] else { return }
            try ValueKind.likeCurrent { () throws(ConfigError) in try ValueKind(of: value).checkVariants(of: rule) }
        } catch {
            throw error.naming(key: key)
        }
    }
}
