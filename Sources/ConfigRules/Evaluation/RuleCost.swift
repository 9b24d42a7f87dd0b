// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// An estimate of the steps that rules take, from the text of the rules alone.
///
/// ```swift
/// let cost = RuleCost(evaluators: rules[EntryKind.sharedRules])
/// let steps = cost.steps(of: rule)  // 1...100,000
/// ```
///
/// Arrays of the context count as 16 elements, and its texts as short. A larger context costs more, up to the limit of a
/// rule.
package struct RuleCost: Sendable {
    /// The maximum for all rules of a document together.
    package static let maximumPerDocument = 20_000_000

    /// The number of elements of an array that is not written in the rule.
    private static let assumedElements = 16

    /// The steps that an expression takes, and the size of its result.
    private struct Estimate {
        var steps: Int
        /// The cost of a look at all parts of the result.
        var size: Int

        static let one = Estimate(steps: 1, size: 1)
        static let maximum = Estimate(steps: RuleMachine.maximumSteps, size: RuleMachine.maximumSteps)

        mutating func add(_ other: Estimate) {
            steps = min(steps + other.steps, RuleMachine.maximumSteps)
            size = min(size + other.size, RuleMachine.maximumSteps)
        }
    }

    private var evaluators: [ExactString: Estimate] = [:]

    /// Estimates the shared evaluators of a document, each once.
    package init(evaluators: EntryValue?) {
        guard case .object(let named)? = evaluators else { return }
        self.evaluators = named.reduce(into: [:]) { $0[ExactString($1.key)] = estimate($1.value) }
    }

    /// The steps of a rule, at most those after which an evaluation ends.
    package func steps(of rule: EntryValue) -> Int {
        guard case .object(let members) = rule, let targeting = members["targeting"] else { return 0 }
        return estimate(targeting).steps
    }

    // The recursion is bounded by the depth of a value.
    private func estimate(_ value: EntryValue) -> Estimate {
        switch value {
        case .null, .boolean, .integer, .double: return .one
        case .string(let text):
            let size = min(1 + text.utf8.count / 16, RuleMachine.maximumSteps)
            return Estimate(steps: size, size: size)
        case .array(let elements):
            return elements.reduce(into: .one) { $0.add(estimate($1)) }
        case .object(let members):
            return members.reduce(into: Estimate(steps: 1, size: members.count == 1 ? 0 : 1)) {
                $0.add(operation($1.key, $1.value))
            }
        }
    }

    private func operation(_ name: String, _ arguments: EntryValue) -> Estimate {
        switch name {
        case RuleCompiler.reference:
            guard case .string(let name) = arguments else { return estimate(arguments) }
            return evaluators[ExactString(name)] ?? .one
        case "var":
            var variable = estimate(arguments)
            variable.size = max(variable.size, Self.assumedElements)
            return variable
        case "reduce":
            guard case .array(let operands) = arguments, operands.count == 3 else { return .maximum }
            var list = estimate(operands[0])
            let (body, initial) = (estimate(operands[1]), estimate(operands[2]))
            // The accumulator may double with each element.
            if body.size > max(initial.size, Self.assumedElements) { return .maximum }
            list.add(Estimate(steps: initial.steps + list.size * (1 + body.steps), size: 0))
            return Estimate(steps: list.steps, size: max(initial.size, body.size))
        case "map", "filter", "all", "none", "some":
            guard case .array(let operands) = arguments, operands.count == 2 else { return estimate(arguments) }
            var list = estimate(operands[0])
            let body = estimate(operands[1])
            let steps = list.size * (1 + body.steps)
            if name == "map" { list.size = min(list.size * body.size, RuleMachine.maximumSteps) }
            list.add(Estimate(steps: steps, size: 0))
            return list
        case "if", "and", "or":
            guard case .array(let operands) = arguments else { return estimate(arguments) }
            return operands.map(estimate).reduce(into: .one) { whole, part in
                whole.add(Estimate(steps: part.steps, size: 0))
                whole.size = max(whole.size, part.size)
            }
        case _ where Self.operatorsOfScalars.contains(name): return Estimate(steps: estimate(arguments).steps, size: 1)
        default: return estimate(arguments)
        }
    }

    /// The operators whose result is a number, a Boolean or null.
    private static let operatorsOfScalars: Set = [
        "+", "-", "*", "/", "%", "min", "max", "==", "===", "!=", "!==", "<", "<=", ">", ">=", "!", "!!", "in",
        "starts_with", "ends_with", "sem_ver",
    ]
}

extension RuleCost {
    /// The error of the rules of a document, by key, together; `nil` if they are within the limit.
    package static func problem(of rules: [String: EntryValue]) -> String? {
        let cost = RuleCost(evaluators: rules[EntryKind.sharedRules])
        return problem(ofSteps: rules.values.reduce(0) { $0 + cost.steps(of: $1) })
    }

    /// The error of so many steps; `nil` if they are within the limit.
    package static func problem(ofSteps steps: Int) -> String? {
        if steps <= maximumPerDocument { return nil }
        return """
            the rules could take \(steps) steps to evaluate, more than \(maximumPerDocument); shorten their lists, or divide \
            them among namespaces
            """
    }
}
