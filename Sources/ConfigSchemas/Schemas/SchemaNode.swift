// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TextPatterns

/// A schema or a part of one that is a schema itself, ready to check values by. Others are named by their indices.
struct SchemaNode {
    let place: JSONPointer
    /// The resource that it is a part of, by its index.
    let resource: Int
    var keywords: [SchemaKeyword] = []

    /// The nodes that may check the same value as this one, and not a part of it.
    func nodesInPlace(_ dynamicAnchors: DynamicAnchors) -> [Int] {
        keywords.flatMap { $0.rule.nodesInPlace(dynamicAnchors) }
    }

    /// Whether a keyword looks only at what others have left.
    var hasUnevaluated: Bool {
        keywords.contains { keyword in
            switch keyword.rule {
            case .unevaluatedElements, .unevaluatedMembers: true
            default: false
            }
        }
    }
}

/// The nodes that `$dynamicAnchor` names, by the name and the index of their resource.
typealias DynamicAnchors = [ExactString: [Int: Int]]

/// A keyword of a schema.
struct SchemaKeyword {
    let name: String
    /// The value of the keyword in the schema.
    let value: EntryValue
    var rule: SchemaRule
}

/// The assertion of a keyword. Annotations have no rule; keywords that depend on each other share one.
enum SchemaRule {
    case nothing
    case type([SchemaType])
    case oneOfValues(Set<EntryValue>)
    case constant(weight: Int)
    case multiple(of: DecimalNumber)
    case bound(NumberBound, Double)
    case size(SizeBound, Int)
    case pattern(TextPattern)
    case format(ValueFormat)
    case elements(prefix: [Int], rest: Int?, isClosed: Bool)
    case contains(Int, atLeast: Int, atMost: Int?)
    case uniqueElements
    case unevaluatedElements(Int)
    case members(MemberRules)
    case unevaluatedMembers(Int)
    case memberNames(Int)
    case required([String])
    case dependentRequired([(name: String, needed: [String])])
    case dependentSchemas([(name: String, node: Int)])
    case all([Int])
    case any([Int])
    case one([Int])
    case not(Int)
    case condition(if: Int, then: Int?, else: Int?)
    case reference(Int)
    /// To the node that the outermost resource with such an anchor names, if the one that was found first is one of those.
    case dynamicReference(ExactString, initially: Int)

    fileprivate func nodesInPlace(_ dynamicAnchors: DynamicAnchors) -> [Int] {
        switch self {
        case .all(let nodes), .any(let nodes), .one(let nodes): nodes
        case .not(let node), .reference(let node): [node]
        case .dynamicReference(let name, _): Array((dynamicAnchors[name] ?? [:]).values)
        case .dependentSchemas(let dependencies): dependencies.map(\.node)
        case .condition(let condition, let then, let otherwise): [condition] + [then, otherwise].compactMap(\.self)
        default: []
        }
    }
}

/// `properties`, `patternProperties` and `additionalProperties`.
struct MemberRules {
    var named: [(name: String, node: Int)] = []
    /// The value of `properties`, to look names up in.
    var declared = EntryObject()
    /// Its names, for violations.
    var names: [String] = []
    var patterns: [(pattern: TextPattern, node: Int)] = []
    var additional: Int?
    /// Whether `additionalProperties` is `false`.
    var isClosed = false
}

/// The names of `type`.
enum SchemaType: String, CaseIterable {
    case null, boolean, integer, number, string, array, object

    func includes(_ value: EntryValue) -> Bool {
        switch (self, value) {
        case (.null, .null), (.boolean, .boolean), (.string, .string), (.array, .array), (.object, .object): true
        case (.number, .integer), (.number, .double), (.integer, .integer): true
        // 1e300 is a whole number too.
        case (.integer, .double(let number)): number.isFinite && number.rounded(.towardZero) == number
        default: false
        }
    }
}

/// A comparison of two numbers.
enum NumberBound: String {
    case minimum, exclusiveMinimum, maximum, exclusiveMaximum

    func allows(_ number: Double, by limit: Double) -> Bool {
        switch self {
        case .minimum: number >= limit
        case .exclusiveMinimum: number > limit
        case .maximum: number <= limit
        case .exclusiveMaximum: number < limit
        }
    }
}

/// The size that is limited, and whether the limit is a minimum or a maximum.
enum SizeBound: String {
    case minLength, maxLength, minItems, maxItems, minProperties, maxProperties

    /// The count; `nil` for values of another type, which the keyword ignores.
    func count(of value: EntryValue) -> Int? {
        switch (self, value) {
        case (.minLength, .string(let text)), (.maxLength, .string(let text)): text.unicodeScalars.count
        case (.minItems, .array(let elements)), (.maxItems, .array(let elements)): elements.count
        case (.minProperties, .object(let members)), (.maxProperties, .object(let members)): members.count
        default: nil
        }
    }

    func allows(_ count: Int, by limit: Int) -> Bool {
        switch self {
        case .minLength, .minItems, .minProperties: count >= limit
        case .maxLength, .maxItems, .maxProperties: count <= limit
        }
    }
}
