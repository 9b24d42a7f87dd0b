public import ConfigModel

/// Where a server keeps its configuration: what a database has to do for Livery, and no more.
///
/// A store commits, remembers and tells. It answers no client: reads come from memory (``ConfigHub``), which is filled
/// by ``load()`` once and kept up to date by the commits. A store of one's own keeps the laws in
/// `ConfigStoreTesting`.
public protocol ConfigStore: Sendable {
    /// Opens the store and reads everything that is live, as it was at one moment.
    func load() async throws(StoreError) -> StoreContents

    /// Commits publishes in their order, each as one revision, all in one transaction.
    ///
    /// A publish whose condition fails takes no revision and hinders no other. One that changes nothing takes none
    /// either. When this returns, everything it acknowledges is on disk.
    ///
    /// - Returns: for each publish what came of it, in the same order.
    /// - Throws: ``StoreError`` if nothing was committed, with the code `uncertain` if the store cannot tell.
    func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome]

    /// Commits that this store has seen since it was loaded and that did not come from ``commit(_:)`` here: those of
    /// other servers on the same database, and edits by hand. In order of their revisions.
    ///
    /// A store that cannot tell what it has missed ends the sequence; it is then loaded anew and asked again. The default
    /// is a sequence that never has any and does not end, for a store with one server.
    func foreignCommits() -> AsyncStream<Commit>

    /// Where the store is, asked of the database itself: no older than the call.
    ///
    /// The default is `nil`, for a store with one server: what was committed there last is all there is.
    func head() async throws(StoreError) -> Cursor?

    /// What happened to a namespace or to one of its keys, newest first, and within a revision the last key first.
    ///
    /// - Parameters:
    ///   - key: only this key's, unless `nil`.
    ///   - before: only revisions lower than this one.
    ///   - limit: at most so many records, at least 1.
    func history(
        of namespace: String,
        key: String?,
        before: UInt64?,
        limit: Int
    ) async throws(StoreError) -> [HistoryRecord]

    /// What leads from one revision of a namespace to a later one; `nil` if the history does not reach so far.
    ///
    /// - Parameters:
    ///   - after: the revision that the client has.
    ///   - through: the revision that it is to get, at most the namespace's last.
    func changes(
        in namespace: String,
        after: UInt64,
        through: UInt64
    ) async throws(StoreError) -> NetChange?

    /// The edits that a rollback would make: the values that keys had at a revision, of those that have changed since.
    ///
    /// The quotas are judged by it before the rollback is made. The default is `nil`, for a store that cannot tell.
    ///
    /// - Returns: `nil` if the history does not reach so far, or the store cannot tell.
    func edits(restoring namespace: String, to revision: UInt64) async throws(StoreError) -> [String: ConfigValue?]?

    /// Whether the store could commit now; the reason if it could not.
    ///
    /// It is asked every few seconds, and so is when a store that dates its commits sees its clock leap.
    func problem() async -> StoreError?
}

extension ConfigStore {
    /// Unknown: rollbacks are made whatever the quotas.
    public func edits(
        restoring namespace: String,
        to revision: UInt64
    ) async throws(StoreError) -> [String: ConfigValue?]? { nil }

    /// Nobody else commits.
    public func head() async throws(StoreError) -> Cursor? { nil }

    /// No foreign commits, ever: it waits until its task is cancelled.
    public func foreignCommits() -> AsyncStream<Commit> {
        AsyncStream { _ in }
    }
}
