// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigRules

extension PublishCommitter {
    /// The edits with their consequences: a rule is removed with its key, and gets a `bucketing` member.
    package static func completed(_ edits: [String: EntryValue?]) -> [String: EntryValue?] {
        var completed = edits
        for (key, value) in edits {
            switch EntryKind.named(key) {
            case (.value, _):
                let rule = EntryKind.rule.key(of: key)
                if value == nil, edits[rule] == nil { completed[rule] = .some(nil) }
            case (.rule, let name) where name != EntryKind.sharedRules:
                completed[key] = .some(value.map(ConfigRule.namingBucketing))
            case (.rule, _), (.schema, _): continue
            }
        }
        return completed
    }
}

/// Whether the rules that a namespace has after changes can be evaluated.
extension StoreReads {
    /// The errors in new rules, and in rules that new evaluators invalidate, sorted by key.
    ///
    /// - Parameter revision: of a check of the new rules, and of the present ones.
    func ruleFaults(
        in changes: [NewRevision.Change],
        of namespace: String,
        since revision: UInt64?
    ) throws(Failure) -> [ViolationMessage] {
        var rules: [String: EntryValue] = [:]
        var shared: NewRevision.Change?
        for change in changes {
            guard let name = EntryKind.rule.name(of: change.key) else { continue }
            if name == EntryKind.sharedRules {
                shared = change
            } else if revision == nil {
                rules[name] = change.value
            }
        }
        guard shared != nil || !rules.isEmpty else { return [] }
        let sharedKey = EntryKind.rule.key(of: EntryKind.sharedRules)
        let value = if let shared { shared.value } else { try entry(sharedKey, in: namespace)?.value }
        let evaluators: RuleEvaluators
        do throws(RuleError) {
            evaluators = try value.map(RuleEvaluators.init) ?? .none
        } catch {
            return error.faults.map { $0.message(of: EntryKind.sharedRules) }
        }
        if shared != nil {
            let changed = Set(changes.map(\.key))
            for (key, entry) in try entries(in: namespace, from: EntryKind.rule.prefix)
            where !changed.contains(key) && key != sharedKey && entry.revision > revision ?? 0 {
                guard let name = EntryKind.rule.name(of: key) else { continue }
                if ConfigRule.refersToEvaluators(entry.value) { rules[name] = entry.value }
            }
        }
        var faults: [ViolationMessage] = []
        for (name, value) in rules.sorted(by: { $0.key < $1.key }) where faults.count < Self.maximumFaults {
            do throws(RuleError) {
                _ = try ConfigRule(value, evaluators: evaluators)
            } catch {
                faults += error.faults.map { $0.message(of: name) }
            }
        }
        if faults.isEmpty, revision == nil { faults = try costFaults(of: changes, in: namespace) }
        return Array(faults.prefix(Self.maximumFaults))
    }

    /// The error of all rules that a namespace has after changes, if they could take too many steps together.
    private func costFaults(
        of changes: [NewRevision.Change],
        in namespace: String
    ) throws(Failure) -> [ViolationMessage] {
        var rules = try entries(in: namespace, from: EntryKind.rule.prefix).mapValues(\.value)
        for change in changes { rules[change.key] = change.value }
        var named: [String: EntryValue] = [:]
        for (key, rule) in rules { if let name = EntryKind.rule.name(of: key) { named[name] = rule } }
        let first = changes.lazy.compactMap { EntryKind.rule.name(of: $0.key) }.first
        guard let first, let problem = RuleCost.problem(of: named) else { return [] }
        return [ViolationMessage(rule: first, pointer: "", message: problem)]
    }

    private static var maximumFaults: Int { 100 }
}

extension RuleFault {
    fileprivate func message(of rule: String) -> ViolationMessage {
        ViolationMessage(rule: rule, pointer: pointer, message: message)
    }
}
