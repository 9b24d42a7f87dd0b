// SPDX-License-Identifier: Apache-2.0

/// Why a text is no regular expression that can be matched, and where.
///
/// ```
/// character 3: '(?=' looks ahead, which cannot be matched in linear time; say it with allOf or not
/// ```
public struct PatternError: Error, Hashable, Sendable {
    /// What is wrong and what to do, as one sentence without a full stop.
    public let message: String
    /// How many Unicode scalars of the pattern come before the place.
    public let offset: Int
}

extension PatternError: CustomStringConvertible {
    /// The place, counted from 1, and the message.
    public var description: String { "character \(offset + 1): \(message)" }
}

/// A regular expression as it is written, without its groups: only what a text must be counts, not which part is where.
indirect enum PatternNode {
    case empty
    case scalar(Unicode.Scalar)
    /// A scalar out of the set with this index.
    case set(Int)
    case assertion(Assertion)
    case sequence([PatternNode])
    case alternatives([PatternNode])
    /// Without an upper bound if `atMost` is `nil`.
    case repetition(PatternNode, atLeast: Int, atMost: Int?)

    /// A condition on the place between two scalars.
    enum Assertion {
        case startOfText, endOfText
        /// Between a word's character and another, as `\b`; or the contrary, as `\B`.
        case wordBoundary(Bool)
    }

    /// Elements one after another. No element of a sequence is empty, so that each gives a program at least one step.
    init(sequence elements: [PatternNode]) {
        let elements = elements.filter { if case .empty = $0 { false } else { true } }
        self = elements.isEmpty ? .empty : elements.count == 1 ? elements[0] : .sequence(elements)
    }
}
