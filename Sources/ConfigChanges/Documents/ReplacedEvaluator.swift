// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// A shared evaluator that an import changes although rules that are not in the document refer to it: their users would get
/// other variants.
package struct ReplacedEvaluator: Hashable, Sendable {
    package let name: String
    /// The keys of these rules, sorted.
    package let rules: [String]

    /// `isStaff (rules beta, app.menu)`.
    package var words: String { "\(name) (\(rules.count == 1 ? "rule" : "rules") \(rules.joined(separator: ", ")))" }
}

extension DocumentContents {
    /// The evaluators that an import changes for rules that are not in the document, by name.
    package func replacedEvaluators(of present: NamespaceContents) -> [ReplacedEvaluator] {
        guard case .object(let new)? = contents.rules[EntryKind.sharedRules],
            case .object(let old)? = present.rules[EntryKind.sharedRules]
        else { return [] }
        let changed = new.filter { old[$0.key] != nil && old[$0.key] != $0.value }.map(\.key)
        let others = changed.isEmpty ? [:] : present.rules.filter { contents.rules[$0.key] == nil }
        let references = others.mapValues { $0.members?["targeting"]?.evaluatorNames ?? [] }
        return changed.sorted().compactMap { name in
            let rules = references.filter { $0.value.contains(name) }.keys.sorted()
            return rules.isEmpty ? nil : ReplacedEvaluator(name: name, rules: rules)
        }
    }

    /// - Throws: `rejected` if the import would change an evaluator for rules that are not in the document.
    package func refuseReplacedEvaluators(of present: NamespaceContents) throws(ConfigError) {
        let replaced = replacedEvaluators(of: present)
        if replaced.isEmpty { return }
        let message = """
            nothing was written: the document changes shared evaluators of rules that it does not have: \
            \(replaced.map(\.words).joined(separator: "; ")); rename them in the document, or, if intended, run \
            `livery import` with --overwrite-evaluators
            """
        throw ConfigError(.rejected, message)
    }
}

extension EntryValue {
    /// The names of the evaluators that an operation refers to.
    fileprivate var evaluatorNames: Set<String> {
        switch self {
        case .array(let elements): return elements.reduce(into: []) { $0.formUnion($1.evaluatorNames) }
        case .object(let members):
            if members.count == 1, case .string(let name)? = members["$ref"] { return [name] }
            return members.reduce(into: []) { $0.formUnion($1.value.evaluatorNames) }
        default: return []
        }
    }
}
