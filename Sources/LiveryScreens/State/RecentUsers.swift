// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules

/// The users of evaluations on the screen: the one of the program, or one that was typed, and recent ones.
struct RecentUsers: Hashable, Sendable {
    /// The context; `nil` for none.
    private(set) var context: EvaluationContext?
    /// The contexts that were typed, the latest first.
    private(set) var recent: [String] = []
    /// Whether one was typed, in place of the program's.
    private(set) var isTyped = false

    private static let maximumUsers = 8

    /// Follows the program's context, unless another one was typed.
    mutating func follow(_ program: EvaluationContext?) {
        if !isTyped { context = program }
    }

    /// Uses a context that was typed; an empty line removes the context.
    ///
    /// - Throws: `typeMismatch` with what is expected.
    mutating func use(_ line: String) throws(ConfigError) {
        context = try EvaluationContext(line: line)
        isTyped = true
        guard context != nil else { return }
        let line = self.line
        recent = [line] + recent.filter { !$0.hasSameScalars(as: line) }.prefix(Self.maximumUsers - 1)
    }

    /// The context as it is typed; empty for none.
    var line: String { context?.line ?? "" }
    /// The context, or the way to set one.
    var label: String { line.isEmpty ? "none, press w" : line }
}
