// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// Decides the effect of publishes: whether their conditions are met, their changes, their revision and their time.
///
/// Every store commits with it, so that all stores decide alike:
///
/// ```swift
/// func commit(
///     _ publishes: [Publish],
///     in transaction: inout some StoreTransaction,
///     after head: UInt64,
///     of time: Timestamp
/// ) throws -> [PublishOutcome] {
///     var committer = PublishCommitter(head: head, updatedAt: time, now: { Timestamp(milliseconds: 1_767_225_600_000) })
///     let outcomes = try committer.commit(publishes, in: &transaction)
///     print("the store keeps:", committer.head, committer.updatedAt)
///     return outcomes
/// }
/// ```
public struct PublishCommitter {
    /// The last revision of the store, including those of this committer.
    public private(set) var head: UInt64
    /// The time of the last revision.
    public private(set) var updatedAt: Timestamp
    private let now: () -> Timestamp

    /// Creates a committer for one transaction.
    ///
    /// - Parameters:
    ///   - head: the last revision of the store, when the transaction begins.
    ///   - updatedAt: when that was made.
    ///   - now: the clock.
    public init(head: UInt64, updatedAt: Timestamp, now: @escaping () -> Timestamp) {
        (self.head, self.updatedAt, self.now) = (head, updatedAt, now)
    }

    /// Checks publishes in order, each after the ones before it, and has the transaction write the results.
    public mutating func commit<Transaction: StoreTransaction>(
        _ publishes: [Publish],
        in transaction: inout Transaction
    ) throws(Transaction.Failure) -> [PublishOutcome] {
        var outcomes: [PublishOutcome] = []
        for publish in publishes {
            var commits: [Commit] = []
            var outcome: PublishOutcome
            switch try decide(publish, in: transaction) {
            case .answer(let answer): outcome = answer
            case .write(let revision):
                let commit = try write(revision, in: &transaction)
                commits.append(commit)
                outcome = .committed(commit)
            }
            if let companion = publish.companion, let revision = outcome.revision {
                let made = commits.last?.revision
                if let second = try self.revision(of: companion, with: publish, making: made, in: transaction) {
                    commits.append(try write(second, in: &transaction))
                }
                outcome = .joined(at: revision, commits)
            }
            outcomes.append(outcome)
        }
        return outcomes
    }

    private mutating func write<Transaction: StoreTransaction>(
        _ revision: NewRevision,
        in transaction: inout Transaction
    ) throws(Transaction.Failure) -> Commit {
        let entries = try transaction.write(revision)
        // The next publish is checked against it.
        (head, updatedAt) = (revision.revision, revision.updatedAt)
        return Commit(
            revision: revision.revision,
            updatedAt: revision.updatedAt,
            namespace: revision.namespace,
            previous: revision.previous,
            changes: entries
        )
    }

    enum Decision: Hashable {
        case write(NewRevision)
        case answer(PublishOutcome)
    }

    /// Decides the effect of a publish, and writes nothing.
    func decide<Reads: StoreReads>(
        _ publish: Publish,
        in reads: Reads
    ) throws(Reads.Failure) -> Decision {
        let (namespace, previous) = (publish.namespace, try reads.revision(of: publish.namespace))
        for condition in publish.conditions {
            guard try reads.holds(condition, in: namespace, at: previous) else {
                return .answer(.conditionFailed(condition))
            }
        }
        if let companion = publish.companion {
            let previous = try reads.revision(of: companion.namespace)
            for condition in companion.conditions
            where try !reads.holds(condition, in: companion.namespace, at: previous) {
                return .answer(.conditionFailed(condition))
            }
        }
        guard try reads.isCurrent(publish.gate) else { return .answer(.outdated) }
        let wanted: [String: EntryValue?]
        switch publish.change {
        case .edit(let edits): wanted = Self.completed(edits)
        case .rollback(let revision):
            guard try reads.floor() <= revision, revision <= head else {
                return .answer(.unknownRevision(revision))
            }
            wanted = try reads.values(in: namespace, at: revision)
        }
        let changes = try reads.changes(to: wanted, in: namespace)
        if !changes.isEmpty {
            let gated = publish.gate?.gatedKeys(in: changes.map(\.key)) ?? []
            guard gated.isEmpty else { return .answer(.reviewRequired(gated)) }
            // A rollback restores values and schemas that were checked together.
            if case .edit = publish.change {
                guard let violations = try reads.violations(by: changes, of: publish, at: previous) else {
                    return .answer(.outdated)
                }
                guard violations.isEmpty else { return .answer(.invalid(violations)) }
            }
            return .write(revision(of: publish, after: previous, changes))
        }
        return .answer(.unchanged(at: previous, entries: try reads.entries(editedBy: publish)))
    }

    /// The revision that a companion makes after a publish; `nil` if it changes nothing.
    ///
    /// - Parameter revision: the revision that the publish has made, if it has changed anything.
    private func revision<Reads: StoreReads>(
        of companion: Publish.Companion,
        with publish: Publish,
        making revision: UInt64?,
        in reads: Reads
    ) throws(Reads.Failure) -> NewRevision? {
        var edits = companion.edits
        if let revision, let key = companion.stampedKey, case .object(let members)?? = edits[key] {
            edits[key] = .some(.object(members.setting("revision", to: EntryValue(revision: revision))))
        }
        let changes = try reads.changes(to: edits, in: companion.namespace)
        if changes.isEmpty { return nil }
        var second = publish
        second.namespace = companion.namespace
        return self.revision(of: second, after: try reads.revision(of: companion.namespace), changes)
    }

    private func revision(of publish: Publish, after previous: UInt64, _ changes: [NewRevision.Change]) -> NewRevision {
        NewRevision(
            revision: head + 1,
            updatedAt: now().following(updatedAt),
            namespace: publish.namespace,
            previous: previous,
            author: publish.author,
            message: publish.message,
            changes: changes
        )
    }
}

extension StoreReads {
    /// The keys that get other values than they have, in order.
    func changes(to wanted: [String: EntryValue?], in namespace: String) throws(Failure) -> [NewRevision.Change] {
        var changes: [NewRevision.Change] = []
        for (key, value) in wanted.sorted(by: { $0.key < $1.key }) {
            let old = try entry(key, in: namespace)
            if old?.value != value { changes.append(.init(key: key, old: old, value: value)) }
        }
        return changes
    }

    fileprivate func entries(editedBy publish: Publish) throws(Failure) -> [String: StoredEntry] {
        guard case .edit(let edits) = publish.change else { return [:] }
        var entries: [String: StoredEntry] = [:]
        for key in edits.keys { entries[key] = try entry(key, in: publish.namespace) }
        return entries
    }

    func holds(_ condition: Publish.Condition, in namespace: String, at revision: UInt64) throws(Failure) -> Bool {
        switch condition {
        case .head(let expected): revision == expected
        case .absent(let key): try entry(key, in: namespace) == nil
        case .present(let key): try entry(key, in: namespace) != nil
        case .entry(let key, let revisions):
            try entry(key, in: namespace).map { revisions.contains($0.revision) } ?? false
        }
    }
}

extension Timestamp {
    /// This moment, or 1 ms after the last revision's if that is later: times rise strictly with the revisions.
    /// At the end of the year 9999 they stay, since a later time could not be read back.
    package func following(_ last: Timestamp) -> Timestamp { max(self, min(last.later(by: 1), Self.years.upperBound)) }
}
