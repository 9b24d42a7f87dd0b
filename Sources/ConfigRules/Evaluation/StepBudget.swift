// SPDX-License-Identifier: Apache-2.0

/// The cost of several evaluations together, so that no request keeps a server busy.
package struct StepBudget: Sendable {
    /// The remaining number of steps.
    package private(set) var steps: Int
    /// The remaining size of all explanations, in bytes of JSON.
    var explanationBytes: Int
    /// The error of an evaluation for which too few steps remain, as one sentence without a full stop.
    let message: StaticString

    /// - Parameters:
    ///   - steps: The maximum number of steps, in the terms of the limit of a single evaluation.
    ///   - explanationBytes: The maximum size of all explanations, in bytes of JSON.
    ///   - message: The error of an evaluation for which too few steps remain.
    package init(
        _ steps: Int,
        explanationBytes: Int = 4 * 1024 * 1024,
        message: StaticString = "the evaluations together exceed the step limit"
    ) {
        (self.steps, self.explanationBytes, self.message) = (steps, explanationBytes, message)
    }

    /// Whether nothing is left, so that an evaluation may have been cut off.
    package var isSpent: Bool { steps == 0 }

    /// The maximum number of steps of the next evaluation.
    var limit: Int { min(steps, RuleMachine.maximumSteps) }

    mutating func take(_ steps: Int) { self.steps = max(self.steps - steps, 0) }
}
