// SPDX-License-Identifier: Apache-2.0

/// How many steps several evaluations may take together, so that nobody keeps a server busy with one request.
package struct StepBudget: Sendable {
    private var left: Int

    /// - Parameter steps: how many, in the terms of the limit that each evaluation has of its own.
    package init(_ steps: Int) { left = steps }

    /// What the next evaluation may take.
    var limit: Int { min(left, RuleMachine.maximumSteps) }

    mutating func take(_ steps: Int) { left = max(left - steps, 0) }
}
