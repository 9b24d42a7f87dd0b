// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
package import ConfigRules
internal import ConfigStore
package import ConfigWire
internal import HashTreeCollections
internal import Synchronization

/// A rule of a namespace, which is compiled when it is first evaluated and kept as long as it is the same.
package final class CompiledRule: Sendable {
    /// A compiled rule with the key that has it, and the answers that it chooses from.
    package final class Flag: Sendable {
        private let key: String
        package let rule: ConfigRule
        /// By the names of their variants, as ``ConfigRule/variants``.
        private let answers: [OFREPFlag]
        private let answerWithoutValue: OFREPFlag

        fileprivate init(_ key: String, _ rule: ConfigRule) {
            let isFloat = rule.variants.contains { if case .double = $0.value { true } else { false } }
            func answer(_ variant: String?, _ value: EntryValue?) -> OFREPFlag {
                OFREPFlag(key: key, value: value, isFloat: isFloat, variant: variant, metadata: rule.metadata)
            }
            (self.key, self.rule) = (key, rule)
            answers = rule.variants.map { answer($0.key, $0.value) }
            answerWithoutValue = answer(nil, nil)
        }

        /// Evaluates the rule, as ``ConfigRule/evaluate(key:in:at:after:within:)``.
        package func evaluate(
            in context: EvaluationContext,
            at seconds: Int,
            after beginning: ConfigRule.Beginning?,
            within budget: inout StepBudget
        ) -> RuleEvaluation {
            rule.evaluate(key: key, in: context, at: seconds, after: beginning, within: &budget)
        }

        /// The answer with a variant; without a value for none.
        package func answer(_ variant: String?) -> OFREPFlag {
            variant.flatMap(rule.variants.position).map { answers[$0] } ?? answerWithoutValue
        }
    }

    private let key: String
    /// The rule as it was published.
    private let value: EntryValue
    private let evaluators: CompiledEvaluators
    private let compiled = Lazy<Flag?>()

    init(_ key: String, _ value: EntryValue, _ evaluators: CompiledEvaluators) {
        (self.key, self.value, self.evaluators) = (key, value, evaluators)
    }

    package var isCompiled: Bool { compiled.made != nil }

    /// `nil` if only another version of this program can read the rule.
    package var flag: Flag? {
        compiled.value { evaluators.rule(value).map { Flag(key, $0) } }
    }
}

/// The evaluators that the rules of a namespace share, which are compiled once for all of them.
final class CompiledEvaluators: Sendable {
    private let value: EntryValue?
    private let compiled = Lazy<RuleEvaluators>()
    /// The rules that were read last, by how they are written: keys whose rules are written alike share one.
    private let alike = Mutex<[EntryValue: ConfigRule]>([:])

    init(_ value: EntryValue?) { self.value = value }

    /// None if only another version of this program can read them.
    var evaluators: RuleEvaluators {
        compiled.value { value.flatMap { try? RuleEvaluators($0) } ?? .none }
    }

    /// A rule that uses the evaluators; `nil` if only another version of this program can read it.
    fileprivate func rule(_ value: EntryValue) -> ConfigRule? {
        if let known = alike.withLock({ $0[value] }) { return known }
        guard let rule = try? ConfigRule(value, evaluators: evaluators) else { return nil }
        alike.withLock { alike in
            // Those of former revisions go as well.
            if alike.count >= Self.maximumAlike { alike.removeAll() }
            alike[value] = rule
        }
        return rule
    }

    private static let maximumAlike = 1000
}

/// The rules of a namespace, ready to be evaluated.
struct NamespaceRules: Sendable {
    private(set) var rules: TreeDictionary<String, CompiledRule> = [:]
    private var shared = CompiledEvaluators(nil)

    /// The evaluators that the rules share.
    var evaluators: RuleEvaluators { shared.evaluators }

    /// Applies a change of a rule, or of the shared evaluators, which affects all rules.
    mutating func update(_ name: String, in entries: TreeDictionary<String, StoredEntry>) {
        guard name == EntryKind.sharedRules else {
            rules[name] = entries[name].map { CompiledRule(name, $0.value, shared) }
            return
        }
        shared = CompiledEvaluators(entries[name]?.value)
        for (name, entry) in entries where name != EntryKind.sharedRules {
            rules[name] = CompiledRule(name, entry.value, shared)
        }
    }
}
