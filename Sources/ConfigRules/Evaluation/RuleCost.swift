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
            return members.reduce(into: .one) { $0.add(operation($1.key, $1.value)) }
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
        // The accumulator may double with each element.
        case "reduce": return .maximum
        case "map", "filter", "all", "none", "some":
            guard case .array(let operands) = arguments, operands.count == 2 else { return estimate(arguments) }
            var list = estimate(operands[0])
            let body = estimate(operands[1])
            let steps = list.size * (1 + body.steps)
            if name == "map" { list.size = min(list.size * body.size, RuleMachine.maximumSteps) }
            list.add(Estimate(steps: steps, size: 0))
            return list
        default: return estimate(arguments)
        }
    }
}
