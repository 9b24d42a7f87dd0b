public import ConfigModel

/// Where a server keeps its configuration: what a database has to do for Livery, and no more.
///
/// A store commits publishes and keeps their history. It answers no client: a server reads from memory, which it fills
/// once by ``load()`` and keeps up to date with the commits. A new store passes the laws in `ConfigStoreTesting`, and
/// ``PublishJudge`` decides for it what a publish does.
public protocol ConfigStore: Sendable {
    /// Opens the store and reads all live entries, as of one moment.
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
    /// the order of their revisions.
    ///
    /// If the store cannot find out what it has missed, it ends the sequence; the server then loads it again. The default
    /// never yields and never ends, for a store with one server.
    func foreignCommits() -> AsyncStream<Commit>

    /// The head of the store, read from the database itself: never older than the call.
    ///
    /// The default is `nil`, for a store with one server, which knows every commit.
    func head() async throws(StoreError) -> Cursor?

    /// The history of a namespace or of one of its keys, newest first; within a revision, the last key first.
    ///
    /// - Parameters:
    ///   - key: only the records of this key; all if `nil`.
    ///   - before: only revisions below this one.
    ///   - limit: the largest number of records, at least 1.
    func history(
        of namespace: String,
        key: String?,
        before: UInt64?,
        limit: Int
    ) async throws(StoreError) -> [HistoryRecord]

    /// The difference between two revisions of a namespace; `nil` if the history does not reach that far back.
    ///
    /// - Parameters:
    ///   - after: the revision that the client has.
    ///   - through: the revision that the client needs, at most the namespace's last.
    func changes(
        in namespace: String,
        after: UInt64,
        through: UInt64
    ) async throws(StoreError) -> NetChange?

    /// The edits that a rollback would make: the values at a revision of the keys that have changed since.
    ///
    /// The server checks its quotas against them before it rolls back. The default is `nil`, for a store that cannot
    /// compute them.
    ///
    /// - Returns: `nil` if the history does not reach that far back, or the store cannot compute the edits.
    func edits(restoring namespace: String, to revision: UInt64) async throws(StoreError) -> [String: EntryValue?]?

    /// Why the store could not commit now; `nil` if it could.
    ///
    /// It is asked every few seconds, which also lets a store that dates its commits notice that its clock has jumped.
    func problem() async -> StoreError?
}

extension ConfigStore {
    /// Unknown: rollbacks bypass the quotas.
    public func edits(
        restoring namespace: String,
        to revision: UInt64
    ) async throws(StoreError) -> [String: EntryValue?]? { nil }

    /// No other server commits.
    public func head() async throws(StoreError) -> Cursor? { nil }

    /// Never any: the sequence waits until its task is cancelled.
    public func foreignCommits() -> AsyncStream<Commit> {
        AsyncStream { _ in }
    }
}
