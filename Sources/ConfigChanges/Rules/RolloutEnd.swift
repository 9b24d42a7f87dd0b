// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
import ConfigRules

/// The end of a rollout in which one variant has all users: its value becomes that of the key, and the rule is removed.
///
/// If the variant is the default one, the rollout is at 0 %, and a key that has a value keeps it. Users without a targeting key
/// do not count.
package struct RolloutEnd: Hashable, Sendable {
    /// The variant whose value becomes that of the key; `nil` if the key keeps its value.
    package let variant: String?
    /// The changes, for one revision.
    package let changes: ConfigDiff

    /// The reason why a rule does not give all users one variant.
    private struct Refusal: Error {
        let reason: String
    }

    /// - Parameters:
    ///   - key: The key of the rule.
    ///   - rule: The rule, which is removed.
    ///   - draft: An edited rule that decides instead.
    ///   - defaultValue: The value of the key.
    /// - Throws: `notFound` without a rule, `rejected` with the reason unless one variant has all users.
    package init(
        of key: String,
        rule: EntryValue?,
        draft: EntryValue? = nil,
        defaultValue: EntryValue?
    ) throws(ConfigError) {
        guard let rule, let stored = StoredRule(draft ?? rule) else {
            throw ConfigError(.notFound, "the key has no rule; nothing was changed", key: key)
        }
        let chosen: String?
        do throws(Refusal) {
            chosen = try Self.variant(of: stored)
        } catch {
            // A rule that can be edited as shares can be completed as well.
            let isRollout = (try? Rollout(rule, defaultValue: defaultValue)).map { $0.replaced == nil } ?? false
            let advice =
                isRollout ? "roll out one variant to 100% or 0% first" : "change it with `livery rule set \(key)`"
            let message = "cannot finish the rollout: \(error.reason); \(advice), or remove the rule"
            throw ConfigError(.rejected, "\(message) with `livery rule unset \(key)`", key: key)
        }
        let isDefault = chosen.map { ExactString($0) } == stored.defaultVariant.map { ExactString($0) }
        variant = isDefault && defaultValue != nil ? nil : chosen
        let value = variant.flatMap { stored.variants[$0] } ?? defaultValue
        changes = ConfigDiff([
            KeyChange(key: key, old: defaultValue, new: value), KeyChange(key: key, kind: .rule, old: rule, new: nil),
        ])
    }

    /// The variant of all users; `nil` if they get the value of the key.
    private static func variant(of rule: StoredRule) throws(Refusal) -> String? {
        if rule.isDisabled {
            throw Refusal(reason: "the rule is disabled, so that all users get the value of the key")
        }
        let (variants, rest) = (rule.variants, rule.defaultVariant)
        guard let targeting = rule.targeting else { return rest }
        if case .string(let name) = targeting, variants[name] != nil { return name }
        guard let split = ConstantSplit(targeting, among: variants, by: RuleBucketing(of: rule.members)) else {
            throw Refusal(reason: "the targeting of the rule is not a split with constant weights")
        }
        let weights = split.weights
        guard let chosen = split.order.first(where: { weights[$0] == split.total }) else {
            let shares = split.order.map { "\($0.string) \(split.share(of: $0))" }
            let words = shares.joined(separator: ", ").excerpt(ofScalars: 200)
            throw Refusal(reason: "no variant has 100 % of the users (\(words))")
        }
        guard split.includesAllUsers || rest == chosen.string else {
            let words = ConstantSplit.words(ofBucketing: split.bucketing)
            let others = rest.map { "the default variant \($0.excerpt(ofScalars: 60))" } ?? "the value of the key"
            // Before flagd-3, users without the value are divided by the targeting key.
            let users = split.algorithm == .flagd3 ? "without that value" : "whose value is not a text"
            throw Refusal(reason: "the split divides users \(words), and users \(users) get \(others)")
        }
        return chosen.string
    }

    /// The action, such as `Make blue the value`.
    package var title: String { variant.map { "Make \($0.excerpt(ofScalars: 60)) the value" } ?? "Remove the rule" }
}
