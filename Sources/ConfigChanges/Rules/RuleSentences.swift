// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
import ConfigRules
import TerminalUI

/// A rule in words: a line for each branch, nested ones indented by two spaces.
///
/// ```
/// if language is es: blue
/// if plan is one of pro, team:
///   25 % blue, 75 % pink
/// otherwise: pink
/// ```
package struct RuleSentences: Hashable, Sendable {
    /// The lines.
    package private(set) var lines: [String]
    private let defaultVariant: String?

    private static let maximumElements = 12
    static let maximumScalars = 200

    /// - Parameter rule: a rule as it is stored.
    package init(_ rule: EntryValue) {
        guard case .object(let members) = rule else {
            (lines, defaultVariant) = ([], nil)
            return
        }
        defaultVariant = members["defaultVariant"].flatMap { String(configValue: $0) }
        lines = []
        if members["state"] == "DISABLED" {
            lines = ["disabled: all users get the default value of the key"]
            return
        }
        let targeting = members["targeting"] ?? .null
        let isPlain = targeting == .null || targeting == [:]
        lines = isPlain ? ["all users: \(rest)"] : outcome(targeting, indent: "")
    }

    /// The result where the targeting chooses no variant.
    private var rest: String { defaultVariant.map(Self.word) ?? "the default value of the key" }
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
        case "fractional": return [indent + Self.split(arguments)]
        default: return [indent + "the variant that \(Self.expression(value)) names"]
        }
    }

    private func result(_ value: EntryValue) -> String {
        value == .null ? rest : Self.word(String(configValue: value) ?? value.canonicalJSON)
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

    /// `25 % blue, 75 % pink`, with the attribute that divides users unless it is the targeting key.
    private static func split(_ arguments: [EntryValue]) -> String {
        var (parts, by) = (arguments[...], "")
        if let first = arguments.first, !first.isArray {
            parts = parts.dropFirst()
            by = ", by " + (Rollout.attribute(dividing: first).map(word) ?? expression(first))
        }
        let weights = parts.map { part -> (name: String, weight: Int?) in
            guard case .array(let pair) = part, let name = pair.first else { return (expression(part), nil) }
            let weight = pair.count > 1 ? pair[1] : 1
            return (String(configValue: name).map(word) ?? expression(name), weight.asWeight)
        }
        let total = weights.reduce(0) { $0 + ($1.weight ?? 0) }
        let words = weights.map { part in
            guard let weight = part.weight, total > 0 else { return "a computed share \(part.name)" }
            return "\(Percentage(weight: weight, total: total)) \(part.name)"
        }
        return words.joined(separator: ", ") + by
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
        var tokens = pointer.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
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

    static func condition(_ value: EntryValue) -> String {
        guard case .object(let operation) = value, let (name, argument) = operation.first, operation.count == 1 else {
            return value == true ? "always" : value == false || value == .null ? "never" : expression(value)
        }
        let arguments = arguments(argument)
        switch (name, arguments.count) {
        case ("and", 1...), ("or", 1...):
            let words = arguments.map { isGroup($0) ? "(\(condition($0)))" : condition($0) }
            return words.joined(separator: " \(name) ")
        case ("!", 1):
            return isGroup(arguments[0]) ? "not (\(condition(arguments[0])))" : "not \(condition(arguments[0]))"
        case ("!!", 1): return "\(expression(arguments[0])) is set"
        case ("==", 2), ("===", 2): return "\(expression(arguments[0])) is \(expression(arguments[1]))"
        case ("!=", 2), ("!==", 2): return "\(expression(arguments[0])) is not \(expression(arguments[1]))"
        case ("<", 2...), ("<=", 2...), (">", 2...), (">=", 2...):
            return arguments.map(expression).joined(separator: " \(name) ")
        case ("in", 2): return containment(arguments[0], in: arguments[1])
        case ("starts_with", 2): return "\(expression(arguments[0])) starts with \(expression(arguments[1]))"
        case ("ends_with", 2): return "\(expression(arguments[0])) ends with \(expression(arguments[1]))"
        case ("sem_ver", 3):
            let relation = String(configValue: arguments[1]) ?? expression(arguments[1])
            return "\(expression(arguments[0])) \(relation) \(expression(arguments[2]))"
        case ("$ref", 1): return "shared rule \(expression(arguments[0]))"
        default: return expression(value)
        }
    }

    private static func isGroup(_ value: EntryValue) -> Bool {
        guard case .object(let operation) = value, operation.count == 1, let name = operation.first?.key else {
            return false
        }
        return name == "and" || name == "or"
    }

    private static func containment(_ part: EntryValue, in whole: EntryValue) -> String {
        guard case .array(let elements) = whole else { return "\(expression(whole)) contains \(expression(part))" }
        let names = elements.prefix(maximumElements).map(expression).joined(separator: ", ")
        let rest = elements.count > maximumElements ? ", … (\(elements.count.grouped))" : ""
        return "\(expression(part)) is one of \(names)\(rest)"
    }

    private static func expression(_ value: EntryValue) -> String {
        switch value {
        case .string(let text): return word(text)
        case .object(let operation) where operation.count == 1:
            guard let (name, argument) = operation.first else { break }
            let arguments = arguments(argument)
            if name == "var", case .string(let path)? = arguments.first, !path.isEmpty { return word(path) }
            if isCondition(name) { return condition(value) }
        default: break
        }
        return value.canonicalJSON.excerpt(ofScalars: maximumScalars)
    }

    private static func isCondition(_ name: String) -> Bool {
        ["and", "or", "!", "!!", "==", "===", "!=", "!==", "<", "<=", ">", ">=", "in", "starts_with", "ends_with"]
            .contains(name)
    }

    /// A name or a text, in quotes where it could be read as more than one word.
    static func word(_ text: String) -> String {
        let isPlain = !text.isEmpty && !text.utf8.contains { " \",:()".utf8.contains($0) }
        return (isPlain ? text : EntryValue.string(text).canonicalJSON).excerpt(ofScalars: maximumScalars)
    }
}

extension EntryValue {
    fileprivate var isArray: Bool { if case .array = self { true } else { false } }

    /// The weight of a part of a split; `nil` if it is computed.
    fileprivate var asWeight: Int? { if case .integer(let weight) = self { max(weight, 0) } else { nil } }
}
