// SPDX-License-Identifier: Apache-2.0

internal import Basics
public import ConfigModel
public import ConfigStore
internal import GRDB
internal import Synchronization

/// A store in one SQLite file: nothing to install, nothing to set up.
///
/// Every commit is on disk before it is acknowledged (`synchronous=FULL`, in a write-ahead log). One server writes to a file:
/// it is locked, by whatever name it is opened. A commit is acknowledged once it is in files with their right names, so a
/// server stops writing if its file is removed, replaced or truncated, and repairs or replaces a damaged log.
public final class SQLiteEntryStore: EntryStore {
    /// The options of the store.
    public struct Options: Sendable {
        /// The retention of the history.
        public var history = HistoryRetention()
        /// The clock that writes are dated by, in whole milliseconds since 1970.
        public var now: @Sendable () -> Timestamp = WriteClock().now

        /// Creates the options that suit most servers.
        public init() {}
    }

    /// The file.
    public let path: String
    let options: Options
    private let opened = Mutex<OpenedFile?>(nil)
    /// Whether the last commit has failed.
    private let hasFailed = Atomic(false)
    private let memory = Mutex(BatchMemory())
    /// Opening blocks, so it happens on a separate thread.
    private let openingExecutor = QueueExecutor(label: "livery.sqlite.open")
    private let writingExecutor = QueueExecutor(label: "livery.sqlite.write")

    /// A commit occupies a thread, since SQLite waits for the disk. Nothing else occupies this one, so that no commit waits
    /// unwatched.
    public var commitExecutor: (any TaskExecutor)? { writingExecutor }

    /// Creates a store, which opens its file when it is loaded.
    ///
    /// - Parameters:
    ///   - path: the file, which is created if it does not exist, in a folder that does.
    ///   - options: how the store behaves.
    public init(path: String, options: Options = Options()) {
        (self.path, self.options) = (path, options)
    }

    /// Opens the file, checks it and reads the live entries.
    ///
    /// - Throws: `unavailable` if another server has the file, `damaged` if it is not a valid database of this program,
    ///   `readOnly` or `full` if it cannot be written to.
    public func load() async throws(StoreError) -> StoreContents {
        let file = try await blocking {
            if let file = self.opened.withLock({ $0 }) { return file }
            let file = try OpenedFile(path: self.path)
            // Opening it forgets namespaces.
            self.memory.withLock { $0 = BatchMemory() }
            self.opened.withLock { $0 = file }
            return file
        }
        try await file.secure()
        return try await file.read { db in try SQLiteTables(db: db).contents() }
    }

    /// Commits all publishes in one transaction, which is synchronized to the disk once.
    public func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome] {
        let file = try openedFile()
        let options = options
        let pruning = HistoryPruning(options.history, revisionsPerStep: 16)
        var isCommitted = false
        defer { hasFailed.store(!isCommitted, ordering: .relaxed) }
        let (outcomes, known) = try await file.write(on: writingExecutor) { [self] db in
            var tables = SQLiteTables(db: db)
            let meta = try tables.meta()
            // Held by this variable alone, so that the batch changes it in place: it may be as large as the store.
            var known = memory.withLock { $0.take(at: meta.head, meta.updatedAt) }
            let (head, time) = (meta.head, meta.updatedAt)
            let outcomes = try tables.commit(publishes, at: head, time, knowing: &known, now: options.now)
            try pruning.step(in: tables, at: options.now())
            return (outcomes, known)
        }
        memory.withLock { $0 = known }
        isCommitted = true
        return outcomes
    }

    /// Reads the history.
    public func history(
        _ query: HistoryQuery,
        charging charge: ReadCharge
    ) async throws(StoreError) -> [HistoryRecord] {
        try await openedFile().read { db in try SQLiteTables(db: db).history(query, charging: charge) }
    }

    /// Reads values in the history.
    public func values(
        in namespace: String,
        at revision: UInt64,
        charging charge: ReadCharge
    ) async throws(StoreError) -> [String: EntryValue?]? {
        try await openedFile().read { db in
            try SQLiteTables(db: db).knownValues(in: namespace, at: revision, charging: charge)
        }
    }

    /// The reason why a commit would fail now; after a failure, determined by a write.
    public func problem() async -> StoreError? {
        _ = options.now()
        do throws(StoreError) {
            let file = try openedFile()
            try await file.secure()
            if let problem = DiskState.problem(at: path) { return problem }
            guard hasFailed.load(ordering: .relaxed) else { return nil }
            // There may be no room for the log alone.
            try await file.write(emptyingLog: true) { db in try SQLiteTables(db: db).probe() }
            hasFailed.store(false, ordering: .relaxed)
            return nil
        } catch {
            return error
        }
    }

    /// Copies the store to a file while it is in use, as one snapshot.
    ///
    /// - Parameter destination: the file, which is replaced when the copy is complete and on disk.
    public func backup(to destination: String) async throws(StoreError) {
        let file = try openedFile()
        try await blocking {
            try SQLiteBackup.copy(try file.pool, at: self.path, to: destination)
        }
    }

    /// Closes the file, so that another server can open it. ``load()`` opens it again.
    public func close() async throws(StoreError) {
        guard let file = opened.withLock({ $0.take() }) else { return }
        try await blocking { try file.close() }
    }

    private func openedFile() throws(StoreError) -> OpenedFile {
        if let file = opened.withLock({ $0 }) { return file }
        throw .notOpen
    }

    /// Runs blocking work away from the threads that tasks share.
    private func blocking<Value: Sendable>(
        _ body: @escaping @Sendable () throws -> Value
    ) async throws(StoreError) -> Value {
        let result = await withTaskExecutorPreference(openingExecutor) { Result(catching: body) }
        return try result.orStoreError(at: path)
    }
}
