// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TextPatterns

extension SchemaCompiler {
    /// The rule of a keyword; `nil` if it has none, or shares the rule of another one.
    ///
    /// - Parameter members: the keywords of the same schema.
    mutating func rule(
        of keyword: KeywordName,
        _ value: EntryValue,
        in index: Int,
        _ members: EntryObject
    ) throws(Problem) -> SchemaRule? {
        switch keyword {
        case .schema: try checkDialect(value, in: index)
        case .vocabulary: try Self.checkVocabulary(value)
        // Read before all other keywords, which depend on it.
        case .id: break
        case .anchor, .dynamicAnchor:
            try addAnchor(try Self.text(value), isDynamic: keyword == .dynamicAnchor, to: index)
        case .title, .description, .comment, .contentEncoding, .contentMediaType: _ = try Self.text(value)
        case .deprecated, .readOnly, .writeOnly: _ = try Self.flag(value)
        case .contentSchema: _ = node(value, below: index, keyword)
        case .examples: guard case .array = value else { throw Problem("'examples' must be an array") }
        case .defaultValue: break
        case .definitions: _ = try namedNodes(value, below: index, keyword)
        case .reference, .dynamicReference:
            _ = try Self.text(value)
            // Until all nodes are there.
            return .reference(index)
        case .type: return .type(try Self.types(value))
        case .enumeration:
            guard case .array(let values) = value else { throw Problem("'enum' must be an array of values") }
            return .oneOfValues(Set(values))
        case .const: return .constant(weight: value.weight)
        case .multipleOf, .minimum, .exclusiveMinimum, .maximum, .exclusiveMaximum:
            return try numberRule(keyword, value)
        case .minLength, .maxLength, .minItems, .maxItems, .minProperties, .maxProperties:
            let limit = try Self.count(value, of: keyword)
            return SizeBound(rawValue: keyword.rawValue).map { .size($0, limit) }
        case .pattern: return .pattern(try pattern(try Self.text(value)))
        case .format: return isReadingDialect ? nil : .format(try Self.format(value))
        case .minContains, .maxContains: _ = try Self.count(value, of: keyword)
        case .prefixItems, .items, .contains, .uniqueItems, .unevaluatedItems:
            return try arrayRule(keyword, value, in: index, members)
        case .allOf: return .all(try nodes(value, below: index, keyword))
        case .anyOf: return .any(try nodes(value, below: index, keyword))
        case .oneOf: return .one(try nodes(value, below: index, keyword))
        case .not: return .not(node(value, below: index, keyword))
        case .condition, .then, .otherwise: return conditionRule(keyword, value, in: index, members)
        default: return try objectRule(keyword, value, in: index)
        }
        return nil
    }

    private func checkDialect(_ value: EntryValue, in index: Int) throws(Problem) {
        let dialect = "https://json-schema.org/draft/2020-12/schema"
        guard resources[nodes[index].resource].root == index else {
            throw Problem("'$schema' is allowed only at the root of a schema, or next to '$id'")
        }
        guard value == .string(dialect) || value == .string(dialect + "#") else {
            throw Problem("unsupported dialect; expected \(dialect)")
        }
    }

    private static func checkVocabulary(_ value: EntryValue) throws(Problem) {
        guard case .object(let members) = value,
            members.allSatisfy({ if case .boolean = $0.value { true } else { false } })
        else { throw Problem("'$vocabulary' must be an object of Booleans") }
    }

    private func numberRule(_ keyword: KeywordName, _ value: EntryValue) throws(Problem) -> SchemaRule {
        guard let number = Double(configValue: value), let decimal = DecimalNumber(value) else {
            throw Problem("'\(keyword.rawValue)' must be a number")
        }
        if let bound = NumberBound(rawValue: keyword.rawValue) { return .bound(bound, number) }
        guard number > 0 else { throw Problem("'multipleOf' must be greater than 0") }
        return .multiple(of: decimal)
    }

    /// `prefixItems` and `items` are one rule, that of the second one where both are there.
    private mutating func arrayRule(
        _ keyword: KeywordName,
        _ value: EntryValue,
        in index: Int,
        _ members: EntryObject
    ) throws(Problem) -> SchemaRule? {
        switch keyword {
        case .contains:
            let atLeast = try Self.count(.minContains, in: members) ?? 1
            let atMost = try Self.count(.maxContains, in: members)
            return .contains(node(value, below: index, keyword), atLeast: atLeast, atMost: atMost)
        case .unevaluatedItems: return .unevaluatedElements(node(value, below: index, keyword))
        case .uniqueItems: return try Self.flag(value) ? .uniqueElements : nil
        case .items:
            let rest = node(value, below: index, keyword)
            guard members[KeywordName.prefixItems.rawValue] == nil else { return nil }
            return .elements(prefix: [], rest: rest, isClosed: value == .boolean(false))
        default:
            let prefix = try nodes(value, below: index, keyword)
            // Members come in order of their names, so that 'items' has been read.
            let rest = child(of: index, by: KeywordName.items.rawValue)
            let isClosed = members[KeywordName.items.rawValue] == .boolean(false)
            return .elements(prefix: prefix, rest: rest, isClosed: isClosed)
        }
    }

    /// The three keywords are one rule, that of `if`, which comes after `else` and before `then`.
    private mutating func conditionRule(
        _ keyword: KeywordName,
        _ value: EntryValue,
        in index: Int,
        _ members: EntryObject
    ) -> SchemaRule? {
        guard keyword == .condition else {
            // 'then' has been read by 'if', unless there is none.
            if child(of: index, by: keyword.rawValue) == nil { _ = node(value, below: index, keyword) }
            return nil
        }
        let condition = node(value, below: index, keyword)
        let then = members[KeywordName.then.rawValue].map { node($0, below: index, .then) }
        return .condition(if: condition, then: then, else: child(of: index, by: KeywordName.otherwise.rawValue))
    }

    private mutating func objectRule(
        _ keyword: KeywordName,
        _ value: EntryValue,
        in index: Int
    ) throws(Problem) -> SchemaRule? {
        switch keyword {
        case .propertyNames: return .memberNames(node(value, below: index, keyword))
        case .required: return .required(try Self.names(value))
        case .dependentRequired:
            guard case .object(let dependencies) = value else {
                throw Problem("'dependentRequired' must be an object of arrays")
            }
            var rules: [(name: String, needed: [String])] = []
            for (name, needed) in dependencies { rules.append((name: name, needed: try Self.names(needed))) }
            return .dependentRequired(rules)
        case .dependentSchemas: return .dependentSchemas(try namedNodes(value, below: index, keyword))
        case .unevaluatedProperties: return .unevaluatedMembers(node(value, below: index, keyword))
        default: return try memberRule(keyword, value, in: index)
        }
    }

    /// `additionalProperties`, `patternProperties` and `properties` are one rule, at the first of them in the schema.
    private mutating func memberRule(
        _ keyword: KeywordName,
        _ value: EntryValue,
        in index: Int
    ) throws(Problem) -> SchemaRule? {
        var (rules, position) = memberRules(in: index)
        switch keyword {
        case .additionalProperties:
            rules.additional = node(value, below: index, keyword)
            rules.isClosed = value == .boolean(false)
        case .patternProperties:
            for (name, node) in try namedNodes(value, below: index, keyword) {
                do throws(Problem) {
                    rules.patterns.append((pattern: try pattern(name), node: node))
                } catch {
                    addFault(at: nodes[node].place, error.message)
                }
            }
        default:
            rules.named = try namedNodes(value, below: index, keyword)
            if case .object(let declared) = value { (rules.declared, rules.names) = (declared, declared.map(\.key)) }
        }
        guard let position else { return .members(rules) }
        setRule(.members(rules), of: index, at: position)
        return nil
    }

    private func memberRules(in index: Int) -> (rules: MemberRules, position: Int?) {
        for (position, keyword) in nodes[index].keywords.enumerated() {
            if case .members(let rules) = keyword.rule { return (rules, position) }
        }
        return (MemberRules(), nil)
    }
}

// The values of keywords.
extension SchemaCompiler {
    private static func text(_ value: EntryValue) throws(Problem) -> String {
        guard case .string(let text) = value else { throw Problem("expected a string") }
        return text
    }

    private static func count(_ value: EntryValue, of keyword: KeywordName) throws(Problem) -> Int {
        guard case .integer(let count) = value, count >= 0 else {
            throw Problem("'\(keyword.rawValue)' must be a non-negative integer")
        }
        return count
    }

    private static func count(_ keyword: KeywordName, in members: EntryObject) throws(Problem) -> Int? {
        guard let value = members[keyword.rawValue] else { return nil }
        return try count(value, of: keyword)
    }

    private static func flag(_ value: EntryValue) throws(Problem) -> Bool {
        guard case .boolean(let flag) = value else { throw Problem("expected true or false") }
        return flag
    }

    private static func types(_ value: EntryValue) throws(Problem) -> [SchemaType] {
        let names: [EntryValue] = if case .array(let names) = value { names } else { [value] }
        let types = names.compactMap { String(configValue: $0).flatMap(SchemaType.init) }
        guard !types.isEmpty, types.count == names.count, Set(types).count == types.count else {
            let all = SchemaType.allCases.map(\.rawValue).joined(separator: ", ")
            throw Problem("'type' must be one or more of \(all), without duplicates")
        }
        return types
    }

    private static func names(_ value: EntryValue) throws(Problem) -> [String] {
        guard case .array(let elements) = value, Set(elements).count == elements.count else {
            throw Problem("expected an array of names without duplicates")
        }
        let names = elements.compactMap { String(configValue: $0) }
        guard names.count == elements.count else { throw Problem("expected an array of strings") }
        return names
    }

    private mutating func pattern(_ text: String) throws(Problem) -> TextPattern {
        let pattern: TextPattern
        do throws(PatternError) {
            pattern = try TextPattern(text)
        } catch {
            throw Problem("invalid pattern \(text.excerpt(ofScalars: 60)): \(error)")
        }
        patternSteps += pattern.stepCount
        guard patternSteps <= Self.maximumPatternSteps else {
            throw Problem(
                """
                the patterns are too complex: more than \(Self.maximumPatternSteps) steps in total; use fewer or \
                smaller repetitions
                """
            )
        }
        return pattern
    }

    private static func format(_ value: EntryValue) throws(Problem) -> ValueFormat {
        guard let format = ValueFormat(rawValue: try text(value)) else {
            throw Problem(
                "unknown format; expected one of \(ValueFormat.allCases.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return format
    }
}
