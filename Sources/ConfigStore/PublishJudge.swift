// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigSchemas

/// Decides what publishes do: whether their conditions hold, what they change, which revision they make and when.
///
/// Every store commits through a judge, so that all of them decide alike:
///
/// ```swift
/// func commit(
///     _ publishes: [Publish],
///     in transaction: inout some StoreTransaction,
///     after head: UInt64,
///     of time: Timestamp
/// ) throws -> [PublishOutcome] {
///     var judge = PublishJudge(head: head, updatedAt: time, now: { Timestamp(milliseconds: 1_767_225_600_000) })
///     let outcomes = try judge.commit(publishes, in: &transaction)
///     print("the store keeps:", judge.head, judge.updatedAt)
///     return outcomes
/// }
/// ```
public struct PublishJudge {
    /// The last revision of the store, those of this judge included.
    public private(set) var head: UInt64
    /// When the last revision was made.
    public private(set) var updatedAt: Timestamp
    private let now: () -> Timestamp

    /// Creates a judge for one transaction.
    ///
    /// - Parameters:
    ///   - head: the last revision of the store, when the transaction begins.
    ///   - updatedAt: when that was made.
    ///   - now: the clock.
    public init(head: UInt64, updatedAt: Timestamp, now: @escaping () -> Timestamp) {
        self.head = head
        self.updatedAt = updatedAt
        self.now = now
    }

    /// Judges publishes in their order, each after the ones before it, and has the transaction write what they make.
    public mutating func commit<Transaction: StoreTransaction>(
        _ publishes: [Publish],
        in transaction: inout Transaction
    ) throws(Transaction.Failure) -> [PublishOutcome] {
        var outcomes: [PublishOutcome] = []
        for publish in publishes {
            switch try decide(publish, in: transaction) {
            case .answer(let outcome): outcomes.append(outcome)
            case .write(let revision):
                let entries = try transaction.write(revision)
                (head, updatedAt) = (revision.revision, revision.updatedAt)
                let commit = Commit(
                    revision: revision.revision,
                    updatedAt: revision.updatedAt,
                    namespace: revision.namespace,
                    previous: revision.previous,
                    changes: entries
                )
                outcomes.append(.committed(commit))
            }
        }
        return outcomes
    }

    enum Decision: Hashable {
        case write(NewRevision)
        case answer(PublishOutcome)
    }

    /// Decides what a publish does, and writes nothing.
    func decide<Transaction: StoreTransaction>(
        _ publish: Publish,
        in transaction: Transaction
    ) throws(Transaction.Failure) -> Decision {
        let (namespace, previous) = (publish.namespace, try transaction.revision(of: publish.namespace))
        for condition in publish.conditions {
            guard try holds(condition, in: namespace, at: previous, transaction) else {
                return .answer(.conditionFailed(condition))
            }
        }
        let wanted: [String: EntryValue?]
        switch publish.change {
        case .edit(let edits): wanted = Self.completed(edits)
        case .rollback(let revision):
            guard try transaction.floor() <= revision, revision <= head else {
                return .answer(.unknownRevision(revision))
            }
            wanted = try transaction.values(in: namespace, at: revision)
        }
        let changes = try changes(to: wanted, in: namespace, transaction)
        if !changes.isEmpty {
            // A rollback brings back values and schemas that were checked together.
            if case .edit = publish.change {
                guard let violations = try violations(by: changes, of: publish, at: previous, transaction) else {
                    return .answer(.outdated)
                }
                guard violations.isEmpty else { return .answer(.invalid(violations)) }
            }
            return .write(revision(of: publish, after: previous, changes))
        }
        return .answer(.unchanged(at: previous, entries: try entries(editedBy: publish, in: transaction)))
    }

    /// The keys that get other values than they have, in order.
    func changes<Transaction: StoreTransaction>(
        to wanted: [String: EntryValue?],
        in namespace: String,
        _ transaction: Transaction
    ) throws(Transaction.Failure) -> [NewRevision.Change] {
        var changes: [NewRevision.Change] = []
        for (key, value) in wanted.sorted(by: { $0.key < $1.key }) {
            let old = try transaction.entry(key, in: namespace)
            if old?.value != value { changes.append(.init(key: key, old: old, value: value)) }
        }
        return changes
    }

    private func entries<Transaction: StoreTransaction>(
        editedBy publish: Publish,
        in transaction: Transaction
    ) throws(Transaction.Failure) -> [String: StoredEntry] {
        guard case .edit(let edits) = publish.change else { return [:] }
        var entries: [String: StoredEntry] = [:]
        for key in edits.keys { entries[key] = try transaction.entry(key, in: publish.namespace) }
        return entries
    }

    func holds<Transaction: StoreTransaction>(
        _ condition: Publish.Condition,
        in namespace: String,
        at revision: UInt64,
        _ transaction: Transaction
    ) throws(Transaction.Failure) -> Bool {
        switch condition {
        case .head(let expected): revision == expected
        case .absent(let key): try transaction.entry(key, in: namespace) == nil
        case .present(let key): try transaction.entry(key, in: namespace) != nil
        case .entry(let key, let revisions):
            try transaction.entry(key, in: namespace).map { revisions.contains($0.revision) } ?? false
        }
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

/// What a store brings so that a ``PublishJudge`` can commit: six reads and one write, in one transaction of its database.
///
/// The reads see what the transaction has written.
public protocol StoreTransaction {
    /// The error of the database; `Never` where nothing can fail.
    associatedtype Failure: Error

    /// The lowest revision whose state the history still has.
    func floor() throws(Failure) -> UInt64

    /// The last revision that changed a namespace; 0 if none has.
    func revision(of namespace: String) throws(Failure) -> UInt64

    /// The live entry of a key.
    func entry(_ key: String, in namespace: String) throws(Failure) -> StoredEntry?

    /// The live entries whose keys begin with a text; all entries if it is empty.
    func entries(in namespace: String, from beginning: String) throws(Failure) -> [String: StoredEntry]

    /// The schemas of a namespace, which are the values of the entries from `EntryKind.prefix` on. They are asked for with
    /// each publish, and do not change while no publish changes them.
    func schemas(in namespace: String) throws(Failure) -> SchemaSet

    /// The values at a revision of the keys that later revisions have changed; `nil` for a key that had none.
    ///
    /// - Parameters:
    ///   - namespace: whose values.
    ///   - revision: from the ``floor()`` to the head.
    func values(in namespace: String, at revision: UInt64) throws(Failure) -> [String: EntryValue?]

    /// Writes a revision: its entries, its history and its record.
    ///
    /// - Returns: the new entries by key, with the ids that the store gave them, and `nil` for the removed ones.
    mutating func write(_ revision: NewRevision) throws(Failure) -> [String: StoredEntry?]
}

/// A revision that is to be written: everything about it but the ids of its new entries, which the store gives.
public struct NewRevision: Hashable, Sendable {
    /// What becomes of a key.
    public struct Change: Hashable, Sendable {
        /// The key.
        public var key: String
        /// The entry so far; `nil` if there is none.
        public var old: StoredEntry?
        /// The new value; `nil` if the entry is removed.
        public var value: EntryValue?
    }

    /// Its number, one more than the last one of the store.
    public var revision: UInt64
    /// When it is made: later than the last one, in whole milliseconds.
    public var updatedAt: Timestamp
    /// The namespace that it changes.
    public var namespace: String
    /// The revision of the namespace before it.
    public var previous: UInt64
    /// The author, as in ``Publish/author``.
    public var author: String?
    /// The reason, as in ``Publish/message``.
    public var message: String?
    /// What changes, in the order of the keys; at least one.
    public var changes: [Change]

    /// The entry that a change makes; `nil` if it removes one.
    ///
    /// - Parameters:
    ///   - change: one of ``changes``.
    ///   - id: the id of the entry so far, or the store's next one.
    public func entry(_ change: Change, id: Int64) -> StoredEntry? {
        change.value.map { value in
            StoredEntry(
                id: id,
                value: value,
                revision: revision,
                createdAt: change.old?.createdAt ?? updatedAt,
                updatedAt: updatedAt
            )
        }
    }
}

extension Timestamp {
    /// This moment, or 1 ms after the last revision's if that is later: times rise strictly with the revisions.
    /// At the end of the year 9999 they stay, since a later time could not be read back.
    package func following(_ last: Timestamp) -> Timestamp { max(self, min(last.later(by: 1), Self.years.upperBound)) }
}
