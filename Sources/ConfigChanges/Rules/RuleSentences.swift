// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
import ConfigRules

/// A rule in words: a line for each branch, nested ones indented by two spaces.
///
/// ```
/// if language is es: blue
/// if plan is one of pro, team:
///   25 % blue, 75 % pink
/// otherwise: pink (default)
/// ```
///
/// Different targetings have different words: an operation without words is JSON. Only a line of ``maximumScalars`` or more, or
/// with an ellipsis, may leave something out.
package struct RuleSentences: Hashable, Sendable {
    /// The lines.
    package private(set) var lines: [String]
    private let defaultVariant: String?

    private static let maximumElements = 12
    static let maximumScalars = 200

    /// - Parameter rule: a rule as it is stored.
    package init(_ rule: EntryValue) {
        guard let rule = StoredRule(rule) else {
            (lines, defaultVariant) = ([], nil)
            return
        }
        defaultVariant = rule.defaultVariant
        lines = []
        if rule.isDisabled {
            lines = ["disabled: all users get the default value of the key"]
            return
        }
        lines = rule.targeting.map { outcome($0, indent: "") } ?? ["all users: \(rest)"]
        if let bucketing = Self.bucketing(of: rule.members) { lines.append(bucketing) }
    }

    /// The algorithm of a rule, unless it is that of new rules: `buckets: flagd-2`.
    static func bucketing(of rule: EntryObject) -> String? {
        guard let name = rule["bucketing"].flatMap({ String(configValue: $0) }),
            name != RuleBucketing.current.rawValue
        else { return nil }
        return "buckets: \(Self.name(name))"
    }

    /// The result where the targeting chooses no variant.
    private var rest: String { defaultVariant.map { "\(Self.name($0)) (default)" } ?? "the default value of the key" }
}

// What a user gets.
extension RuleSentences {
    private func outcome(_ value: EntryValue, indent: String) -> [String] {
        guard case .object(let operation) = value, let (name, argument) = operation.first, operation.count == 1 else {
            return [indent + result(value)]
        }
        let arguments = Self.arguments(argument)
        switch name {
        case "if", "?:": return branches(arguments[...], indent: indent)
        case "fractional": return [indent + (Self.split(arguments) ?? "a variant of \(Self.json(value))")]
        default:
            let words = Self.operationWords(value).map { "(\($0))" } ?? Self.subject(value)
            return [indent + "the variant that \(words) names"]
        }
    }

    private func result(_ value: EntryValue) -> String {
        switch value {
        case .null: rest
        case .string(let name): Self.name(name)
        default: Self.json(value)
        }
    }

    private func branches(_ arguments: ArraySlice<EntryValue>, indent: String) -> [String] {
        guard let condition = arguments.first else { return [indent + "otherwise: \(rest)"] }
        if arguments.count == 1 { return branch("otherwise", condition, indent: indent) }
        let head = "if " + Self.condition(condition)
        let then = arguments[arguments.startIndex + 1]
        return branch(head, then, indent: indent) + branches(arguments.dropFirst(2), indent: indent)
    }

    private func branch(_ head: String, _ value: EntryValue, indent: String) -> [String] {
        let lines = outcome(value, indent: "")
        if lines.count == 1 { return ["\(indent)\(head): \(lines[0])"] }
        return ["\(indent)\(head):"] + lines.map { indent + "  " + $0 }
    }

    /// `25 % blue, 75 % pink`, with the weights where the percentages are rounded, and with the source of the buckets unless it is
    /// the targeting key.
    ///
    /// - Returns: `nil` for a split with computed variants or weights.
    private static func split(_ arguments: [EntryValue]) -> String? {
        let bucketing = arguments.first.flatMap { $0.isArray ? nil : $0 }
        var parts: [(name: String, weight: Int)] = []
        for argument in arguments.dropFirst(bucketing == nil ? 0 : 1) {
            guard case .array(let pair) = argument, let part = ConstantSplit.part(pair) else { return nil }
            parts.append(part)
        }
        let total = parts.reduce(0) { $0 + $1.weight }
        guard total > 0 else { return nil }
        let shares = parts.map { Percentage(weight: $0.weight, total: total) }
        let words = zip(shares, parts).map { "\($0) \(name($1.name))" }.joined(separator: ", ")
        let divisor = parts.reduce(0) { greatestCommonDivisor($0, $1.weight) }
        let weights = parts.map { String($0.weight / divisor) }.joined(separator: ":")
        return words + (shares.allSatisfy(\.isDescribedExactly) ? "" : " (weights \(weights))")
            + (bucketing.map { ", " + ConstantSplit.words(ofBucketing: $0) } ?? "")
    }

    private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
        second == 0 ? first : greatestCommonDivisor(second, first % second)
    }
}

// Conditions.
extension RuleSentences {
    /// The condition at a place of a rule, such as `language is es`.
    ///
    /// - Parameters:
    ///   - pointer: The place, a JSON Pointer as a ``RuleExplanation`` has it.
    ///   - evaluators: The shared evaluators, in which the place may be.
    /// - Returns: the pointer itself if there is nothing at that place.
    static func condition(at pointer: String, of rule: EntryValue, evaluators: EntryValue?) -> String {
        var tokens = JSONPointer.tokens(of: pointer)
        var current = rule
        if tokens.first == EntryKind.sharedRules, let evaluators {
            current = evaluators
            tokens.removeFirst()
        }
        var operation: EntryValue?
        for token in tokens {
            guard let part = part(token, of: current) else { return pointer }
            // The place of an operation is that of its arguments.
            operation = if case .object(let members) = current, members.count == 1 { current } else { nil }
            current = part
        }
        return condition(operation ?? current)
    }

    private static func part(_ token: String, of value: EntryValue) -> EntryValue? {
        switch value {
        case .object(let members): members[token]
        case .array(let elements): Int(token).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        default: nil
        }
    }

    private static func arguments(_ value: EntryValue) -> [EntryValue] {
        if case .array(let elements) = value { elements } else { [value] }
    }

    /// A condition in words, such as `plan is pro and not (level < 3)`.
    ///
    /// The first operand of a relation is an attribute, and a text in it is in quotes; the second one is a text. An operand of any
    /// other kind is JSON.
    // The recursion is bounded by the depth of a value.
    static func condition(_ value: EntryValue) -> String {
        if value == true { return "always" }
        if value == false { return "never" }
        return operationWords(value) ?? subject(value)
    }

    /// - Returns: `nil` for anything but an operation that has words.
    private static func operationWords(_ value: EntryValue) -> String? {
        guard case .object(let operation) = value, let (name, argument) = operation.first, operation.count == 1 else {
            return nil
        }
        let arguments = arguments(argument)
        switch (name, arguments.count) {
        case ("and", 2...), ("or", 2...):
            let words = arguments.map { isGroup($0) ? "(\(condition($0)))" : condition($0) }
            return words.joined(separator: " \(name) ")
        case ("!", 1): return "not " + (operationWords(arguments[0]).map { "(\($0))" } ?? subject(arguments[0]))
        case ("!!", 1): return "\(subject(arguments[0])) is set"
        case ("==", 2): return relation(arguments, "is")
        case ("===", 2): return relation(arguments, "is exactly")
        case ("!=", 2): return relation(arguments, "is not")
        case ("!==", 2): return relation(arguments, "is not exactly")
        case ("starts_with", 2): return relation(arguments, "starts with")
        case ("ends_with", 2): return relation(arguments, "ends with")
        case ("<", 2...3), ("<=", 2...3), (">", 2...3), (">=", 2...3):
            return arguments.map(subject).joined(separator: " \(name) ")
        case ("in", 2): return containment(arguments[0], in: arguments[1])
        case ("sem_ver", 3):
            guard case .string(let name) = arguments[1], !name.isEmpty, name.utf8.allSatisfy("<>=!^~".utf8.contains)
            else {
                return nil
            }
            return relation([arguments[0], arguments[2]], name) + " (sem_ver)"
        case ("$ref", 1): return "shared rule \(object(arguments[0]))"
        default: return nil
        }
    }

    private static func relation(_ operands: [EntryValue], _ words: String) -> String {
        "\(subject(operands[0])) \(words) \(object(operands[1]))"
    }

    private static func isGroup(_ value: EntryValue) -> Bool {
        guard case .object(let operation) = value, operation.count == 1, let name = operation.first?.key else {
            return false
        }
        return name == "and" || name == "or"
    }

    /// - Returns: `nil` for an empty list.
    private static func containment(_ part: EntryValue, in whole: EntryValue) -> String? {
        guard case .array(let elements) = whole else { return relation([whole, part], "contains") }
        if elements.isEmpty { return nil }
        let names = elements.prefix(maximumElements).map(object).joined(separator: ", ")
        let rest = elements.count > maximumElements ? ", … (\(elements.count.grouped))" : ""
        return "\(subject(part)) is one of \(names)\(rest)"
    }
}

// Operands.
extension RuleSentences {
    /// The name of the attribute that an expression reads, without a default.
    static func attribute(_ expression: EntryValue) -> String? {
        guard case .object(let operation) = expression, operation.count == 1, let argument = operation["var"] else {
            return nil
        }
        let arguments = arguments(argument)
        guard arguments.count == 1, case .string(let path) = arguments[0], !path.isEmpty else { return nil }
        return path
    }

    /// An operand in the first place: an attribute by its name, or JSON.
    static func subject(_ value: EntryValue) -> String {
        if let name = attribute(value), isWord(name) { return cut(name) }
        return json(value)
    }

    /// An operand in the second place: a text without quotes, or JSON.
    private static func object(_ value: EntryValue) -> String {
        if case .string(let text) = value, isWord(text) { return cut(text) }
        return json(value)
    }

    /// The name of a variant or an attribute, in quotes where it could be read as more than one word.
    static func name(_ name: String) -> String { cut(quotedName(name)) }

    /// The same of any length.
    static func quotedName(_ name: String) -> String {
        isPlain(name) ? name : EntryValue.string(name).canonicalJSON
    }

    private static func json(_ value: EntryValue) -> String { cut(value.canonicalJSON) }
    private static func cut(_ text: String) -> String { text.excerpt(ofScalars: maximumScalars) }

    /// Whether a text can be read as nothing but a text in a condition: neither a number nor a word of a condition.
    private static func isWord(_ text: String) -> Bool {
        isPlain(text) && Double(text) == nil && !reservedWords.contains(ExactString(text))
    }

    private static func isPlain(_ text: String) -> Bool {
        !text.isEmpty
            && text.unicodeScalars.allSatisfy { scalar in
                scalar.properties.isAlphabetic || scalar.properties.numericType != nil
                    || "_-.@/#$%&*+!?;~|'".unicodeScalars.contains(scalar)
            }
    }

    private static let reservedWords = Set(
        [
            "always", "and", "contains", "ends", "exactly", "false", "from", "is", "never", "not", "null", "of", "one",
            "or", "rule", "set", "shared", "starts", "true", "with", "+", "!=", "~",
        ].map { ExactString($0) }
    )
}
