// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// What a rule gives in a context.
public struct RuleEvaluation: Hashable, Sendable {
    /// The name of the variant; `nil` if none was chosen.
    public var variant: String?
    /// Its value; `nil` if the caller's own default counts.
    public var value: EntryValue?
    /// Why.
    public var reason: EvaluationReason
    /// What went wrong; `nil` unless the reason is ``EvaluationReason/error``.
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

/// Why a value is as it is, in OpenFeature's terms.
public enum EvaluationReason: String, Hashable, Sendable, CaseIterable {
    /// There is nothing to decide by.
    case `static` = "STATIC"
    /// The targeting chose the variant, be it by a condition or by a split.
    case targetingMatch = "TARGETING_MATCH"
    /// A split chose the variant: said by other servers, as flagd says ``targetingMatch``.
    case split = "SPLIT"
    /// The targeting chose none, or there is no default variant.
    case `default` = "DEFAULT"
    /// The rule is switched off.
    case disabled = "DISABLED"
    /// Something went wrong.
    case error = "ERROR"
}

/// Why a rule could not be evaluated.
public struct EvaluationError: Error, Hashable, Sendable {
    /// OpenFeature's codes.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The rule cannot be read.
        case parseError = "PARSE_ERROR"
        /// The context has no targeting key, and needs one.
        case targetingKeyMissing = "TARGETING_KEY_MISSING"
        /// The context cannot be read.
        case invalidContext = "INVALID_CONTEXT"
        /// There is no such flag.
        case flagNotFound = "FLAG_NOT_FOUND"
        /// The value is of another type than was asked for.
        case typeMismatch = "TYPE_MISMATCH"
        /// Anything else.
        case general = "GENERAL"
    }

    /// What kind of error it is.
    public let code: Code
    /// What is wrong, as one sentence without a full stop.
    public let message: String

    /// Creates an error.
    public init(_ code: Code, _ message: String) {
        (self.code, self.message) = (code, message)
    }
}
