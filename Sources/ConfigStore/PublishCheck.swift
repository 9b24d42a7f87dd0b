// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigSchemas

/// The state of a namespace by which a publish was checked before its turn in the store.
///
/// Checks take time, and a store commits one batch after another. So a publish is checked without delaying others, and the
/// transaction that writes it checks only later changes.
package struct PublishCheck: Hashable, Sendable {
    /// The revision of the namespace.
    let revision: UInt64
    /// The revisions of its schemas, by their names.
    let schemas: [String: UInt64]
    /// The revision of what its rules share.
    let sharedRules: UInt64?
    /// The edited keys that had the same value already, which was not checked.
    let unchecked: Set<String>

    /// A check of nothing: what needs one is outdated.
    package static let none = PublishCheck(revision: .max, schemas: ["": .max], sharedRules: .max, unchecked: [])
}

extension StoreReads where Failure == Never {
    /// Checks an edit of the namespace that these reads are of, before its turn in the store.
    ///
    /// - Parameter isBrief: whether the check ends, `unfinished`, if it would take more than about a millisecond.
    package func check(_ publish: Publish, isBrief: Bool = false) -> PublishCheckResult {
        guard case .edit(let edits) = publish.change else { return .valid(.none) }
        let namespace = publish.namespace
        let (revision, schemas) = (revision(of: namespace), schemas(in: namespace))
        if schemas.revisions.isEmpty, edits.keys.allSatisfy({ EntryKind(of: $0) == .value }) {
            return .valid(PublishCheck(revision: revision, schemas: [:], sharedRules: nil, unchecked: []))
        }
        // The store decides about conditions, which come before violations.
        let mayPass = publish.conditions.allSatisfy { holds($0, in: namespace, at: revision) }
        guard mayPass else { return .valid(.none) }
        let wanted = PublishCommitter.completed(edits)
        let changes = changes(to: wanted, in: namespace)
        var budget = SchemaBudget(limit: isBrief ? SchemaBudget.briefWork : SchemaBudget.maximumWork)
        let violations = violations(by: changes, in: namespace, within: &budget)
        if isBrief, budget.isUsedUp { return .unfinished }
        if !violations.isEmpty { return .invalid(violations) }
        let sharedRules = entry(EntryKind.rule.key(of: EntryKind.sharedRules), in: namespace)?.revision
        let unchecked = changes.count == wanted.count ? [] : Set(wanted.keys).subtracting(changes.map(\.key))
        return .valid(
            PublishCheck(revision: revision, schemas: schemas.revisions, sharedRules: sharedRules, unchecked: unchecked)
        )
    }
}

/// The result of a check before the turn of a publish.
package enum PublishCheckResult {
    case valid(PublishCheck)
    case invalid([ViolationMessage])
    case unfinished
}

extension StoreReads {
    /// The violations by the changes of a publish; `nil` if it was checked by another state than there is now.
    func violations(
        by changes: [NewRevision.Change],
        of publish: Publish,
        at revision: UInt64
    ) throws(Failure) -> [ViolationMessage]? {
        let namespace = publish.namespace
        guard let check = publish.check else {
            var budget = SchemaBudget()
            return try violations(by: changes, in: namespace, within: &budget)
        }
        if check.revision == revision { return [] }
        let sharedKey = EntryKind.rule.key(of: EntryKind.sharedRules)
        if changes.contains(where: { EntryKind(of: $0.key) == .rule && $0.value != nil }),
            try entry(sharedKey, in: namespace)?.revision != check.sharedRules
        {
            return nil
        }
        guard try schemas(in: namespace).revisions == check.schemas,
            !changes.contains(where: { check.unchecked.contains($0.key) })
        else { return nil }
        var budget = SchemaBudget(limit: SchemaBudget.remainingWork)
        let violations = try violations(
            by: changes,
            in: namespace,
            since: check.revision,
            within: &budget
        )
        return budget.isUsedUp ? nil : violations
    }

    /// The violations of rules, and else of schemas.
    ///
    /// - Parameter revision: of a check of all that the namespace had then, and of the changes.
    func violations(
        by changes: [NewRevision.Change],
        in namespace: String,
        since revision: UInt64? = nil,
        within budget: inout SchemaBudget
    ) throws(Failure) -> [ViolationMessage] {
        let faults = try ruleFaults(in: changes, of: namespace, since: revision)
        if !faults.isEmpty { return faults }
        return try schemaViolations(by: changes, in: namespace, since: revision, within: &budget)
    }
}
