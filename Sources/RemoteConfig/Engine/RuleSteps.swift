// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules

/// The estimated steps of the rules of a document, which are limited when the document is accepted. So no rule uses up
/// the limit of another, for any number of users.
struct RuleSteps {
    /// `nil` before the first rule is accepted.
    private var total: Int?

    /// Checks a state of a source without layers.
    ///
    /// - Throws: `invalidRule` if its rules could take too many steps; the former state stays.
    mutating func accept(_ update: EntrySnapshot.Update, after former: EntrySnapshot) throws(ConfigError) {
        let changed = update.changedKeys.filter { EntryKind(of: $0) == .rule }
        guard !changed.isEmpty, update.snapshot.own.count == 1 else { return }
        let (held, shared) = (update.snapshot.heldBySource, EntryKind.rule.key(of: EntryKind.sharedRules))
        let cost = RuleCost(evaluators: held[shared]?.value)
        func steps(_ entry: ConfigEntry?) -> Int { entry.map { cost.steps(of: $0.value) } ?? 0 }
        var next: Int
        if let total, !changed.contains(shared) {
            next = changed.reduce(total) { $0 + steps(held[$1]) - steps(former.heldBySource[$1]) }
        } else {
            next = held.reduce(0) { EntryKind(of: $1.key) == .rule ? $0 + steps($1.value) : $0 }
        }
        if let problem = RuleCost.problem(ofSteps: next) { throw ConfigError(.invalidRule, problem) }
        total = next
    }
}
