// SPDX-License-Identifier: Apache-2.0

import ConfigClient
package import ConfigModel
package import ConfigRules
import ConfigWire

extension NamespaceContents {
    /// The rule of a key; `nil` if it has none.
    ///
    /// - Throws: `rejected` with the errors.
    package func rule(ofKey key: String) throws(ConfigError) -> ConfigRule? {
        guard let rule = rules[key] else { return nil }
        do throws(RuleError) {
            let evaluators = try rules[EntryKind.sharedRules].map(RuleEvaluators.init) ?? .none
            return try ConfigRule(rule, evaluators: evaluators)
        } catch {
            var rejection = ConfigError(.rejected, "invalid rule", key: key)
            rejection.violations = error.messages(of: key)
            throw rejection
        }
    }
}

/// The value of a key in a context.
package struct EvaluatedKey {
    package let key: String
    /// The value in the context.
    package let value: EntryValue
    /// The default value, which programs without a context get; `nil` if the key has only a rule.
    package let defaultValue: EntryValue?
    /// The explanation of the value; `nil` without a rule or a context.
    package let explanation: RuleExplanation?
    private let hasRule: Bool

    /// - Parameter context: the evaluation context; `nil` for the default value.
    /// - Throws: `notFound` if there is no value for them.
    package init(_ key: String, in contents: NamespaceContents, for context: EvaluationContext?) throws(ConfigError) {
        let rule = try contents.rule(ofKey: key)
        let explanation = context.flatMap { rule?.explain(key: key, in: $0, at: Timestamp.now.seconds) }
        guard let value = explanation?.evaluation.value ?? contents.values[key] else {
            let reason =
                rule == nil
                ? "key not found"
                : "no value: the rule of the key selects no variant for this context, and the key has no default value"
            throw ConfigError(.notFound, reason, key: key)
        }
        (self.key, self.value, self.explanation, hasRule) = (key, value, explanation, rule != nil)
        defaultValue = contents.values[key]
    }

    /// Writes the variant, `null` where the key's value counts, the reason and the error if there is one. A rule that is not
    /// evaluated, since there is no context, has the reason `DEFAULT`.
    package func writeReason(to object: inout JSONWriter) {
        let evaluation = explanation?.evaluation ?? RuleEvaluation(reason: hasRule ? .default : .static)
        object.member("variant") { $0.optional(evaluation.variant) { $0.string($1) } }
        object.member("reason") { $0.string(evaluation.reason.description) }
        evaluation.error?.writeMembers(to: &object)
    }
}
