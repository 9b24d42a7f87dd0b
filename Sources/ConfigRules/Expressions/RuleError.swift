// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// Why something is no rule: all its mistakes at once.
public struct RuleError: Error, Hashable, Sendable {
    /// The mistakes, at least one, and no more than 100.
    public let faults: [RuleFault]

    /// The most faults that are told of one rule.
    static let maximumFaults = 100
}

extension RuleError: CustomStringConvertible {
    /// A line for each mistake, with its place.
    public var description: String { faults.map(\.description).joined(separator: "\n") }
}

/// A mistake in a rule.
public struct RuleFault: Hashable, Sendable {
    /// Where it is, as a JSON Pointer (RFC 6901): `/targeting/if/0`; empty for the whole. In a shared evaluator it begins
    /// with `/$evaluators`.
    public let pointer: String
    /// What is wrong and what to do, as one sentence without a full stop, for one line of a terminal.
    public let message: String
}

extension RuleFault: CustomStringConvertible {
    /// The place and the message in one line.
    public var description: String {
        [pointer.excerpt(ofScalars: 200), message].filter { !$0.isEmpty }.joined(separator: ": ")
    }
}
