// SPDX-License-Identifier: Apache-2.0

/// The error in a regular expression that cannot be matched, with its position.
///
/// ```
/// character 3: '(?=' looks ahead, which cannot be matched in linear time; say it with allOf or not
/// ```
package struct PatternError: Error, Hashable, Sendable {
    /// The cause and the next step, as one sentence without a full stop.
    package let message: String
    /// The number of Unicode scalars of the pattern before the position.
    package let offset: Int
}

extension PatternError: CustomStringConvertible {
    /// The place, counted from 1, and the message.
    package var description: String { "character \(offset + 1): \(message)" }
}

/// A parsed regular expression without its groups: only whether a text matches is needed, not the position of its parts.
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

    /// Consecutive elements. No element of a sequence is empty, so that each adds at least one step to a program.
    init(sequence elements: [PatternNode]) {
        let elements = elements.filter { if case .empty = $0 { false } else { true } }
        self = elements.isEmpty ? .empty : elements.count == 1 ? elements[0] : .sequence(elements)
    }
}
