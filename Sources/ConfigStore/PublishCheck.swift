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

/// The schemas of a namespace, ready to check values by.
package struct CompiledSchemas: Sendable {
    fileprivate let schemas: SchemaSet

    /// - Parameter entries: by the names of the schemas.
    package init(_ entries: some Sequence<(key: String, value: StoredEntry)>) {
        var schemas = SchemaSet()
        for (name, entry) in entries { schemas.update(with: entry, forKey: EntryKind.schema.key(of: name)) }
        self.schemas = schemas
    }
}

/// A namespace at one revision, by which publishes are checked.
package protocol PublishedState {
    var revision: UInt64 { get }
    /// The entry of any kind that the store keeps under a key.
    func stored(_ key: String) -> StoredEntry?
    /// The entries of a kind, by their names.
    func named(_ kind: EntryKind) -> [(key: String, value: StoredEntry)]
    var compiledSchemas: CompiledSchemas { get }
}

extension PublishedState {
    /// Checks an edit of this namespace.
    ///
    /// - Parameter isBrief: whether the check ends, `unfinished`, if it would take more than about a millisecond.
    package func check(_ publish: Publish, isBrief: Bool = false) -> PublishCheckResult {
        guard case .edit(let edits) = publish.change else { return .valid(.none) }
        let schemas = compiledSchemas.schemas
        if schemas.revisions.isEmpty, edits.keys.allSatisfy({ EntryKind(of: $0) == .value }) {
            return .valid(PublishCheck(revision: revision, schemas: [:], sharedRules: nil, unchecked: []))
        }
        let reads = StateReads(state: self)
        let never = Timestamp(milliseconds: 0)
        let committer = PublishCommitter(head: revision, updatedAt: never) { never }
        let namespace = publish.namespace
        // The store decides about conditions, which come before violations.
        let mayPass = publish.conditions.allSatisfy { committer.holds($0, in: namespace, at: revision, reads) }
        guard mayPass else { return .valid(.none) }
        let wanted = PublishCommitter.completed(edits)
        let changes = committer.changes(to: wanted, in: namespace, reads)
        var budget = SchemaBudget(limit: isBrief ? SchemaBudget.briefWork : SchemaBudget.maximumWork)
        let violations = committer.violations(by: changes, in: namespace, reads, within: &budget)
        if isBrief, budget.isUsedUp { return .unfinished }
        if !violations.isEmpty { return .invalid(violations) }
        let sharedRules = stored(EntryKind.rule.key(of: EntryKind.sharedRules))?.revision
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

extension PublishCommitter {
    /// The violations by the changes of a publish; `nil` if it was checked by another state than there is now.
    func violations<Reads: StoreReads>(
        by changes: [NewRevision.Change],
        of publish: Publish,
        at revision: UInt64,
        _ reads: Reads
    ) throws(Reads.Failure) -> [ViolationMessage]? {
        let namespace = publish.namespace
        guard let check = publish.check else {
            var budget = SchemaBudget()
            return try violations(by: changes, in: namespace, reads, within: &budget)
        }
        if check.revision == revision { return [] }
        let sharedKey = EntryKind.rule.key(of: EntryKind.sharedRules)
        if changes.contains(where: { EntryKind(of: $0.key) == .rule && $0.value != nil }),
            try reads.entry(sharedKey, in: namespace)?.revision != check.sharedRules
        {
            return nil
        }
        guard try reads.schemas(in: namespace).revisions == check.schemas,
            !changes.contains(where: { check.unchecked.contains($0.key) })
        else { return nil }
        var budget = SchemaBudget(limit: SchemaBudget.remainingWork)
        let violations = try violations(
            by: changes,
            in: namespace,
            since: check.revision,
            reads,
            within: &budget
        )
        return budget.isUsedUp ? nil : violations
    }

    /// The violations of rules, and else of schemas.
    ///
    /// - Parameter revision: of a check of all that the namespace had then, and of the changes.
    func violations<Reads: StoreReads>(
        by changes: [NewRevision.Change],
        in namespace: String,
        since revision: UInt64? = nil,
        _ reads: Reads,
        within budget: inout SchemaBudget
    ) throws(Reads.Failure) -> [ViolationMessage] {
        let faults = try ruleFaults(in: changes, of: namespace, since: revision, reads)
        if !faults.isEmpty { return faults }
        return try schemaViolations(by: changes, in: namespace, since: revision, reads, within: &budget)
    }
}

/// The reads of a state in memory, where nothing can fail.
private struct StateReads<State: PublishedState>: StoreReads {
    typealias Failure = Never

    let state: State

    func floor() -> UInt64 { state.revision }

    func revision(of namespace: String) -> UInt64 { state.revision }

    func entry(_ key: String, in namespace: String) -> StoredEntry? { state.stored(key) }

    func entries(in namespace: String, from beginning: String) -> [String: StoredEntry] {
        var found: [String: StoredEntry] = [:]
        for kind in EntryKind.allCases {
            for (name, entry) in state.named(kind) {
                let key = kind.key(of: name)
                if key.utf8.starts(with: beginning.utf8) { found[key] = entry }
            }
        }
        return found
    }

    func schemas(in namespace: String) -> SchemaSet { state.compiledSchemas.schemas }

    func values(in namespace: String, at revision: UInt64) -> [String: EntryValue?] { [:] }
}
