// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
import ConfigSchemas

/// The words that commands use for schemas, and the schemas that they read.
package enum SchemaSummary {
    /// A few words for a list: `string (color): The colour of the sky`.
    package static func summary(of schema: EntryValue) -> String {
        guard case .object(let members) = schema else { return schema == false ? "nothing" : "anything" }
        let words = ["title", "description"].lazy.compactMap { String(configValue: members[$0] ?? .null) }.first
        return [kinds(members), words?.excerpt(ofScalars: 100)].compactMap(\.self).joined(separator: ": ")
    }

    /// The type in words: `string (color)`, `integer or null`, `one of 3`.
    package static func kind(of schema: EntryValue) -> String {
        if case .object(let members) = schema { kinds(members) } else { summary(of: schema) }
    }

    /// A text member of a schema, such as its title; `nil` if it has none.
    package static func text(_ member: String, of schema: EntryValue) -> String? {
        guard case .object(let members) = schema else { return nil }
        return members[member].flatMap { String(configValue: $0) }
    }

    /// The members that limit values, with their names in words.
    private static let limitNames: KeyValuePairs<String, String> = [
        "const": "Constant", "enum": "One of", "minimum": "At least", "exclusiveMinimum": "More than",
        "maximum": "At most",
        "exclusiveMaximum": "Less than", "multipleOf": "Multiple of", "minLength": "Min length",
        "maxLength": "Max length",
        "pattern": "Pattern", "minItems": "Min items", "maxItems": "Max items", "required": "Required",
        "default": "Default",
    ]

    /// The limits of a schema at its top, in words.
    package static func limits(of schema: EntryValue) -> [(name: String, text: String)] {
        guard case .object(let members) = schema else { return [] }
        return limitNames.compactMap { member, name in
            guard let value = members[member] else { return nil }
            guard case .array(let elements) = value, member != "default" else {
                return (name, value.canonicalJSON.excerpt(ofScalars: 200))
            }
            let shown = elements.prefix(20).map { $0.canonicalJSON.excerpt(ofScalars: 60) }.joined(separator: ", ")
            return (name, elements.count > 20 ? "\(shown), … (\(elements.count.grouped))" : shown)
        }
    }

    private static func kinds(_ members: EntryObject) -> String {
        var text = "any type"
        switch members["type"] {
        case .string(let type): text = type
        case .array(let types): text = types.compactMap { String(configValue: $0) }.joined(separator: " or ")
        default:
            if let constant = members["const"] { text = constant.canonicalJSON.excerpt(ofScalars: 60) }
            if case .array(let values) = members["enum"] { text = "one of \(values.count.grouped)" }
        }
        return String(configValue: members["format"] ?? .null).map { "\(text) (\($0))" } ?? text
    }

    /// Whether a value that keeps the schema is a string, as far as `type`, `const`, `enum` and the schemas that it is
    /// made of determine it. `null` does not count: no key has that value.
    package static func allowsOnlyStrings(_ schema: EntryValue) -> Bool {
        allows(only: true, schema, in: schema, depth: 0)
    }

    /// Whether a value that keeps the schema is not a string, as far as the same members determine it.
    package static func allowsNoStrings(_ schema: EntryValue) -> Bool {
        allows(only: false, schema, in: schema, depth: 0)
    }

    /// - Parameter areStrings: whether all values have to be strings, or none.
    private static func allows(only areStrings: Bool, _ schema: EntryValue, in whole: EntryValue, depth: Int) -> Bool {
        // References may lead far, and some shapes have many branches.
        guard case .object(let members) = schema, depth < 8 else { return false }
        let isOnly = { (part: EntryValue) in allows(only: areStrings, part, in: whole, depth: depth + 1) }
        let branches = [members["anyOf"], members["oneOf"]].compactMap { branches -> [EntryValue]? in
            guard case .array(let parts)? = branches else { return nil }
            return parts.filter { $0 != ["type": "null"] && $0 != ["const": .null] }
        }
        if branches.contains(where: { !$0.isEmpty && $0.allSatisfy(isOnly) }) { return true }
        if case .array(let parts)? = members["allOf"], parts.contains(where: isOnly) { return true }
        if let target = members["$ref"].flatMap({ part(of: whole, at: $0) }), isOnly(target) { return true }
        var types = if case .array(let list)? = members["type"] { list } else { members["type"].map { [$0] } ?? [] }
        types.removeAll { $0 == "null" }
        if !types.isEmpty, types.allSatisfy({ ($0 == "string") == areStrings }) { return true }
        var values = members["const"].map { [$0] } ?? []
        if case .array(let list)? = members["enum"] { values = list }
        values.removeAll { $0 == .null }
        return !values.isEmpty && values.allSatisfy { (String(configValue: $0) != nil) == areStrings }
    }

    /// The part of a schema that a reference such as `#/$defs/name` names.
    private static func part(of schema: EntryValue, at reference: EntryValue) -> EntryValue? {
        guard case .string(let text) = reference, text.utf8.starts(with: "#/$defs/".utf8),
            case .object(let members) = schema, case .object(let definitions)? = members["$defs"]
        else { return nil }
        return definitions[String(text.dropFirst("#/$defs/".count))]
    }
}
