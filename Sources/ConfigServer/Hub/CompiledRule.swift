// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import ConfigStore
internal import HashTreeCollections

/// A rule of a namespace, which is compiled when it is first evaluated and kept as long as it is the same.
final class CompiledRule: Sendable {
    /// The rule as it was published.
    private let value: EntryValue
    /// What rules share.
    private let shared: EntryValue?
    private let compiled = Lazy<ConfigRule?>()

    init(_ value: EntryValue, sharing shared: EntryValue?) { (self.value, self.shared) = (value, shared) }

    /// `nil` if only another version of this program can read it.
    var rule: ConfigRule? {
        compiled.value {
            let evaluators = shared.flatMap { try? ConfigRule.evaluators($0) } ?? [:]
            return try? ConfigRule(value, evaluators: evaluators)
        }
    }
}

extension TreeDictionary<String, CompiledRule> {
    /// Takes a change of a rule over; a change of what rules share concerns all of them.
    mutating func update(_ name: String, in rules: TreeDictionary<String, StoredEntry>) {
        let shared = rules[EntryKind.sharedRules]?.value
        guard name == EntryKind.sharedRules else {
            self[name] = rules[name].map { CompiledRule($0.value, sharing: shared) }
            return
        }
        for (name, entry) in rules where name != EntryKind.sharedRules {
            self[name] = CompiledRule(entry.value, sharing: shared)
        }
    }
}
