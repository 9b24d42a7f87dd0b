// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The result of a rule in a context.
public struct RuleEvaluation: Hashable, Sendable {
    /// The name of the variant; `nil` if none was chosen.
    public var variant: String?
    /// Its value; `nil` if the caller's own default counts.
    public var value: EntryValue?
    /// The reason for the result.
    public var reason: EvaluationReason
    /// The error; `nil` unless the reason is ``EvaluationReason/error``.
    package var error: EvaluationError?

    /// The error, as one sentence without a full stop; `nil` unless the reason is ``EvaluationReason/error``.
    public var problem: String? { error?.message }

    /// Creates an evaluation.
    package init(
        variant: String? = nil,
        value: EntryValue? = nil,
        reason: EvaluationReason,
        error: EvaluationError? = nil
    ) {
        (self.variant, self.value, self.reason, self.error) = (variant, value, reason, error)
    }
}

/// The reason for a result, in OpenFeature's terms.
public struct EvaluationReason: Hashable, Sendable, CustomStringConvertible {
    /// The term, such as `TARGETING_MATCH`.
    public let description: String

    private init(_ term: String) { description = term }

    /// A value without a rule, or of a rule without targeting: none, or an empty object.
    public static let `static` = EvaluationReason("STATIC")
    /// The targeting chose the variant, be it by a condition or by a split.
    public static let targetingMatch = EvaluationReason("TARGETING_MATCH")
    /// A variant selected by a split, as reported by other servers; flagd reports ``targetingMatch``.
    public static let split = EvaluationReason("SPLIT")
    /// The targeting chose none: it returned null. Or the rule has no targeting and no default variant.
    public static let `default` = EvaluationReason("DEFAULT")
    /// The rule is switched off.
    public static let disabled = EvaluationReason("DISABLED")
    /// The evaluation failed.
    public static let error = EvaluationReason("ERROR")
}

/// The error of a rule that could not be evaluated.
package struct EvaluationError: Error, Hashable, Sendable {
    /// OpenFeature's codes.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The rule cannot be read.
        case parseError = "PARSE_ERROR"
        /// The context has no targeting key, and needs one.
        case targetingKeyMissing = "TARGETING_KEY_MISSING"
        /// The context cannot be read.
        case invalidContext = "INVALID_CONTEXT"
        /// The flag does not exist.
        case flagNotFound = "FLAG_NOT_FOUND"
        /// The value has another type than the requested one.
        case typeMismatch = "TYPE_MISMATCH"
        /// Anything else.
        case general = "GENERAL"
    }

    /// The kind of error.
    package let code: Code
    /// The error, as one sentence without a full stop.
    package let message: String

    /// Creates an error.
    package init(_ code: Code, _ message: String) {
        (self.code, self.message) = (code, message)
    }
}
