// SPDX-License-Identifier: Apache-2.0

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
