// SPDX-License-Identifier: Apache-2.0

import ConfigModel

extension RuleCompiler {
    /// The node of an operator.
    ///
    /// - Parameter values: the arguments as they are written.
    mutating func node(named name: String, _ arguments: [Int], _ values: [EntryValue]) throws(Problem) -> RuleNode {
        try checkOperands(of: name, arguments)
        if let comparison = RuleOrdering(name: name) {
            return .comparison(comparison, program.add(arguments: arguments))
        }
        if let iteration = RuleIteration(name: name) {
            return .iteration(iteration, program.add(arguments: arguments))
        }
        switch name {
        case "if", "?:": return .condition(program.add(arguments: arguments))
        case "and": return .all(program.add(arguments: arguments))
        case "or": return .any(program.add(arguments: arguments))
        case "fractional": return program.add(try split(arguments, values))
        default: break
        }
        guard let known = RuleOperator(name: name) else {
            throw Problem("unknown operator '\(name.excerpt(ofScalars: 60))'")
        }
        switch known {
        case .variable: return variable(arguments)
        case .version: return try version(arguments)
        default: break
        }
        return .operation(known, program.add(arguments: arguments))
    }

    private mutating func variable(_ arguments: [Int]) -> RuleNode {
        guard let first = arguments.first, case .string(let path)? = program.constant(first), !path.isEmpty else {
            return .operation(.variable, program.add(arguments: arguments))
        }
        return program.add(path: RuleNode.components(of: path), otherwise: arguments.dropFirst().first)
    }

    private mutating func version(_ arguments: [Int]) throws(Problem) -> RuleNode {
        guard let name = program.constant(arguments[1]) else {
            return .operation(.version, program.add(arguments: arguments))
        }
        guard let relation = String(configValue: name).flatMap(VersionRelation.init(name:)) else {
            let names = VersionRelation.allCases.map(\.rawValue).joined(separator: " ")
            throw Problem("the operator of 'sem_ver' must be one of \(names)")
        }
        guard let version = program.constant(arguments[2]) else {
            return .operation(.version, program.add(arguments: arguments))
        }
        guard let limit = SemanticVersion(rule: version) else {
            throw Problem("\(version.canonicalJSON.excerpt(ofScalars: 60)) is not a version such as 2.1.0")
        }
        return program.add(arguments[0], relation, VersionLimit(limit))
    }

    private func split(_ arguments: [Int], _ values: [EntryValue]) throws(Problem) -> RuleSplit {
        guard let first = values.first else { throw Problem("'fractional' requires variants with weights") }
        let hasBucketing = if case .array = first { false } else { true }
        let parts = try arguments.dropFirst(hasBucketing ? 1 : 0).map { (part) throws(Problem) in try self.part(part) }
        guard !parts.isEmpty else {
            throw Problem("'fractional' requires variants with weights, such as [\"blue\", 10]")
        }
        try checkTotal(parts)
        return RuleSplit(bucketBy: hasBucketing ? arguments[0] : nil, parts: parts)
    }

    private func part(_ node: Int) throws(Problem) -> RuleSplit.Part {
        switch program.nodes[node] {
        case .list(let list) where (1...2).contains(list.count):
            let pair = program.nodes(list)
            if let weight = pair.dropFirst().first.flatMap(program.constant) { _ = try self.weight(weight) }
            return .pair(variant: pair[0], weight: pair.dropFirst().first)
        case .constant(let index):
            guard case .array(let pair) = program.constants[Int(index)], (1...2).contains(pair.count) else {
                throw Self.noPart
            }
            return .fixed(pair[0], weight: try weight(pair.dropFirst().first ?? 1))
        case .list: throw Self.noPart
        default: return .computed(node)
        }
    }

    /// A weight that is written out; a negative one counts as 0.
    private func weight(_ value: EntryValue) throws(Problem) -> Int {
        guard case .integer(let weight) = value else {
            throw Problem("a weight must be a non-negative integer, not \(value.canonicalJSON.excerpt(ofScalars: 60))")
        }
        guard weight <= RuleSplit.maximumTotal else { throw Self.tooMuch }
        return max(0, weight)
    }

    private func checkTotal(_ parts: [RuleSplit.Part]) throws(Problem) {
        let weights = parts.compactMap { if case .fixed(_, let weight) = $0 { weight } else { nil } }
        let total = weights.reduce(0, +)
        guard total <= RuleSplit.maximumTotal else { throw Self.tooMuch }
        if total == 0 && weights.count == parts.count { throw Problem("at least one weight must be greater than 0") }
    }

    private static var noPart: Problem {
        Problem("an argument of 'fractional' must be a variant, or a variant with its weight: [\"blue\", 10]")
    }

    private static var tooMuch: Problem { Problem("the sum of the weights must be at most \(RuleSplit.maximumTotal)") }
}
