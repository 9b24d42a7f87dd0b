// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigRules
import RemoteConfig

extension ConfigState.Snapshot {
    /// The value of a key for a user by a rule, such as a draft of one.
    func outcome(of key: String, by rule: ConfigRule?, in context: EvaluationContext?, at seconds: Int) -> RuleOutcome {
        RuleOutcome(
            of: key,
            by: rule,
            in: context,
            at: seconds,
            evaluators: snapshot.held(EntryKind.rule.key(of: EntryKind.sharedRules))?.value,
            defaultValue: defaultValue(forKey: key)
        )
    }
}

extension EntrySnapshot {
    /// The source and the place of the value of a user: those of the rule, or of the default value.
    func place(of outcome: RuleOutcome, forKey key: String) -> String? {
        held(outcome.variant == nil ? key : EntryKind.rule.key(of: key))?.fullPlace
    }

    /// Whether a rule decides the value of a key.
    func hasRule(forKey key: String) -> Bool { hasRules && held(EntryKind.rule.key(of: key)) != nil }

    /// The keys that have a rule, and no value without a context; sorted.
    var keysOfRulesAlone: [String] { hasRules ? ruledKeys.filter { entries[$0] == nil }.sorted() : [] }

    /// The keys whose rules were added, changed or removed after a former state, sorted.
    func changedRules(since former: EntrySnapshot) -> [String] {
        ruledKeys.union(former.ruledKeys).filter { hasOther(EntryKind.rule.key(of: $0), than: former) }.sorted()
    }
}

extension ConfigEntry {
    /// The source and the place in it.
    var fullPlace: String {
        [source, location?.description].compactMap(\.self).joined(separator: ":")
    }
}
