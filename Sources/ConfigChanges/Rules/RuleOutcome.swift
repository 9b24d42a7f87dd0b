// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigRules

/// The value of a key for one user, with its origin and the decisions of the rule, in words.
package struct RuleOutcome: Hashable, Sendable {
    /// A decision of the rule: `Matched` or `Not met` with a condition, or `Bucket` with `17 of 100`.
    package struct Decision: Hashable, Sendable {
        package let kind: String
        package let words: String
    }

    /// `nil` if the key has no value for the user.
    package let value: EntryValue?
    package let defaultValue: EntryValue?
    /// The variant of the rule; `nil` if the default value applies.
    package let variant: String?
    /// The origin of the value, such as `variant blue`.
    package let origin: String
    package private(set) var decisions: [Decision] = []

    private static let maximumDecisions = 100

    /// - Parameters:
    ///   - key: The key.
    ///   - rule: The rule; `nil` for none.
    ///   - context: The user; `nil` for none.
    ///   - seconds: The time since 1970.
    ///   - evaluators: The shared evaluators, for their conditions.
    ///   - defaultValue: The value of the key where the rule selects no variant.
    package init(
        of key: String,
        by rule: ConfigRule?,
        in context: EvaluationContext?,
        at seconds: Int,
        evaluators: EntryValue?,
        defaultValue: EntryValue?
    ) {
        self.defaultValue = defaultValue
        guard let rule, let context else {
            (value, variant) = (defaultValue, nil)
            origin = rule == nil ? "default value, no rule" : "default value, no user"
            return
        }
        let explanation = rule.explain(key: key, in: context, at: seconds)
        let evaluation = explanation.evaluation
        (value, variant) = (evaluation.value ?? defaultValue, evaluation.variant)
        origin = Self.origin(of: evaluation)
        decisions = explanation.steps.prefix(Self.maximumDecisions).map { step in
            switch step.decision {
            case .condition(let isTrue):
                let words = RuleSentences.condition(at: step.pointer, of: rule.value, evaluators: evaluators)
                return Decision(kind: isTrue ? "Matched" : "Not met", words: words)
            case .split(let bucket, let total):
                return Decision(kind: "Bucket", words: "\(bucket.grouped) of \(total.grouped)")
            }
        }
        if explanation.isTruncated || explanation.steps.count > Self.maximumDecisions {
            decisions.append(Decision(kind: "", words: "… (more decisions)"))
        }
    }

    private static func origin(of evaluation: RuleEvaluation) -> String {
        guard let variant = evaluation.variant else {
            if let problem = evaluation.problem { return "default value, the rule failed: \(problem)" }
            let isDisabled = evaluation.reason == .disabled
            return "default value, " + (isDisabled ? "the rule is disabled" : "the rule selects no variant")
        }
        let isChosen = evaluation.reason == .targetingMatch
        return "variant \(variant.excerpt(ofScalars: 60))" + (isChosen ? "" : ", the default variant")
    }
}
