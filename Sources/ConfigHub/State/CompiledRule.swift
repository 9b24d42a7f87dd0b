// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
package import ConfigRules
internal import ConfigStore
internal import HashTreeCollections

/// A rule of a namespace, which is compiled when it is first evaluated and kept as long as it is the same.
package final class CompiledRule: Sendable {
    /// The rule as it was published.
    private let value: EntryValue
    private let evaluators: CompiledEvaluators
    private let compiled = Lazy<ConfigRule?>()

    init(_ value: EntryValue, _ evaluators: CompiledEvaluators) { (self.value, self.evaluators) = (value, evaluators) }

    package var isCompiled: Bool { compiled.made != nil }

    /// `nil` if only another version of this program can read it.
    package var rule: ConfigRule? {
        compiled.value { try? ConfigRule(value, evaluators: evaluators.evaluators) }
    }
}

/// The evaluators that the rules of a namespace share, which are compiled once for all of them.
final class CompiledEvaluators: Sendable {
    private let value: EntryValue?
    private let compiled = Lazy<RuleEvaluators>()

    init(_ value: EntryValue?) { self.value = value }

    /// None if only another version of this program can read them.
    var evaluators: RuleEvaluators {
        compiled.value { value.flatMap { try? RuleEvaluators($0) } ?? .none }
    }
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
            rules[name] = entries[name].map { CompiledRule($0.value, shared) }
            return
        }
        shared = CompiledEvaluators(entries[name]?.value)
        for (name, entry) in entries where name != EntryKind.sharedRules {
            rules[name] = CompiledRule(entry.value, shared)
        }
    }
}
