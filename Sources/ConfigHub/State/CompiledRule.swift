// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
package import ConfigRules
internal import ConfigStore
internal import HashTreeCollections

/// A part of the rules that is compiled when it is first used, and kept as long as it is the same.
package final class Compiled<Value: Sendable>: Sendable {
    private let compiled = Lazy<Value>()
    private let compile: @Sendable () -> Value

    init(_ compile: @escaping @Sendable () -> Value) { self.compile = compile }

    package var isCompiled: Bool { compiled.made != nil }

    package var value: Value { compiled.value(compile) }
}

/// A rule of a namespace; `nil` if only another version of this program can read it.
package typealias CompiledRule = Compiled<ConfigRule?>

/// The rules of a namespace, ready to be evaluated.
struct CompiledRules: Sendable {
    private(set) var rules: TreeDictionary<String, CompiledRule> = [:]
    /// None if only another version of this program can read them.
    private var shared = Compiled { RuleEvaluators.none }

    /// The evaluators that the rules share, which are compiled once for all of them.
    var evaluators: RuleEvaluators { shared.value }

    /// Applies a change of a rule, or of the shared evaluators, which affects all rules.
    mutating func update(_ name: String, in entries: TreeDictionary<String, StoredEntry>) {
        guard name == EntryKind.sharedRules else {
            rules[name] = entries[name].map { rule($0.value) }
            return
        }
        let value = entries[name]?.value
        shared = Compiled { value.flatMap { try? RuleEvaluators($0) } ?? RuleEvaluators.none }
        for (name, entry) in entries where name != EntryKind.sharedRules {
            rules[name] = rule(entry.value)
        }
    }

    private func rule(_ value: EntryValue) -> CompiledRule {
        Compiled { [shared] in try? ConfigRule(value, evaluators: shared.value) }
    }
}
