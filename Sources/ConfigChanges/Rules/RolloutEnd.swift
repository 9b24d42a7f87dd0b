// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The end of a rollout in which one variant has all users: its value becomes that of the key, and the rule is removed.
///
/// If the variant is the default one, the rollout is at 0 %, and a key that has a value keeps it.
package struct RolloutEnd: Hashable, Sendable {
    /// The variant whose value becomes that of the key; `nil` if the key keeps its value.
    package let variant: String?
    /// The changes, for one revision.
    package let changes: ConfigDiff

    /// - Parameters:
    ///   - key: The key of the rule.
    ///   - rollout: The shares, of the rule or of a draft.
    ///   - rule: The rule, which is removed.
    ///   - defaultValue: The value of the key.
    /// - Throws: `notFound` without a rule, `rejected` with the shares unless one variant has all users.
    package init(
        of key: String,
        _ rollout: Rollout,
        rule: EntryValue?,
        defaultValue: EntryValue?
    ) throws(ConfigError) {
        guard case .object(let members)? = rule else {
            throw ConfigError(.notFound, "the key has no rule; nothing was changed", key: key)
        }
        if members["state"] == "DISABLED" {
            throw Self.rejection("the rule is disabled, so that all users get the value of the key", key)
        }
        if rollout.replaced != nil { throw Self.rejection("the rule is not a split with constant weights", key) }
        guard let index = rollout.parts.firstIndex(where: { $0.weight == rollout.total }) else {
            let shares = rollout.parts.indices.map { "\(rollout.parts[$0].name) \(rollout.share(of: $0))" }
            throw Self.rejection(
                "no variant has 100 % of the users (\(shares.joined(separator: ", ").excerpt(ofScalars: 200)))",
                key
            )
        }
        let part = rollout.parts[index]
        let keepsValue = rollout.isDefault(index) && defaultValue != nil
        variant = keepsValue ? nil : part.name
        changes = ConfigDiff([
            KeyChange(key: key, old: defaultValue, new: keepsValue ? defaultValue : part.value),
            KeyChange(key: key, kind: .rule, old: rule, new: nil),
        ])
    }

    private static func rejection(_ reason: String, _ key: String) -> ConfigError {
        let advice = "roll out one variant to 100% or 0% first, or remove the rule with `livery rule unset \(key)`"
        return ConfigError(.rejected, "cannot finish the rollout: \(reason); \(advice)", key: key)
    }

    /// The action, such as `Make blue the value`.
    package var title: String { variant.map { "Make \($0.excerpt(ofScalars: 60)) the value" } ?? "Remove the rule" }
}
