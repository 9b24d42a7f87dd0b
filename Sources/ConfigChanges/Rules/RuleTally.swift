// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigRules

/// The shares of the users that get each variant by the current rule of a key and by a draft.
///
/// The shares of a split with constant weights are exact. For any other rule, users are counted, in parts: those of
/// ``RulePreview/users(_:like:)``.
package struct RuleTally: Sendable {
    /// A variant and its shares; `nil` for the users without one.
    package struct Share: Hashable, Sendable {
        package let variant: ExactString?
        package let now: Percentage
        package let then: Percentage
    }

    /// The number of users per variant.
    private typealias Counts = [ExactString?: Int]

    /// The users who have been counted.
    package private(set) var counted = 0
    /// The first error of the draft.
    package private(set) var problem: String?
    private var now: Counts = [:]
    private var then: Counts = [:]
    /// The counted users whose value changes.
    private var moved = 0
    private let key: String
    private let rules: (now: ConfigRule?, then: ConfigRule?)
    /// Whether the draft is the current rule.
    private let isUnchanged: Bool
    private let exact: (now: ExactShares?, then: ExactShares?)
    /// The exact share of the users whose value changes.
    private let exactlyMoved: Percentage?
    private let defaultValue: EntryValue?
    private let context: EvaluationContext?
    private let seconds: Int
    var budget = StepBudget(20_000_000)

    /// The number of users of a whole count.
    package static let users = 10_000

    /// - Parameters:
    ///   - now: the rule that the key has; `nil` for none.
    ///   - then: the draft; `nil` for none.
    ///   - defaultValue: the default value of the key, used where a rule selects none.
    ///   - context: the attributes of all users.
    ///   - seconds: the time since 1970.
    package init(
        of key: String,
        now: ConfigRule?,
        then: ConfigRule?,
        defaultValue: EntryValue?,
        like context: EvaluationContext?,
        at seconds: Int
    ) {
        let exact = (now: ExactShares(now), then: ExactShares(then))
        self.exact = exact
        exactlyMoved = exact.now.flatMap { now in
            exact.then.flatMap { now.moved(to: $0, defaultValue: defaultValue) }
        }
        (self.key, rules, self.defaultValue) = (key, (now, then), defaultValue)
        (self.context, self.seconds) = (context, seconds)
        isUnchanged = now == then
    }

    /// Whether the shares are exact, so that no users are counted.
    package var isExact: Bool { exactlyMoved != nil }

    /// Whether all users have been counted, or as many as the rules leave time for.
    package var isComplete: Bool { isExact || counted == Self.users || budget.isSpent }

    /// Counts the next users.
    package mutating func countMore(atMost count: Int = 500) {
        if isExact { return }
        let none = RuleEvaluation(reason: .static)
        for number in counted..<min(counted + count, Self.users) {
            let user = RulePreview.user(number + 1, like: context)
            let former = rules.now?.evaluate(key: key, in: user, at: seconds, within: &budget) ?? none
            let next =
                isUnchanged ? former : rules.then?.evaluate(key: key, in: user, at: seconds, within: &budget) ?? none
            // The evaluation may have been cut off.
            if budget.isSpent { return }
            now[former.variant.map { ExactString($0) }, default: 0] += 1
            then[next.variant.map { ExactString($0) }, default: 0] += 1
            if (former.value ?? defaultValue) != (next.value ?? defaultValue) { moved += 1 }
            if problem == nil { problem = next.error?.message }
            counted += 1
        }
    }

    /// The shares of all variants, those of the draft first, and of the users without one if there are any.
    package var shares: [Share] {
        var seen: Set<ExactString> = []
        let names: [ExactString] = [rules.then, rules.now].compactMap(\.self)
            .flatMap { rule in rule.variants.map { ExactString($0.key) } }
            .filter { seen.insert($0).inserted }
        let rest = share(of: nil)
        return names.map { share(of: $0) } + (rest.now.weight + rest.then.weight > 0 ? [rest] : [])
    }

    private func share(of variant: ExactString?) -> Share {
        Share(
            variant: variant,
            now: exact.now?.share(of: variant) ?? percentage(of: now[variant] ?? 0),
            then: exact.then?.share(of: variant) ?? percentage(of: then[variant] ?? 0)
        )
    }

    /// The share of the users whose value changes.
    package var movedShare: Percentage { exactlyMoved ?? percentage(of: moved) }

    /// How the shares are known: by the weights, or by counting users, with the attributes of all of them.
    package var basis: String {
        if isExact { return "exact, computed from the weights" }
        let attributes = EvaluationContext(attributes: context?.attributes ?? EntryObject()).line
        let end = (attributes.isEmpty ? "" : " with " + attributes.excerpt(ofScalars: 200)) + (isComplete ? "" : " …")
        return "counted on \(counted.grouped) generated users" + end
    }

    /// A part of the counted users, such as `25.03 %`.
    private func percentage(of count: Int) -> Percentage {
        Percentage(weight: counted == 0 ? 0 : (count * 10_000 + counted / 2) / counted, total: 10_000)
    }
}
