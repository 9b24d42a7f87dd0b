// SPDX-License-Identifier: Apache-2.0

package import ConfigChanges
package import ConfigClient
package import ConfigModel
package import ConfigWire

/// The operator of a namespace of a Livery server, or of the preview of a draft, which can only be read.
package struct ServerOperator: SourceOperator {
    let client: ServerClient

    /// Up to so many entries are read one by one, and more with the whole namespace.
    static let maximumSingleReads = 8

    /// - Parameter client: the client of the namespace, with the token of the operator.
    package init(_ client: ServerClient) { self.client = client }

    /// All, except for a preview: the server decides by the token.
    package var abilities: OperatorAbilities {
        var abilities = OperatorAbilities.all
        if let draft = client.address.draft {
            let reason = "this is a preview; follow the namespace itself to edit it or draft \(draft)"
            abilities.refuse(OperatorAction.writes + [.history, .drafts], reason)
        }
        return abilities
    }

    /// Checks whether the token may write, by a write of nothing.
    package func grantedAbilities() async throws(ConfigError) -> OperatorAbilities {
        var abilities = abilities
        if !abilities.allows(.edit) { return abilities }
        do throws(ConfigError) {
            try await client.dryRun()
        } catch {
            guard error.code == .forbidden || error.code == .unauthorized else { throw error }
            let reason = "requires the role write; use another token"
            abilities.refuse(OperatorAction.writes, reason, isHidden: true)
        }
        return abilities
    }

    package func details(of key: String) async throws(ConfigError) -> KeyDetails {
        if client.address.draft != nil { return KeyDetails(key: key, in: try await contents(at: nil).contents) }
        let present = try await entry(key, .value)
        let record = try await client.historyPage(of: key, limit: 1).records.first
        var details = KeyDetails(key: key, in: NamespaceContents(schemas: try await client.schemas()))
        (details.value, details.revision) = (present?.value, present?.revision)
        (details.createdAt, details.updatedAt) = (present?.createdAt, present?.updatedAt)
        if present == nil || record?.revision == present?.revision { details.record = record }
        details.rule = try await entry(key, .rule)?.value
        return details
    }

    package func history(of key: String?, before: UInt64?, limit: Int) async throws(ConfigError) -> HistoryMessage {
        try await client.historyPage(of: key, before: before, limit: limit)
    }

    package func contents(at revision: UInt64?) async throws(ConfigError) -> SourceContents {
        let state = try await client.snapshot(at: revision, withSchemas: true)
        return SourceContents(NamespaceContents(of: state), at: state.cursor)
    }

    package func schemaNames() async throws(ConfigError) -> Set<String> {
        if client.address.draft != nil { return Set(try await contents(at: nil).contents.schemas.keys) }
        return Set(try await client.entries(.schema).entries.map(\.key))
    }

    package func check(_ changes: ConfigDiff) async throws(ConfigError) -> ChangeReport {
        try await client.dryRun()
        var report = try await contents(for: changes).report(on: changes)
        report.conflicts = try await explained(report.conflicts)
        return report
    }

    package func publish(_ changes: ConfigDiff, message: String?, expecting: UInt64?) async throws(ConfigError)
        -> PublishResult
    {
        try await ServerClient.retrying(expecting == nil) { () async throws(ConfigError) in
            // The revision before the entries: a change after it is a conflict at the write.
            let revision = try await client.dryRun()
            let conflicts = changes.conflicts(with: try await entries(of: changes))
            if !conflicts.isEmpty { return .conflict(try await explained(conflicts)) }
            let request = changes.request(expect: expecting ?? revision, message: message)
            return .published(OperatorReceipt(try await client.publish(request)))
        }
    }

    package func rollback(
        to revision: UInt64,
        expecting expected: UInt64?,
        message: String?
    ) async throws(ConfigError) -> OperatorReceipt {
        let request = RollbackRequest(to: revision, expect: expected, message: message)
        return OperatorReceipt(try await client.rollback(request))
    }
}

extension ServerOperator {
    /// `nil` if there is none.
    private func entry(_ name: String, _ kind: EntryKind) async throws(ConfigError) -> EntryMessage? {
        try await ServerClient.found(try await client.entry(name, kind))
    }

    /// The entries that changes are checked against: their own with the schemas and the rules of the same keys, or all.
    private func contents(for changes: ConfigDiff) async throws(ConfigError) -> NamespaceContents {
        // A schema may be violated by any value, and a rule may use shared evaluators.
        let isOfValues = changes.changes.count == changes.values.count
        guard isOfValues, changes.changes.count <= Self.maximumSingleReads else {
            return try await contents(at: nil).contents
        }
        var present = NamespaceContents(schemas: try await client.schemas())
        for change in changes.values {
            present.values[change.key] = try await entry(change.key, .value)?.value
            present.rules[change.key] = try await entry(change.key, .rule)?.value
        }
        return present
    }

    /// The present entries that changes are of, by the keys by which they are held.
    private func entries(of changes: ConfigDiff) async throws(ConfigError) -> [String: EntryValue] {
        guard changes.changes.count <= Self.maximumSingleReads else { return try await contents(at: nil).contents.held }
        var present: [String: EntryValue] = [:]
        for change in changes.changes {
            present[change.heldKey] = try await entry(change.key, change.kind)?.value
        }
        return present
    }

    /// The conflicts with the last change of each, for as many as a person reads.
    private func explained(_ conflicts: [EntryConflict]) async throws(ConfigError) -> [EntryConflict] {
        var explained = conflicts
        for index in conflicts.indices.prefix(Self.maximumSingleReads) {
            explained[index].record = try await client.historyPage(of: conflicts[index].change.heldKey, limit: 1)
                .records
                .first
        }
        return explained
    }
}

extension OperatorReceipt {
    fileprivate init(_ receipt: PublishReceipt) {
        let count = receipt.changed.count + receipt.changedSchemas.count + receipt.changedRules.count
        self.init(revision: receipt.cursor.revision, count: count)
    }
}
