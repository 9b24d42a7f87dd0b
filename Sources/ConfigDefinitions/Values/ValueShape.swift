// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The form of a type's values in a remote configuration, as JSON Schema.
struct ValueShape: Sendable {
    /// Whether each value has exactly one stored form, unlike the colours `#FFB6C1` and `ffb6c1`.
    let hasOneSpelling: Bool
    /// The schema. It accepts each stored form that is a value of the type and is valid in a remote configuration; for types
    /// that are not known in detail it accepts others too. A closure, since most programs never use it.
    let schema: @Sendable (_ examples: [EntryValue]) -> SchemaKeywords

    /// - Parameter schema: returns the schema, from examples of stored forms if the type itself is not enough.
    init(hasOneSpelling: Bool = false, schema: @escaping @Sendable (_ examples: [EntryValue]) -> SchemaKeywords) {
        (self.hasOneSpelling, self.schema) = (hasOneSpelling, schema)
    }

    init(_ schema: SchemaKeywords, hasOneSpelling: Bool = false) {
        self.init(hasOneSpelling: hasOneSpelling) { _ in schema }
    }

    /// The given schema, or else a derived shape.
    init(_ schema: EntryValue?, or shape: @autoclosure () -> ValueShape) {
        self = schema.map { ValueShape(SchemaKeywords($0)) } ?? shape()
    }

    /// Any text, or any value.
    init(isText: Bool) { self.init(isText ? ["type": "string"] : [:]) }

    /// The shape of another type, whose values are stored as some of this one's are.
    var ofOtherType: ValueShape { ValueShape(schema: schema) }

    /// The shape of values that may be nil.
    var optional: ValueShape {
        ValueShape(hasOneSpelling: hasOneSpelling) { examples in
            let wrapped = schema(examples.filter { $0 != .null })
            // Keywords such as `minimum` and `format` do not apply to null.
            if wrapped.isEmpty { return [:] }
            if case .string(let type) = wrapped["type"], wrapped["enum"] == nil {
                return wrapped.merging(["type": [.string(type), "null"]]) { $1 }
            }
            return ["anyOf": [wrapped.schema, ["type": "null"]]]
        }
    }

    /// The shape of arrays.
    var array: ValueShape {
        ValueShape(hasOneSpelling: hasOneSpelling) { examples in
            let elements = examples.flatMap { if case .array(let elements) = $0 { elements } else { [EntryValue]() } }
            let schema = schema(elements)
            return schema.isEmpty ? ["type": "array"] : ["type": "array", "items": schema.schema]
        }
    }

    /// The shape of the cases of an enum, which are stored as values of this shape.
    func cases(_ cases: @escaping @Sendable () -> [EntryValue]?) -> ValueShape {
        ValueShape(hasOneSpelling: hasOneSpelling) { examples in
            guard hasOneSpelling, let cases = cases(), !cases.isEmpty else { return schema(examples) }
            return ["enum": .array(cases)]
        }
    }

    /// The shape of a type that only its decoder knows: the JSON types that it decodes.
    ///
    /// - Parameter accepts: whether a stored form can be decoded.
    static func decoded(_ accepts: @escaping @Sendable (EntryValue) -> Bool) -> ValueShape {
        ValueShape { examples in
            let kinds = Set(examples.map(\.schemaType))
            // The types of the examples, and any other type that the decoder accepts. Without examples it is unknown.
            guard !kinds.isEmpty else { return [:] }
            let read = probes.filter(accepts).map(\.schemaType)
            let types = kinds.union(read).sorted()
            return ["type": types.count == 1 ? .string(types[0]) : .array(types.map(EntryValue.string))]
        }
    }

    private static let probes: [EntryValue] = [
        .null, .boolean(true), .boolean(false), .integer(0), .integer(1), .double(0.5), .string(""), .string("a"),
        .string("1"),
        .string("true"), .string("2026-11-23T08:30:00Z"), .string("#FFB6C1"), .string("https://example.com"),
        .array([]), .array([.integer(0)]), .array([.integer(0), .integer(0)]), .array([.string("a")]),
        .object(EntryObject()),
    ]
}

extension EntryValue {
    /// The name of the kind in JSON Schema; a whole number is a `number` too.
    var schemaType: String {
        switch self {
        case .null: "null"
        case .boolean: "boolean"
        case .integer, .double: "number"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
