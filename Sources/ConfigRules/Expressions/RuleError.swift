// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The errors that make a rule unusable, all at once.
package struct RuleError: Error, Hashable, Sendable {
    /// The errors, from 1 to 100.
    package let faults: [RuleFault]

    /// The maximum number of errors reported per rule.
    static let maximumFaults = 100
}

extension RuleError: CustomStringConvertible {
    /// One line per error, with its position.
    package var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// An error in a rule.
package struct RuleFault: Hashable, Sendable {
    /// The position of the error, as a JSON Pointer (RFC 6901): `/targeting/if/0`; empty for the whole rule. In a shared
    /// evaluator it begins with `/$evaluators`.
    package let pointer: String
    /// The error and the next step, as one sentence without a full stop, for one line of a terminal.
    package let message: String
}

extension RuleFault: CustomStringConvertible {
    /// The place and the message in one line.
    package var description: String {
        [pointer.excerpt(ofScalars: 200), message].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}

extension ConfigError {
    /// The error of a rule that cannot be read, with a violation for each error.
    init(_ error: RuleError) {
        self.init(.invalidRule, error.faults.first?.description ?? "invalid rule")
        violations = error.faults.map { ViolationMessage(pointer: $0.pointer, message: $0.message) }
    }
}
