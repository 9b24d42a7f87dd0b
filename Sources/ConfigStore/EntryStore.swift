// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The storage of a server's configuration: the requirements for a database, and no more.
///
/// A store commits publishes and keeps their history. It serves no clients: a server reads from memory, which it fills once by
/// ``load()`` and updates with the commits. A new store must pass the laws in `ConfigStoreTesting`, and uses ``PublishCommitter``
/// to decide the effect of a publish.
public protocol EntryStore: Sendable {
    /// Opens the store and reads a snapshot of all live entries. All of them are on disk.
    func load() async throws(StoreError) -> StoreContents

    /// Commits publishes in order, each as one revision, all in one transaction.
    ///
    /// A publish whose condition fails makes no revision and does not affect the others. One that changes nothing makes
    /// none either. When this returns, everything that it acknowledges is on disk.
    ///
    /// - Returns: the outcome of each publish, in the same order.
    /// - Throws: ``StoreError`` if nothing was committed; with the code `uncertain` if that is unknown.
    func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome]

    /// The commits made elsewhere since the store was loaded, by other servers on the same database or by hand, in the order of
    /// their revisions. Commits that are found together are yielded together. They are on disk, since clients receive them and
    /// a database that is killed must not come back without them.
    ///
    /// If the store cannot determine the commits that it has missed, it ends the sequence; the server then loads it again. The
    /// default never yields and never ends, for a store with one server.
    func foreignCommits() -> AsyncStream<[Commit]>

    /// The head of the store, read from the database itself: never older than the call.
    ///
    /// The default is `nil`, for a store with one server, which knows every commit.
    func head() async throws(StoreError) -> RevisionCursor?

    /// The time by the clock of the database, which dates and schedules drafts.
    ///
    /// The default is `nil`, for a database without a clock.
    func now() async throws(StoreError) -> Timestamp?

    /// The history of a namespace or of one of its keys, newest first; within a revision, the last key first.
    func history(_ query: HistoryQuery, charging charge: ReadCharge) async throws(StoreError) -> [HistoryRecord]

    /// The values at a revision of the keys that later revisions have changed; `nil` for a key that had none.
    ///
    /// With the current entries they form the whole state at that revision, and so the changes of a rollback to it, and those
    /// that a client with that revision has missed.
    ///
    /// - Returns: `nil` if the history does not have the revision.
    func values(
        in namespace: String,
        at revision: UInt64,
        charging charge: ReadCharge
    ) async throws(StoreError) -> [String: EntryValue?]?

    /// The reason why the store could not commit now; `nil` if it could.
    ///
    /// It is called every few seconds, which also lets a store that dates its commits notice a clock jump.
    func problem() async -> StoreError?

    /// The time of the last successful backup of the store; the start of 1970 without one.
    ///
    /// The default is `nil`, for a store whose backups other tools make.
    func lastBackup() -> Timestamp?

    /// Closes the store after its last use, so that its files are whole without a log. A server calls it when it ends.
    func close() async throws(StoreError)

    /// The executor whose thread ``commit(_:)`` occupies until the commit is on disk.
    ///
    /// A server collects, commits and answers on it, so that no batch has to change threads. The store must not use it for
    /// anything else, such as ``problem()``: the server's limits of time begin with the commit. The default is `nil`, for a
    /// store that waits without occupying a thread.
    var commitExecutor: (any TaskExecutor)? { get }
}

extension EntryStore {
    /// No other server commits.
    public func head() async throws(StoreError) -> RevisionCursor? { nil }

    /// The machine's clock.
    public func now() async throws(StoreError) -> Timestamp? { nil }

    /// The history, without a limit on what it takes.
    public func history(_ query: HistoryQuery) async throws(StoreError) -> [HistoryRecord] {
        try await history(query, charging: .free)
    }

    /// The values at a revision, without a limit on what they take.
    public func values(in namespace: String, at revision: UInt64) async throws(StoreError) -> [String: EntryValue?]? {
        try await values(in: namespace, at: revision, charging: .free)
    }

    /// Other tools make the backups.
    public func lastBackup() -> Timestamp? { nil }

    /// Commits wait without occupying a thread.
    public var commitExecutor: (any TaskExecutor)? { nil }

    /// Never any: the sequence waits until its task is cancelled.
    public func foreignCommits() -> AsyncStream<[Commit]> {
        AsyncStream { _ in }
    }
}

/// The part of a history to read.
public struct HistoryQuery: Hashable, Sendable {
    /// The namespace.
    public let namespace: String
    /// The only key whose records are read; all keys if `nil`.
    public let key: String?
    /// The revision below which to begin; at the head if `nil`.
    public let before: UInt64?
    /// The largest number of records, at least 1.
    public let limit: Int

    /// Creates a query; a limit below 1 is 1.
    public init(of namespace: String, key: String? = nil, before: UInt64? = nil, limit: Int) {
        (self.namespace, self.key, self.before, self.limit) = (namespace, key, before, max(1, limit))
    }
}

/// Counts what a store reads for one client while it reads it, so that the past takes no more memory than a server allows.
///
/// A store charges each row before it keeps the row. What it reads to commit is not charged (``free``).
public struct ReadCharge: Sendable {
    private let take: @Sendable (_ bytes: Int) -> Bool

    /// Creates a charge.
    ///
    /// - Parameter take: returns whether there is room for so many bytes more.
    public init(_ take: @escaping @Sendable (_ bytes: Int) -> Bool) { self.take = take }

    /// Without a limit.
    public static let free = ReadCharge { _ in true }

    /// The memory of a row besides its texts, in bytes.
    private static let overhead = 128

    /// Charges a row.
    ///
    /// - Parameter bytes: The bytes of its texts.
    /// - Throws: `overBudget` if there is no room for it.
    public func row(_ bytes: Int) throws(StoreError) {
        if take(bytes + Self.overhead) { return }
        throw StoreError(.overBudget, "memory limit for responses reached; try again in a moment, or request less data")
    }
}
