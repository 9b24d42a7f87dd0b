// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// A JSON Schema of a message or of a part of one, for the description of the interface.
///
/// Each message has one next to its coding. The description contains the schemas that its routes use.
package struct WireSchema: Sendable {
    /// A member of an object.
    struct Member {
        let name: String
        let schema: WireSchema
        let isRequired: Bool

        static func required(_ name: String, _ schema: WireSchema) -> Member {
            Member(name: name, schema: schema, isRequired: true)
        }

        static func optional(_ name: String, _ schema: WireSchema) -> Member {
            Member(name: name, schema: schema, isRequired: false)
        }
    }

    /// The name in the description; `nil` for a schema that is written where it is used.
    let name: String?
    /// The schema as JSON, with references to the named schemas that it uses.
    let keywords: EntryObject
    /// The schemas that it uses.
    let parts: [WireSchema]

    private init(_ name: String?, _ keywords: EntryObject, _ parts: [WireSchema] = []) {
        (self.name, self.keywords, self.parts) = (name, keywords, parts)
    }

    /// A schema of these keywords, whose values are not schemas.
    init(_ name: String?, _ keywords: [String: EntryValue]) {
        self.init(name, EntryObject(keywords.map { (key: $0, value: $1) }))
    }

    /// The same without a name.
    init(_ keywords: [String: EntryValue]) { self.init(nil, keywords) }

    /// The schema where it is used: a reference if it has a name.
    var use: EntryValue { name.map { ["$ref": .string("#/components/schemas/\($0)")] } ?? .object(keywords) }

    /// The named schemas that it consists of, itself included, by their names.
    var named: [String: EntryObject] {
        parts.reduce(into: name.map { [$0: keywords] } ?? [:]) { $0.merge($1.named) { $1 } }
    }
}

extension WireSchema {
    /// An object.
    ///
    /// - Parameter isClosed: whether it has no other members.
    static func object(
        _ name: String?,
        _ members: [Member],
        isClosed: Bool = false,
        _ description: String? = nil
    ) -> WireSchema {
        var keywords = EntryObject([(key: "type", value: "object")])
        let required = members.filter(\.isRequired).map { EntryValue.string($0.name) }
        if !required.isEmpty { keywords.setMember("required", to: .array(required)) }
        if isClosed { keywords.setMember("additionalProperties", to: false) }
        let properties = EntryObject(members.map { (key: $0.name, value: $0.schema.use) })
        keywords.setMember("properties", to: .object(properties))
        return WireSchema(name, keywords, members.map(\.schema)).described(description)
    }

    /// An object without a name.
    static func object(_ members: [Member]) -> WireSchema { object(nil, members) }

    /// An object of any members, whose names and values have schemas.
    static func map(
        _ name: String?,
        _ names: WireSchema,
        to values: WireSchema,
        _ description: String? = nil
    ) -> WireSchema {
        let keywords: [EntryObject.Member] = [
            (key: "type", value: "object"), (key: "propertyNames", value: names.use),
            (key: "additionalProperties", value: values.use),
        ]
        return WireSchema(name, EntryObject(keywords), [names, values]).described(description)
    }

    /// An array whose elements have this schema.
    func list(_ name: String? = nil, atMost count: Int? = nil) -> WireSchema {
        var keywords = EntryObject([(key: "type", value: "array"), (key: "items", value: use)])
        keywords.setMember("maxItems", to: count.map { .integer($0) })
        return WireSchema(name, keywords, [self])
    }

    /// This or `null`.
    var orNull: WireSchema {
        if name == nil, case .string(let type)? = keywords["type"] {
            var keywords = keywords
            keywords.setMember("type", to: .array([.string(type), "null"]))
            return WireSchema(nil, keywords, parts)
        }
        return WireSchema(nil, EntryObject([(key: "anyOf", value: .array([use, ["type": "null"]]))]), [self])
    }

    func described(_ description: String?) -> WireSchema {
        guard let description else { return self }
        var keywords = keywords
        keywords.setMember("description", to: .string(description))
        return WireSchema(name, keywords, parts)
    }
}

// The parts of messages.
extension WireSchema {
    static let anything = WireSchema([:])
    static let flag = WireSchema(["type": "boolean"])
    static let count = WireSchema(["type": "integer", "minimum": 0])
    static let text = WireSchema(["type": "string"])
    static let time = WireSchema(["type": "string", "format": "date-time"])
    static let anyObject = WireSchema(["type": "object"])
    /// The maximum length of the reason of a write, in Unicode scalars.
    static let maximumMessageLength = 1024
    /// The reason of a write.
    static let message = WireSchema(["type": "string", "maxLength": .integer(maximumMessageLength)])

    static let namespace = WireSchema("Namespace", ["type": "string", "pattern": "^[a-z0-9-]{1,64}$"])
    static let key = WireSchema(
        "Key",
        ["type": "string", "maxLength": 128, "pattern": #"^[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*$"#]
    )
    static let epoch = WireSchema("Epoch", ["type": "string", "pattern": "^[0-9a-f]{16}$"])
    static let digest = epoch
    static let revision = WireSchema(
        "Revision",
        ["type": "integer", "minimum": 0, "maximum": 9_007_199_254_740_991]
    )
    static let value = WireSchema(
        "Value",
        ["type": ["string", "number", "boolean", "array", "object"]]
    ).described("At most 65,535 bytes and 32 levels deep; numbers must be exactly representable as a double.")
    static let values = map("Values", key, to: value)

    static let schemaName = WireSchema(
        "SchemaName",
        ["type": "string", "maxLength": 128, "pattern": #"^(\*|[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*(\.\*)?)$"#]
    ).described("A key, a prefix pattern such as `app.colors.*`, or `*` for all keys.")
    static let jsonSchema = WireSchema("JSONSchema", ["type": ["object", "boolean"]]).described(
        """
        A JSON Schema (2020-12). Returns 422 for an unknown keyword or format, and for a schema that a current value \
        violates.
        """
    )
    static let schemas = map("SchemaValues", schemaName, to: jsonSchema)

    static let ruleName = WireSchema(
        "RuleName",
        ["type": "string", "maxLength": 128, "pattern": #"^(\$evaluators|[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)*)$"#]
    ).described("The key of the rule, or `$evaluators` for the shared evaluators of the namespace.")
    static let rule = WireSchema("Rule", ["type": "object"]).described(
        """
        A flag in the flagd format: variants, defaultVariant, state, targeting and metadata, plus the extension \
        bucketing, the algorithm that divides users: flagd-3, added where it is missing, or flagd-2 or flagd-1 of \
        older versions of flagd. For `$evaluators`, the shared operations by name. Returns 422 for a rule that cannot be evaluated.
        """
    )
    static let ruleEdits = map("RuleEdits", ruleName, to: rule.orNull, "In a change, null if the rule was removed.")

    static let evaluationContext = object(
        "EvaluationContext",
        [.optional("targetingKey", text.orNull)],
        "The evaluation context: a targeting key, and attributes of any JSON type."
    )
}
