// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// Where a server keeps its configuration: what a database has to do for Livery, and no more.
///
/// A store commits publishes and keeps their history. It answers no client: a server reads from memory, which it fills
/// once by ``load()`` and keeps up to date with the commits. A new store passes the laws in `ConfigStoreTesting`, and
/// ``PublishJudge`` decides for it what a publish does.
public protocol EntryStore: Sendable {
    /// Opens the store and reads all live entries, as of one moment. They are on disk.
    func load() async throws(StoreError) -> StoreContents

    /// Commits publishes in their order, each as one revision, all in one transaction.
    ///
    /// A publish whose condition fails makes no revision and does not affect the others. One that changes nothing makes
    /// none either. When this returns, everything that it acknowledges is on disk.
    ///
    /// - Returns: the outcome of each publish, in the same order.
    /// - Throws: ``StoreError`` if nothing was committed; with the code `uncertain` if that is unknown.
    func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome]

    /// The commits that were made elsewhere since the store was loaded, by other servers on the same database or by hand, in
    /// the order of their revisions. Those that are found at once are yielded together, and are on disk: clients are shown
    /// them, and a database that is killed must not come back without them.
    ///
    /// If the store cannot find out what it has missed, it ends the sequence; the server then loads it again. The default
    /// never yields and never ends, for a store with one server.
    func foreignCommits() -> AsyncStream<[Commit]>

    /// The head of the store, read from the database itself: never older than the call.
    ///
    /// The default is `nil`, for a store with one server, which knows every commit.
    func head() async throws(StoreError) -> Cursor?

    /// The history of a namespace or of one of its keys, newest first; within a revision, the last key first.
    func history(_ query: HistoryQuery) async throws(StoreError) -> [HistoryRecord]

    /// The values at a revision of the keys that later revisions have changed; `nil` for a key that had none.
    ///
    /// With the present entries they give the whole state at that revision, and so what a rollback to it would change, and
    /// what a client that has seen it has missed.
    ///
    /// - Returns: `nil` if the history does not have the revision.
    func values(in namespace: String, at revision: UInt64) async throws(StoreError) -> [String: EntryValue?]?

    /// Why the store could not commit now; `nil` if it could.
    ///
    /// It is asked every few seconds, which also lets a store that dates its commits notice that its clock has jumped.
    func problem() async -> StoreError?

    /// When the last backup of the store succeeded; the start of 1970 if there was none.
    ///
    /// The default is `nil`, for a store whose backups other tools make.
    func lastBackup() -> Timestamp?
}

extension EntryStore {
    /// No other server commits.
    public func head() async throws(StoreError) -> Cursor? { nil }

    /// Other tools make the backups.
    public func lastBackup() -> Timestamp? { nil }

    /// Never any: the sequence waits until its task is cancelled.
    public func foreignCommits() -> AsyncStream<[Commit]> {
        AsyncStream { _ in }
    }
}

/// Which part of a history to read.
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
