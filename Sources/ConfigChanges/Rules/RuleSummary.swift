// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigWire

/// The words that commands use for rules.
package enum RuleSummary {
    /// The names of the variants, the default one first: `pink, blue`.
    package static func variants(of rule: EntryMessage) -> String {
        guard let stored = StoredRule(rule.value) else { return "" }
        if rule.key == EntryKind.sharedRules {
            return "shared: " + stored.members.map(\.key).joined(separator: ", ").excerpt(ofScalars: 100)
        }
        if stored.variants.isEmpty { return "" }
        let first = stored.defaultVariant
        let names = [first].compactMap(\.self) + stored.variants.map(\.key).filter { $0 != first }
        return names.joined(separator: ", ").excerpt(ofScalars: 100)
    }

    /// A few words on how the variant is chosen: `blue 25 %`, `by conditions`, `none` or `disabled`.
    package static func targeting(of rule: EntryMessage) -> String {
        guard let stored = StoredRule(rule.value), !stored.variants.isEmpty else { return "" }
        if stored.isDisabled { return "disabled" }
        if stored.targeting == nil { return "none" }
        guard let (variant, share) = Rollout.single(in: rule.value) else { return "by conditions" }
        return "\(variant.excerpt(ofScalars: 60)) \(share)"
    }

    /// A warning that rules select the values of keys that were set; `nil` without an active rule.
    package static func warning(onKeys keys: [String], rules: [String: EntryValue]) -> String? {
        let ruled = keys.filter { StoredRule(rules[$0])?.isDisabled == false }
        guard let first = ruled.first else { return nil }
        let effect = "users with a context get the values of its variants, not the new value"
        if keys.count == 1 { return "Warning: \(first) has a rule: \(effect); see `livery rule show \(first)`" }
        let names = ruled.prefix(5).joined(separator: ", ") + (ruled.count > 5 ? ", …" : "")
        let count = ruled.count == 1 ? "1 key has a rule" : "\(ruled.count.grouped) keys have rules"
        return "Warning: \(count) (\(names)): \(effect.replacing("its", with: "the")); see `livery rule list`"
    }
}
