// SPDX-License-Identifier: Apache-2.0

/// The explanation of a rule's result.
public struct RuleExplanation: Hashable, Sendable {
    /// The result of the rule.
    public let evaluation: RuleEvaluation
    /// The decisions on the way, in order: the first 1,000 decisions, and at most 64 KiB of them as JSON.
    package let steps: [Step]
    /// Whether there were more decisions than ``path`` has.
    public let isTruncated: Bool

    /// A decision on the way.
    package struct Step: Hashable, Sendable {
        /// The place in the rule as a JSON Pointer: `/targeting/if/0`; in a shared evaluator it begins with
        /// `/$evaluators`.
        package let pointer: String
        /// The decision at this branch.
        package let decision: Decision
    }

    /// The decision at a branch.
    package enum Decision: Hashable, Sendable {
        /// The condition of an `if` was true, or false.
        case condition(Bool)
        /// A split of this many parts of weight put the context into one of them, from 0 on.
        case split(bucket: Int, total: Int)
    }
}

extension RuleExplanation: CustomStringConvertible {
    /// The decisions on the way, in order, each with its place in the rule as a JSON Pointer: `/targeting/if/0: true`, or
    /// `/targeting/if/1: bucket 12 of 100` of a split. In a shared evaluator the place begins with `/$evaluators`.
    public var path: [String] { steps.map { "\($0.pointer): \($0.decision.words)" } }

    /// One line for the result, and one for each decision.
    public var description: String { ([evaluation.words] + path).joined(separator: "\n") }
}

extension RuleExplanation {
    /// The explanation of a rule that cannot be read.
    package init(failed error: EvaluationError) {
        (evaluation, steps, isTruncated) = (RuleEvaluation(reason: .error, error: error), [], false)
    }

    /// The maximum size of the steps as JSON, in bytes.
    private static let maximumBytes = 64 * 1024

    /// The size of a step as JSON without its pointer, in bytes.
    private static let stepBytes = 64

    /// - Parameter budget: The remaining size of this and further explanations, in bytes.
    init(_ evaluation: RuleEvaluation, _ decisions: RuleDecisions, within budget: inout Int) {
        var steps: [Step] = []
        var bytes = 0
        for decision in decisions.recorded {
            let pointer = decision.program.pointer(to: decision.node)
            bytes += Self.stepBytes + pointer.utf8.count
            if bytes > min(budget, Self.maximumBytes) { break }
            steps.append(Step(pointer: pointer, decision: decision.decision))
        }
        budget = max(budget - bytes, 0)
        isTruncated = decisions.isTruncated || steps.count < decisions.recorded.count
        (self.evaluation, self.steps) = (evaluation, steps)
    }
}

extension RuleEvaluation {
    /// `blue, TARGETING_MATCH`, or the error.
    package var words: String {
        if let error { return "\(reason.description) \(error.code.rawValue): \(error.message)" }
        return [variant ?? "default value", reason.description].joined(separator: ", ")
    }
}

extension RuleExplanation.Decision {
    /// `true`, or `bucket 17 of 100`.
    package var words: String {
        switch self {
        case .condition(let isTrue): isTrue ? "true" : "false"
        case .split(let bucket, let total): "bucket \(bucket) of \(total)"
        }
    }
}

/// The decisions of an evaluation, as far as they are recorded.
struct RuleDecisions: Sendable {
    /// A decision with the node that made it.
    typealias Decision = (decision: RuleExplanation.Decision, node: Int, program: RuleProgram.Shared)

    private(set) var recorded: [Decision] = []
    /// Whether there were more.
    private(set) var isTruncated = false

    /// The maximum number of recorded decisions.
    private static let maximum = 1000

    mutating func append(_ decision: RuleExplanation.Decision, at node: Int, of program: RuleProgram.Shared) {
        guard recorded.count < Self.maximum else {
            isTruncated = true
            return
        }
        recorded.append((decision, node, program))
    }
}
