// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigRules

/// The number of users who get each variant by the current rule of a key and by a draft, counted in parts.
///
/// The users are those of ``RulePreview/users(_:like:)``.
package struct RuleTally: Sendable {
    /// The number of users per variant; `nil` counts the users without one.
    package typealias Counts = [ExactString?: Int]

    package private(set) var now: Counts = [:]
    package private(set) var then: Counts = [:]
    /// The users whose value changes.
    package private(set) var moved = 0
    /// The users who have been counted.
    package private(set) var counted = 0
    /// The first error of the draft.
    package private(set) var problem: String?
    private let key: String
    private let rules: (now: ConfigRule?, then: ConfigRule?)
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
        (self.key, rules, self.defaultValue) = (key, (now, then), defaultValue)
        (self.context, self.seconds) = (context, seconds)
    }

    /// Whether all users have been counted, or as many as the rules leave time for.
    package var isComplete: Bool { counted == Self.users || budget.isSpent }

    /// Counts the next users.
    package mutating func countMore(atMost count: Int = 500) {
        let none = RuleEvaluation(reason: .static)
        for number in counted..<min(counted + count, Self.users) {
            let user = RulePreview.user(number + 1, like: context)
            let former = rules.now?.evaluate(key: key, in: user, at: seconds, within: &budget) ?? none
            let next = rules.then?.evaluate(key: key, in: user, at: seconds, within: &budget) ?? none
            // The evaluation may have been cut off.
            if budget.isSpent { return }
            now[former.variant.map { ExactString($0) }, default: 0] += 1
            then[next.variant.map { ExactString($0) }, default: 0] += 1
            if (former.value ?? defaultValue) != (next.value ?? defaultValue) { moved += 1 }
            if problem == nil { problem = next.error?.message }
            counted += 1
        }
    }

    /// A part of the counted users, such as `25.03 %`.
    package func share(_ count: Int) -> String {
        let hundredths = counted == 0 ? 0 : (count * 10_000 + counted / 2) / counted
        return Percentage(weight: hundredths, total: 10_000).description
    }
}
