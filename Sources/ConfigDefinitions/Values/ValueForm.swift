// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The stored form and editing of a type's values, for code that does not know the type.
package struct ValueForm: Sendable {
    /// The name of the type in messages, such as `whole number` or `array of text`.
    package let typeName: String
    /// Whether every value is stored as a string, which is then edited without quotation marks.
    package var isText: Bool
    /// Whether a value may be of any type, as the values of a source without a schema.
    package var isOpen = false
    /// The kinds of values of a configuration reader that are read as the type, in the order in which they are tried.
    var kinds: [ReaderKind] = []
    /// An array, since a structure cannot contain itself.
    var contents: [ValueForm] = []
    var normalize: @Sendable (EntryValue) -> EntryValue?
    /// Returns the error for a stored form that is not a value of the type; `nil` if the type's name is enough.
    var explain: @Sendable (EntryValue) -> CodingFault? = { _ in nil }
    /// The form of the type's values in a remote configuration.
    var shape = ValueShape([:])
    /// Returns the limit that a stored form exceeds although it is a value of the type.
    var exceededLimit: @Sendable (EntryValue) -> String? = { _ in nil }

    /// The form of an array's elements, or of an optional's value; `nil` for any other type.
    package var content: ValueForm? { contents.first }

    /// Whether a form has a string in the place of a number, such as infinity: a store has it, and no configuration.
    func isOnlyStored(_ json: EntryValue) -> Bool {
        if let content { return content.isOnlyStored(json) }
        return switch json {
        case .array(let elements): elements.contains(where: isOnlyStored)
        case .string: kinds.contains(.double) && !isText
        default: false
        }
    }

    /// The canonical stored form, such as `#FFB6C1` for `ffb6c1`; `nil` if it is not a value of the type.
    package func normalized(_ json: EntryValue) -> EntryValue? { normalize(json) }

    /// The error for a stored form; `nil` if it is a value of the type.
    package func problem(with json: EntryValue) -> ConfigError? { normalize(json) == nil ? mismatch(json) : nil }

    /// A stored form as a person edits it: a string as it is, anything else as JSON.
    package func text(of json: EntryValue) -> String {
        if isText, case .string(let text) = json { return text }
        return json.canonicalJSON
    }

    /// Parses input of the user.
    ///
    /// - Throws: `typeMismatch` or `syntax`, with the expected form.
    package func json(ofText text: String) throws(ConfigError) -> EntryValue {
        let json = isText ? .string(text) : try parsed(text)
        guard let normalized = normalize(json) else { throw mismatch(json) }
        return normalized
    }

    private func parsed(_ text: String) throws(ConfigError) -> EntryValue {
        do throws(ConfigError) {
            return try EntryValue(text: text)
        } catch {
            // For a number, an explanation of JSON would not help.
            throw content == nil ? mismatch(.string(text)) : error
        }
    }

    /// A value in a few words for a list: texts as they are, nil as `none`, arrays by their elements.
    package func preview(of json: EntryValue) -> String {
        switch json {
        case .null: "none"
        case .array(let elements) where elements.isEmpty: "empty"
        case .array(let elements): elements.map { (content ?? self).preview(of: $0) }.joined(separator: ", ")
        case .string(let text): text
        default: json.canonicalJSON
        }
    }

    func mismatch(_ json: EntryValue) -> ConfigError {
        if let problem = exceededLimit(json) { return ConfigError(.typeMismatch, problem) }
        let detail = explain(json).map { ": \($0.description)" } ?? ""
        return ConfigError(.typeMismatch, "\(json.excerpt) is not \(typeName.withArticle)\(detail)")
    }
}

extension EntryValue {
    /// The beginning of the JSON, for a message.
    var excerpt: String {
        let scalars = canonicalJSON.unicodeScalars
        return scalars.count > 42 ? String(String.UnicodeScalarView(scalars.prefix(41))) + "…" : canonicalJSON
    }
}

/// Values and types as a user reads them.
enum ValueDescription {
    /// A value as it is stored, if its type can be, or else as Swift describes it; nil is `none`.
    static func text<Value: Sendable>(of value: Value) -> String {
        if let converter = ValueConverter<Value>.named { return converter.form.preview(of: converter.json(of: value)) }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional { return mirror.children.first.map { "\($0.value)" } ?? "none" }
        return String(describing: value)
    }

    static func typeName<Value: Sendable>(of type: Value.Type) -> String {
        ValueConverter<Value>.named?.form.typeName ?? String(describing: type)
    }
}

extension Double {
    /// The number as people write it: 10 and not 10.0.
    var plainText: String { Int(exactly: self).map { String($0) } ?? description }
}
