// SPDX-License-Identifier: Apache-2.0

/// An action of an operator on a source.
package enum OperatorAction: String, CaseIterable, Hashable, Sendable {
    /// Read the revision, the author, the schema and the rule of a key.
    case details
    /// Read former revisions.
    case history
    /// Set and remove values.
    case edit
    /// Set and remove rules.
    case rules
    /// Set and remove schemas.
    case schemas
    /// Restore a former revision as a whole.
    case rollback
    /// Read and review drafts.
    case drafts

    /// The actions that change the source.
    static let writes: [OperatorAction] = [.edit, .rules, .schemas, .rollback]
}

/// The actions that are possible on a source, and for the others the reason.
package struct OperatorAbilities: Hashable, Sendable {
    private struct Refusal: Hashable, Sendable {
        var actions: [OperatorAction]
        /// A sentence for the user.
        var reason: String
        /// Whether screens do not offer the actions, since the user has no right to them.
        var isHidden: Bool
    }

    /// The actions that are not possible, the last reason first.
    private var refusals: [Refusal] = []

    /// All actions.
    package static let all = OperatorAbilities()

    package init() {}

    /// No action.
    package static func none(_ reason: String, isHidden: Bool = false) -> OperatorAbilities {
        var abilities = OperatorAbilities()
        abilities.refuse(OperatorAction.allCases, reason, isHidden: isHidden)
        return abilities
    }

    /// Whether an action is possible.
    package func allows(_ action: OperatorAction) -> Bool { refusal(of: action) == nil }

    /// The reason why an action is not possible, in a sentence for the user; `nil` if it is.
    package func reason(against action: OperatorAction) -> String? { refusal(of: action)?.reason }

    private func refusal(of action: OperatorAction) -> Refusal? {
        refusals.first { $0.actions.contains(action) }
    }

    /// Whether screens offer an action: one that is possible, or is not for a reason that the user can change.
    package func offers(_ action: OperatorAction) -> Bool { refusal(of: action)?.isHidden != true }

    /// Marks actions as not possible.
    ///
    /// - Parameter isHidden: whether screens do not offer them.
    package mutating func refuse(_ actions: [OperatorAction], _ reason: String, isHidden: Bool = false) {
        refusals.insert(Refusal(actions: actions, reason: reason, isHidden: isHidden), at: 0)
    }
}
