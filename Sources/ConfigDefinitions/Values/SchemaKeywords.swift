// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The members of a JSON Schema.
typealias SchemaKeywords = [String: EntryValue]

extension SchemaKeywords {
    /// The keywords of a schema; `true` has none.
    init(_ schema: EntryValue) {
        self = [:]
        if case .object(let members) = schema { for (name, value) in members { self[name] = value } }
    }

    /// The names of the types that the schema accepts; empty if it does not name them.
    var types: [EntryValue] {
        if case .array(let types) = self["type"] { types } else { [self["type"]].compactMap(\.self) }
    }

    /// The schema that has these keywords.
    var schema: EntryValue { .object(EntryObject(map { (key: $0, value: $1) })) }

    /// The keywords of a schema that requires both these and the others.
    func and(_ others: SchemaKeywords) -> SchemaKeywords {
        var joined = self
        // Keywords that cannot be merged into one.
        var apart: SchemaKeywords = [:]
        for (name, other) in others {
            guard let own = self[name], own != other else {
                joined[name] = other
                continue
            }
            switch (name, own, other) {
            case ("minimum", _, _), ("minLength", _, _), ("minItems", _, _):
                joined[name] = own.number < other.number ? other : own
            case ("maximum", _, _), ("maxLength", _, _), ("maxItems", _, _):
                joined[name] = own.number < other.number ? own : other
            case ("items", _, _): joined[name] = SchemaKeywords(own).and(SchemaKeywords(other)).schema
            default: apart[name] = other
            }
        }
        if apart.isEmpty { return joined }
        let schemas = if case .array(let schemas) = joined["allOf"] { schemas } else { [EntryValue]() }
        joined["allOf"] = .array(schemas + [apart.schema])
        return joined
    }
}

extension EntryValue {
    /// The number of a keyword that has one.
    fileprivate var number: Double { Double(configValue: self) ?? 0 }
}

extension EntryValue {
    /// Whether a schema's `type` and that of its `items` accept this value, as far as these keywords determine it.
    func fits(_ keywords: SchemaKeywords) -> Bool {
        let types = keywords.types
        let isInteger = if case .integer = self { types.contains("integer") } else { false }
        if !types.isEmpty, !isInteger, !types.contains(.string(schemaType)) { return false }
        guard case .array(let elements) = self, let items = keywords["items"] else { return true }
        return elements.allSatisfy { $0.fits(SchemaKeywords(items)) }
    }
}
