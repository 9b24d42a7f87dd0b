// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The type of a text that a person types into a field: a given one, or the type that `livery set` infers for a new key.
package struct TextType: Hashable, Sendable {
    /// The given type; `nil` if it is inferred.
    package let kind: ValueKind?
    /// The schema of the key.
    private let schema: EntryValue?

    package init(_ kind: ValueKind? = nil, schema: EntryValue? = nil) { (self.kind, self.schema) = (kind, schema) }

    /// The inferred type after a given one, and a string after the inferred one.
    package var next: TextType { TextType(kind == nil ? .string : nil, schema: schema) }

    /// The type that a text is read as.
    package func reading(of text: String) -> ValueKind { kind ?? ValueKind.inferred(from: text, schema: schema) }

    /// The type of a text, and a number or a Boolean as it is read: `integer 42`; `?` for a text with an error.
    package func note(on text: String) -> String {
        guard let value = try? value(of: text) else { return "?" }
        let name = ValueKind.name(of: value)
        switch value {
        case .boolean, .integer, .double: return "\(name) \(value.canonicalJSON)"
        default: return name
        }
    }

    /// Reads a text. A part of a value may be `null`.
    ///
    /// - Throws: the error, with what is expected and the column.
    package func value(of text: String) throws(ConfigError) -> EntryValue {
        let kind = reading(of: text)
        if kind == .string { return try kind.value(text) }
        let value: EntryValue
        do throws(ConfigError) {
            var scanner = try JSONScanner(Array(text.utf8))
            value = try scanner.anyValue()
            scanner.skipWhitespace()
            if scanner.current != nil { throw scanner.unexpected("the end of the value") }
        } catch {
            throw kind.explained(error, in: text)
        }
        guard kind == .json || kind == ValueKind(of: value) else {
            throw ConfigError(.typeMismatch, "expected \(kind.example); found \(ValueKind.name(of: value).withArticle)")
        }
        return value
    }
}

extension ValueKind {
    /// `a number such as 42`.
    fileprivate var example: String {
        switch self {
        case .string: "a string"
        case .number: "a number such as 42"
        case .boolean: "true or false"
        case .array: "an array such as [1, 2]"
        case .object: #"an object such as {"a": 1}"#
        case .json: #"a JSON value such as 42 or "text""#
        }
    }

    /// The error in a text, with its column; the error in a text that is not JSON also names what is expected.
    fileprivate func explained(_ error: ConfigError, in text: String) -> ConfigError {
        guard let location = error.location else { return error }
        let place = (location.line > 1 ? "line \(location.line), " : "") + "column \(location.column)"
        let scalars = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        let rest = scalars.dropFirst(location.line - 1).first?.dropFirst(location.column - 1)
        switch (self, error.code) {
        case (.json, _): return ConfigError(error.code, "\(place): \(error.message)")
        case (_, .syntax) where text.isEmpty: return ConfigError(.syntax, "expected \(example)")
        case (_, .syntax):
            let found = rest?.first.map { "'\($0)'" } ?? "end"
            return ConfigError(.syntax, "expected \(example); \(place): unexpected \(found)")
        default: return ConfigError(error.code, error.message)
        }
    }
}
