// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// The members of a rule as it is stored, whether it can be evaluated or not.
struct StoredRule: Hashable, Sendable {
    let members: EntryObject

    /// - Returns: `nil` without a rule.
    init?(_ rule: EntryValue?) {
        guard case .object(let members)? = rule else { return nil }
        self.members = members
    }

    var isDisabled: Bool { members["state"] == "DISABLED" }
    var defaultVariant: String? { members["defaultVariant"].flatMap { String(configValue: $0) } }

    /// The variants in their order; none without the member.
    var variants: EntryObject {
        if case .object(let variants)? = members["variants"] { variants } else { EntryObject() }
    }

    /// `nil` if all users get the default variant.
    var targeting: EntryValue? {
        guard let targeting = members["targeting"], targeting != .null, targeting != [:] else { return nil }
        return targeting
    }
}
