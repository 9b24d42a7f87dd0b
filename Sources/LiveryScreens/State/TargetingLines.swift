// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import RemoteConfig

extension ConfigState.Snapshot {
    /// The result of the rule of a key in a context, such as `evaluated by a rule: blue, …`, each decision, and the values; none
    /// where the key has no rule.
    ///
    /// - Parameters:
    ///   - context: `nil` for the default value, which counts without a context.
    ///   - time: the time of the evaluation.
    func targetingLines(forKey key: String, in context: EvaluationContext?, at time: Timestamp) -> [String] {
        guard let rule = rule(forKey: key) else { return ruleProblem(forKey: key).map { [$0.message] } ?? [] }
        let defaultValue = self.defaultValue(forKey: key)
        let explanation = rule.explain(key: key, in: context ?? EvaluationContext(), at: time.seconds)
        let steps = explanation.steps.map { "\($0.pointer): \($0.decision.words)" }
        let rest = explanation.isTruncated ? ["… (more decisions)"] : []
        let given = explanation.evaluation.words
        let served = context == nil ? defaultValue : explanation.evaluation.value ?? defaultValue
        let values = [("gets: ", served), ("default: ", defaultValue)].compactMap { name, value in
            value.map { name + $0.canonicalJSON.excerpt(ofScalars: 60) }
        }
        let head =
            context != nil
            ? ["evaluated by a rule: \(given)"]
            : [
                "rule not evaluated, using the default value: no user; press w, or pass --context",
                "with an empty context: \(given)",
            ]
        return head + steps + rest + values
    }
}

extension EntrySnapshot {
    /// Whether a rule decides the value of a key.
    func hasRule(forKey key: String) -> Bool { hasRules && held(EntryKind.rule.key(of: key)) != nil }

    /// The keys that have a rule, and no value without a context; sorted.
    var keysOfRulesAlone: [String] { hasRules ? ruledKeys.filter { entries[$0] == nil }.sorted() : [] }

    /// The keys whose rules were added, changed or removed after a former state, sorted.
    func changedRules(since former: EntrySnapshot) -> [String] {
        ruledKeys.union(former.ruledKeys).filter { hasOther(EntryKind.rule.key(of: $0), than: former) }.sorted()
    }
}
