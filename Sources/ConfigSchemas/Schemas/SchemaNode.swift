// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TextPatterns

/// A schema or a part of one that is a schema itself, ready to check values by. Others are named by their indices.
struct SchemaNode {
    let place: JSONPointer
    var keywords: [SchemaKeyword] = []

    /// The nodes that check the same value as this one, and not a part of it.
    var nodesInPlace: [Int] { keywords.flatMap(\.rule.nodesInPlace) }
}

/// A keyword of a schema.
struct SchemaKeyword {
    let name: String
    /// What the schema says of it.
    let value: EntryValue
    var rule: SchemaRule
}

/// What a keyword demands. Keywords that annotate have no rule; those that depend on one another have one together.
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
    case contains(Int)
    case uniqueElements
    case members(MemberRules)
    case memberNames(Int)
    case required([String])
    case dependentRequired([(name: String, needed: [String])])
    case all([Int])
    case any([Int])
    case one([Int])
    case not(Int)
    case condition(if: Int, then: Int?, else: Int?)
    case reference(Int)

    fileprivate var nodesInPlace: [Int] {
        switch self {
        case .all(let nodes), .any(let nodes), .one(let nodes): nodes
        case .not(let node), .reference(let node): [node]
        case .condition(let condition, let then, let otherwise): [condition] + [then, otherwise].compactMap(\.self)
        default: []
        }
    }
}

/// `properties`, `patternProperties` and `additionalProperties`.
struct MemberRules {
    var named: [(name: String, node: Int)] = []
    /// What `properties` says, to ask for a name.
    var declared = EntryObject()
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

/// How a number is to stand to another.
enum NumberBound {
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

/// What is counted of a value, and whether the count may be no smaller or no larger than a number.
enum SizeBound {
    case minLength, maxLength, minItems, maxItems, minProperties, maxProperties

    /// The count; `nil` for values of another kind, of which the keyword says nothing.
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
