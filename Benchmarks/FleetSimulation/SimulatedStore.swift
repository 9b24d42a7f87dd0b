// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigSchemas
internal import ConfigStore
internal import Synchronization

/// A database that the servers share: it may be lost, and its commits take time.
final class SharedDatabase: Sendable {
    struct Record: Sendable {
        let commit: Commit
        let server: Int
        let time: Duration
    }

    private struct State {
        var isLost = false
        var tables = MemoryTables()
        var log: [Record] = []
        /// The watch of each server, and how much of the log it has.
        var watches: [Int: (continuation: AsyncStream<[Commit]>.Continuation, position: Int)] = [:]
    }

    let clock: VirtualClock
    private let commitTime: Duration
    private let state = Mutex(State())

    init(_ clock: VirtualClock, commitTime: Duration) {
        (self.clock, self.commitTime) = (clock, commitTime)
    }

    /// The commits so far.
    var log: [Record] { state.withLock(\.log) }

    /// Whether a server waits for commits of others, or cannot.
    func isReached(by server: Int) -> Bool { state.withLock { $0.isLost || $0.watches[server] != nil } }

    /// Loses the connections of all servers, or accepts connections again.
    func setLost(_ isLost: Bool) {
        let watches = state.withLock { state in
            state.isLost = isLost
            defer { if isLost { state.watches = [:] } }
            return state.watches.values.map(\.continuation)
        }
        if isLost { for watch in watches { watch.finish() } }
    }

    /// Ends the connection of a server.
    func disconnect(_ server: Int) { state.withLock { $0.watches[server] = nil } }

    /// Reports the commits of others to a server that has not got them yet.
    func report(to server: Int) {
        state.withLock { state in
            guard let watch = state.watches[server] else { return }
            state.watches[server]?.position = state.log.count
            let commits = state.log[watch.position...].filter { $0.server != server }.map(\.commit)
            if !commits.isEmpty { watch.continuation.yield(commits) }
        }
    }

    /// The tables, if the database can be reached.
    fileprivate func tables() throws(StoreError) -> MemoryTables {
        guard let tables = state.withLock({ $0.isLost ? nil : $0.tables }) else {
            throw StoreError(.unavailable, "no connection to the database")
        }
        return tables
    }

    fileprivate func commit(_ publishes: [Publish], by server: Int) async throws(StoreError) -> [PublishOutcome] {
        // It throws only if the server is lost.
        try? await clock.sleep(for: commitTime)
        _ = try tables()
        return write(publishes, by: server)
    }

    /// Commits at once.
    @discardableResult
    func write(_ publishes: [Publish], by server: Int) -> [PublishOutcome] {
        state.withLock { state in
            let (time, last) = (clock.elapsed, state.tables.contents)
            var committer = PublishCommitter(head: last.head.revision, updatedAt: last.updatedAt) {
                Timestamp(milliseconds: 1_800_000_000_000 + Int64(time / .milliseconds(1)))
            }
            let outcomes = committer.commit(publishes, in: &state.tables)
            state.log += outcomes.flatMap(\.commits).map { Record(commit: $0, server: server, time: time) }
            return outcomes
        }
    }

    fileprivate func watch(by server: Int) -> AsyncStream<[Commit]> {
        let (stream, continuation) = AsyncStream.makeStream(of: [Commit].self)
        state.withLock { state in
            if state.isLost { return continuation.finish() }
            state.watches[server] = (continuation, state.log.count)
        }
        return stream
    }
}

/// The tables of the database, with the history of its one namespace.
struct MemoryTables: StoreTransaction {
    fileprivate(set) var contents = StoreContents(
        head: RevisionCursor(epoch: Epoch(rawValue: 1), revision: 0),
        updatedAt: Timestamp(milliseconds: 0),
        namespaces: [:]
    )
    private var history: [(revision: UInt64, key: String, value: EntryValue?)] = []

    func floor() -> UInt64 { 0 }

    func revision(of namespace: String) -> UInt64 { contents.namespaces[namespace]?.revision ?? 0 }

    func entry(_ key: String, in namespace: String) -> StoredEntry? { contents.namespaces[namespace]?.entries[key] }

    func entries(in namespace: String, from beginning: String) -> [String: StoredEntry] {
        contents.namespaces[namespace, default: .init(revision: 0, entries: [:])].entries.filter {
            $0.key.utf8.starts(with: beginning.utf8)
        }
    }

    func schemas(in namespace: String) -> SchemaSet { SchemaSet() }

    func values(in namespace: String, at revision: UInt64) -> [String: EntryValue?] {
        var values: [String: EntryValue?] = [:]
        for change in history where change.revision > revision { values[change.key] = .some(nil) }
        for change in history where change.revision <= revision && values[change.key] != nil {
            values[change.key] = .some(change.value)
        }
        return values
    }

    mutating func write(_ revision: NewRevision) -> [String: StoredEntry?] {
        var namespace = contents.namespaces[revision.namespace] ?? .init(revision: 0, entries: [:])
        var written: [String: StoredEntry?] = [:]
        for change in revision.changes {
            let entry = revision.entry(change, id: change.old?.id ?? Int64(namespace.entries.count + 1))
            namespace.entries[change.key] = entry
            written[change.key] = .some(entry)
            history.append((revision.revision, change.key, change.value))
        }
        namespace.revision = revision.revision
        contents.namespaces[revision.namespace] = namespace
        (contents.head.revision, contents.updatedAt) = (revision.revision, revision.updatedAt)
        return written
    }
}

/// The database as one server reaches it.
struct SimulatedStore: EntryStore {
    let database: SharedDatabase
    let server: Int
    let commitExecutor: (any TaskExecutor)?

    func load() async throws(StoreError) -> StoreContents {
        try database.tables().contents
    }

    func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome] {
        try await database.commit(publishes, by: server)
    }

    func foreignCommits() -> AsyncStream<[Commit]> { database.watch(by: server) }

    func head() async throws(StoreError) -> RevisionCursor? { try await load().head }

    func history(_ query: HistoryQuery, charging charge: ReadCharge) async throws(StoreError) -> [HistoryRecord] {
        []
    }

    func values(
        in namespace: String,
        at revision: UInt64,
        charging charge: ReadCharge
    ) async throws(StoreError) -> [String: EntryValue?]? {
        try database.tables().values(in: namespace, at: revision)
    }

    func problem() async -> StoreError? {
        do {
            _ = try database.tables()
            return nil
        } catch {
            return error
        }
    }

    func close() async throws(StoreError) {}
}
