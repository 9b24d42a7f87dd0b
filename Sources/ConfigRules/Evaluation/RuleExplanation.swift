// SPDX-License-Identifier: Apache-2.0

/// How a rule came to what it gives.
public struct RuleExplanation: Hashable, Sendable {
    /// What the rule gives.
    public let evaluation: RuleEvaluation
    /// What was decided on the way, in order.
    public let steps: [Step]

    /// A decision on the way.
    public struct Step: Hashable, Sendable {
        /// Where it stands in the rule, as a JSON Pointer: `/targeting/if/0`.
        public let pointer: String
        /// What was decided.
        public let decision: Decision
    }

    /// What was decided.
    public enum Decision: Hashable, Sendable {
        /// The condition of an `if` was true, or false.
        case condition(Bool)
        /// A split of this many parts of weight put the context into one of them, from 0 on.
        case split(bucket: Int, total: Int)
    }
}

/// A decision with the node that made it.
struct RuleDecision: Hashable, Sendable {
    let node: Int
    let decision: RuleExplanation.Decision

    init(node: Int, _ decision: RuleExplanation.Decision) {
        (self.node, self.decision) = (node, decision)
    }
}
