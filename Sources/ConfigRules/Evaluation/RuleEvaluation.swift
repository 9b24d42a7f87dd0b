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
    public var error: EvaluationError?

    /// Creates an evaluation.
    public init(
        variant: String? = nil,
        value: EntryValue? = nil,
        reason: EvaluationReason,
        error: EvaluationError? = nil
    ) {
        (self.variant, self.value, self.reason, self.error) = (variant, value, reason, error)
    }
}

/// The reason for a result, in OpenFeature's terms.
public enum EvaluationReason: String, Hashable, Sendable, CaseIterable {
    /// A value without a rule or targeting.
    case `static` = "STATIC"
    /// The targeting chose the variant, be it by a condition or by a split.
    case targetingMatch = "TARGETING_MATCH"
    /// A variant selected by a split, as reported by other servers; flagd reports ``targetingMatch``.
    case split = "SPLIT"
    /// The targeting chose none, or there is no default variant.
    case `default` = "DEFAULT"
    /// The rule is switched off.
    case disabled = "DISABLED"
    /// Something went wrong.
    case error = "ERROR"
}

/// The error of a rule that could not be evaluated.
public struct EvaluationError: Error, Hashable, Sendable {
    /// OpenFeature's codes.
    public enum Code: String, Hashable, Sendable, CaseIterable {
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
    public let code: Code
    /// The error, as one sentence without a full stop.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        (self.code, self.message) = (code, message)
    }
}
