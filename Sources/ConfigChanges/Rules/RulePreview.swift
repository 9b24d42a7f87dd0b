// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigRules

/// The variants that contexts get by the current rule of a key and by a draft.
package struct RulePreview {
    /// The result for one context.
    package struct Result {
        package var targetingKey: String?
        package var now: RuleEvaluation
        package var then: RuleEvaluation

        /// Whether they get another value, or none.
        package var isMoved: Bool
    }

    package private(set) var results: [Result] = []

    /// - Parameters:
    ///   - now: the rule that the key has; `nil` for none.
    ///   - then: the draft; `nil` for none.
    ///   - defaultValue: the default value of the key, used where a rule selects none.
    ///   - seconds: the time since 1970.
    package init(
        of key: String,
        now: ConfigRule?,
        then: ConfigRule?,
        defaultValue: EntryValue?,
        for contexts: [EvaluationContext],
        at seconds: Int
    ) {
        let none = RuleEvaluation(reason: .static)
        results = contexts.map { context in
            let now = now?.evaluate(key: key, in: context, at: seconds) ?? none
            let then = then?.evaluate(key: key, in: context, at: seconds) ?? none
            let isMoved = (now.value ?? defaultValue) != (then.value ?? defaultValue)
            return Result(targetingKey: context.targetingKey, now: now, then: then, isMoved: isMoved)
        }
    }

    /// Users who do not exist: `user-1` and so on, with the attributes of a context.
    package static func users(_ count: Int, like context: EvaluationContext?) -> [EvaluationContext] {
        (1...max(count, 1)).prefix(count).map { user($0, like: context) }
    }

    static func user(_ number: Int, like context: EvaluationContext?) -> EvaluationContext {
        EvaluationContext(targetingKey: "user-\(number)", attributes: context?.attributes ?? EntryObject())
    }
}
