// SPDX-License-Identifier: Apache-2.0

import ConfigModel

// A rule with an operand that an operator cannot use is refused, so that none is ignored when the rule is evaluated.

extension RuleCompiler {
    /// Checks the number of operands, and the operands that are constants.
    func checkOperands(of name: String, _ nodes: [Int]) throws(Problem) {
        let count = nodes.count
        if let allowed = Self.operandCount(of: name), !allowed.contains(count) {
            throw Problem("'\(name)' takes \(Self.words(allowed)), not \(count)")
        }
        let operands = nodes.map(program.constant)
        switch name {
        case "map", "filter", "reduce", "all", "none", "some":
            try check(operands[0], of: name, "the first argument must be an array") { $0.isArray }
        case "in":
            try check(operands[1], of: name, "the second argument must be an array or a string") {
                $0.isArray || $0.isText
            }
        case "starts_with", "ends_with":
            for operand in operands { try check(operand, of: name, "both arguments must be strings") { $0.isText } }
        case "missing_some":
            try check(operands[0], of: name, "the first argument must be a number") { $0.isNumber }
            try check(operands[1], of: name, "the second argument must be an array of names") { $0.isArray }
            if case .array(let names)? = operands[1] { try checkNames(names, of: name) }
        case "missing":
            for operand in operands {
                let names: [EntryValue?] = if case .array(let names)? = operand { names } else { [operand] }
                try checkNames(names, of: name)
            }
        case "var":
            try check(operands.first ?? nil, of: name, "the first argument must be a name") { $0.isName || $0 == .null }
        case "sem_ver":
            try check(operands[0], of: name, "the first argument must be a version such as 2.1.0") {
                SemanticVersion(rule: $0) != nil
            }
        default: break
        }
    }

    /// - Parameter value: The operand, if it is written out.
    private func check(
        _ value: EntryValue?,
        of name: String,
        _ requirement: String,
        _ isMet: (EntryValue) -> Bool
    ) throws(Problem) {
        guard let value, !isMet(value) else { return }
        throw Problem("'\(name)': \(requirement), not \(value.canonicalJSON.excerpt(ofScalars: 60))")
    }

    private func checkNames(_ names: [EntryValue?], of name: String) throws(Problem) {
        for operand in names { try check(operand, of: name, "the arguments must be names") { $0.isName } }
    }

    /// The number of operands of an operator; `nil` for any number.
    private static func operandCount(of name: String) -> ClosedRange<Int>? {
        switch name {
        case "!", "!!", "log": 1...1
        case "==", "!=", "===", "!==", "/", "%", "in", "starts_with", "ends_with", "missing_some": 2...2
        case "map", "filter", "all", "none", "some": 2...2
        case "sem_ver": 3...3
        case "<", "<=", ">", ">=", "substr", "reduce": 2...3
        case "-": 1...2
        case "var": 0...2
        case "and", "or", "+", "*", "min", "max": 1...Int.max
        default: nil
        }
    }

    private static func words(_ count: ClosedRange<Int>) -> String {
        switch (count.lowerBound, count.upperBound) {
        case (1, 1): "one argument"
        case (2, 2): "two arguments"
        case (3, 3): "three arguments"
        case (let least, let most) where least + 1 == most: "\(least) or \(most) arguments"
        case (0, let most): "at most \(most) arguments"
        case (let least, _): "at least \(least == 1 ? "one argument" : "\(least) arguments")"
        }
    }
}

extension EntryValue {
    fileprivate var isText: Bool { if case .string = self { true } else { false } }

    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .double: true
        default: false
        }
    }

    /// Whether the value names an attribute, or a part of one.
    fileprivate var isName: Bool { isText || isNumber }
}
