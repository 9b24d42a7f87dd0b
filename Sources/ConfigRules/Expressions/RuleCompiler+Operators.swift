import ConfigModel

extension RuleCompiler {
    /// The node of an operator.
    ///
    /// - Parameter values: the arguments as they are written.
    func node(named name: String, _ arguments: [Int], _ values: [EntryValue]) throws(Problem) -> RuleNode {
        if let comparison = RuleComparison(rawValue: name) {
            guard arguments.count >= 2 else { throw Problem("'\(name)' compares two or three values") }
            return .comparison(comparison, arguments[0], arguments[1], arguments.dropFirst(2).first)
        }
        if let iteration = RuleIteration(rawValue: name) {
            let rest = arguments.dropFirst()
            return .iteration(iteration, items: arguments.first, body: rest.first, initial: rest.dropFirst().first)
        }
        switch name {
        case "if", "?:": return .condition(arguments)
        case "and": return .all(arguments)
        case "or": return .any(arguments)
        case "fractional": return .split(try split(arguments, values))
        default: break
        }
        guard let known = RuleOperator(rawValue: name) else {
            throw Problem("there is no operator '\(name.excerpt(ofScalars: 60))'; correct its spelling")
        }
        switch known {
        case .variable: return variable(arguments)
        case .version: return try version(arguments)
        case .startsWith, .endsWith:
            guard arguments.count == 2 else { throw Problem("'\(name)' has two arguments, both of them texts") }
        default: break
        }
        return .operation(known, arguments)
    }

    private func variable(_ arguments: [Int]) -> RuleNode {
        guard let first = arguments.first, case .string(let path)? = constant(first), !path.isEmpty else {
            return .operation(.variable, arguments)
        }
        let components = RuleNode.components(of: path)
        if components.count == 1, arguments.count == 1 { return .attribute(components[0]) }
        return .variable(components, otherwise: arguments.dropFirst().first)
    }

    private func version(_ arguments: [Int]) throws(Problem) -> RuleNode {
        guard arguments.count == 3 else {
            throw Problem("'sem_ver' has three arguments: a version, an operator and a version")
        }
        guard let name = constant(arguments[1]) else { return .operation(.version, arguments) }
        guard let relation = String(configValue: name).flatMap(VersionRelation.init(rawValue:)) else {
            let names = VersionRelation.allCases.map(\.rawValue).joined(separator: " ")
            throw Problem("the operator of 'sem_ver' is one of \(names)")
        }
        guard let version = constant(arguments[2]) else { return .operation(.version, arguments) }
        guard let limit = SemanticVersion(rule: version) else {
            throw Problem("\(version.canonicalJSON.excerpt(ofScalars: 60)) is no version such as 2.1.0")
        }
        return .version(arguments[0], relation, VersionLimit(limit))
    }

    private func split(_ arguments: [Int], _ values: [EntryValue]) throws(Problem) -> RuleSplit {
        guard let first = values.first else { throw Problem("'fractional' has variants with weights") }
        let hasBucketing = if case .array = first { false } else { true }
        let parts = try arguments.dropFirst(hasBucketing ? 1 : 0).map { (part) throws(Problem) in try self.part(part) }
        guard !parts.isEmpty else { throw Problem("'fractional' has variants with weights, such as [\"blue\", 10]") }
        try checkTotal(parts)
        return RuleSplit(bucketBy: hasBucketing ? arguments[0] : nil, parts: parts)
    }

    private func part(_ node: Int) throws(Problem) -> RuleSplit.Part {
        switch nodes[node] {
        case .list(let pair) where (1...2).contains(pair.count):
            if let weight = pair.dropFirst().first.flatMap(constant) { _ = try self.weight(weight) }
            return .pair(variant: pair[0], weight: pair.dropFirst().first)
        case .constant(.array(let pair)) where (1...2).contains(pair.count):
            return .fixed(pair[0], weight: try weight(pair.dropFirst().first ?? 1))
        case .list, .constant:
            throw Problem("a part of 'fractional' is a variant, or a variant with its weight: [\"blue\", 10]")
        default: return .computed(node)
        }
    }

    /// A weight that is written out; a negative one counts as 0.
    private func weight(_ value: EntryValue) throws(Problem) -> Int {
        guard case .integer(let weight) = value else {
            throw Problem("a weight is a whole number, not \(value.canonicalJSON.excerpt(ofScalars: 60))")
        }
        guard weight <= RuleSplit.maximumTotal else { throw Self.tooMuch }
        return max(0, weight)
    }

    private func checkTotal(_ parts: [RuleSplit.Part]) throws(Problem) {
        let weights = parts.compactMap { if case .fixed(_, let weight) = $0 { weight } else { nil } }
        let total = weights.reduce(0, +)
        guard total <= RuleSplit.maximumTotal else { throw Self.tooMuch }
        if total == 0 && weights.count == parts.count { throw Problem("one of the weights has to be more than 0") }
    }

    private static var tooMuch: Problem { Problem("all weights together are at most \(RuleSplit.maximumTotal)") }
}
