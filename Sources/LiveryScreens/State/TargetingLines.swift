// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import RemoteConfig

extension ConfigState.Snapshot {
    /// The result of the rule of a key, such as `evaluated by a rule: blue, …`, each decision, and the values; none
    /// where the key has no rule.
    ///
    /// - Parameter time: the time of the evaluation.
    func targetingLines(forKey key: String, at time: Timestamp) -> [String] {
        guard let rule = rule(forKey: key) else { return ruleProblem(forKey: key).map { [$0.message] } ?? [] }
        let served = snapshot.entries[key].map { [("served: ", $0.value)] } ?? []
        let fallback = valueForEverybody(forKey: key).map { [("default: ", $0)] } ?? []
        let variants = rule.variants.map { ("variant \($0.key): ", $0.value) }
        let values = (served + fallback + variants).map { $0 + $1.canonicalJSON.excerpt(ofScalars: 60) }
        // Without a context nothing is evaluated, and the default counts.
        let hasContext = context != nil
        let explanation = rule.explain(key: key, in: context ?? EvaluationContext(), at: time.seconds)
        let steps = explanation.steps.map { "\($0.pointer): \($0.decision.words)" }
        let rest = explanation.isTruncated ? ["… (more decisions)"] : []
        let given = explanation.evaluation.words
        let head =
            hasContext
            ? ["evaluated by a rule: \(given)"]
            : [
                "has a rule, not evaluated: pass a context (--context); using the default value",
                "with an empty context: \(given)",
            ]
        return head + steps + rest + values
    }
}

extension EntrySnapshot {
    /// Whether a rule decides the value of a key.
    func hasRule(forKey key: String) -> Bool { hasRules && held[EntryKind.rule.key(of: key)] != nil }

    /// The keys that have a rule, and no value without a context; sorted.
    var keysOfRulesAlone: [String] { hasRules ? ruledKeys.filter { entries[$0] == nil }.sorted() : [] }

    /// The keys whose rules were added, changed or removed after a former state, sorted.
    func changedRules(since former: EntrySnapshot) -> [String] {
        let keys = Set(ruledKeys).union(former.ruledKeys)
        return keys.filter { key in
            let name = EntryKind.rule.key(of: key)
            return held[name]?.value != former.held[name]?.value
        }.sorted()
    }
}
