// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The errors that make a rule unusable, all at once.
public struct RuleError: Error, Hashable, Sendable {
    /// The errors, from 1 to 100.
    public let faults: [RuleFault]

    /// The maximum number of errors reported per rule.
    static let maximumFaults = 100
}

extension RuleError: CustomStringConvertible {
    /// One line per error, with its position.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// An error in a rule.
public struct RuleFault: Hashable, Sendable {
    /// The position of the error, as a JSON Pointer (RFC 6901): `/targeting/if/0`; empty for the whole rule. In a shared
    /// evaluator it begins with `/$evaluators`.
    public let pointer: String
    /// The error and the next step, as one sentence without a full stop, for one line of a terminal.
    public let message: String
}

extension RuleFault: CustomStringConvertible {
    /// The place and the message in one line.
    public var description: String {
        [pointer.excerpt(ofScalars: 200), message].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}
