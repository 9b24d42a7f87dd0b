// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import ConfigStore
internal import Files
internal import Foundation
internal import GRDB
internal import Synchronization

/// An SQLite file that is locked, open, checked, and of the current schema.
///
/// Interference by other programs is detected with each commit, after it is on the disk and before it is acknowledged. A
/// truncated log is written back. If the log or the shared memory no longer has its name, all commits are copied to the
/// database's file, and the file is opened again. Without the database's file nothing is written.
final class OpenedFile: Sendable {
    let path: String
    // Released with this object at the latest.
    private let lock: StoreLock
    /// `nil` once the file is closed, and while it cannot be opened again.
    private let connection: Mutex<OpenedConnection?>
    /// For what must not wait on a thread that tasks share, nor delay commits, which have another thread.
    private let upkeepExecutor = QueueExecutor(label: "livery.sqlite.upkeep")

    init(path: String) throws {
        self.path = path
        lock = try StoreLock(of: path)
        // SQLite takes a file without a whole header for an empty database.
        if let size = FileState(path: lock.path)?.size, (1..<100).contains(size) {
            throw StoreError(.damaged, "the file '\(path)' is not a valid database (truncated); \(Self.advice)")
        }
        let pool = try SQLiteSettings.databasePool(at: lock.path)
        try Self.check(pool, path: path)
        try SQLiteSchema.migrator.migrate(pool)
        // A file that is read-only now can still be read.
        try? pool.write { db in try SQLiteTables(db: db).forgetNamespaces() }
        connection = Mutex(try OpenedConnection(pool, to: path, lock: lock, at: lock.path))
    }

    /// Closes the file, and lets another server have it.
    func close() throws {
        let connection = connection.withLock { $0.take() }
        try connection?.close()
        lock.release()
    }

    /// Whether the path leads to this file, by any name.
    private func isFile(at path: String) -> Bool { FileState(path: path)?.identity == lock.identity }

    /// Whether all files seem to be as they were. This waits for no write.
    var isIntact: Bool { connection.withLock { $0 }?.isIntact ?? false }

    /// The connections.
    var pool: DatabasePool {
        get throws(StoreError) { try current().pool }
    }

    /// Throws if the file is damaged, of another version, or of another program.
    static func check(_ database: some DatabaseReader, path: String) throws {
        try database.read { db in
            let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no result"
            guard found == "ok" else {
                throw StoreError(.damaged, "the database '\(path)' is corrupt (\(found)); \(Self.advice)")
            }
            if try SQLiteSchema.migrator.hasBeenSuperseded(db) {
                let message =
                    "the database '\(path)' was written by another version of livery-server; install that version"
                throw StoreError(.damaged, message, reason: .version)
            }
            let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
            let owner = try Int.fetchOne(db, sql: "PRAGMA application_id")
            guard isEmpty || owner == SQLiteSchema.applicationID else { throw Self.isForeign(path) }
        }
    }

    /// The error for a database of another program.
    static func isForeign(_ path: String) -> StoreError {
        let message = "the file '\(path)' is a database of another program; choose another file"
        return StoreError(.damaged, message, reason: .foreign)
    }

    static let advice = "move it away and restore a backup with 'livery-server restore FILE'"

    /// Reads at one moment; does not wait for writes.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        while true {
            let connection = try current()
            // With a callback, since GRDB's async methods end when their task is cancelled.
            let result = await withCheckedContinuation { continuation in
                connection.pool.asyncRead { database in
                    continuation.resume(returning: Result { try body(database.get()) })
                }
            }
            if case .failure(let error as DatabaseError) = result, error.resultCode == .SQLITE_MISUSE {
                // It was closed to be opened again.
                if try current() !== connection { continue }
            }
            return try result.orStoreError(at: path)
        }
    }

    /// Writes in one transaction, which is in the files on disk when this returns.
    ///
    /// - Parameters:
    ///   - executor: the thread that SQLite occupies until the commit is on disk; by default that of upkeep.
    ///   - emptyingLog: whether the log is copied to the database and emptied first, which makes room on the disk.
    func write<Value: Sendable>(
        on executor: QueueExecutor? = nil,
        emptyingLog: Bool = false,
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let connection = try await reconnected()
        let (value, state) = try await connection.write(on: executor ?? upkeepExecutor, emptyingLog: emptyingLog, body)
        guard state != .sound else { return value }
        do {
            try await reopen(connection)
        } catch {
            throw StoreError(.uncertain, error.message, reason: error.reason, underlying: error)
        }
        guard state != .lost else {
            let message = """
                the write-ahead log of the database '\(path)' was truncated or replaced during a write; stop the \
                program that modifies the database files
                """
            throw StoreError(.uncertain, message, reason: .replaced)
        }
        return value
    }

    /// Makes the files as they have to be, if they are not.
    func secure() async throws(StoreError) {
        if isIntact { return }
        let connection = try await reconnected()
        if try await connection.inspect() != .sound { try await reopen(connection) }
    }

    private func current() throws(StoreError) -> OpenedConnection {
        if let connection = connection.withLock({ $0 }) { return connection }
        throw StoreError(.unavailable, "the database '\(path)' is not open; try again in a moment")
    }

    private func reconnected() async throws(StoreError) -> OpenedConnection {
        if connection.withLock({ $0 }) == nil { try await reopen(nil) }
        return try current()
    }

    /// Closes a connection whose files have lost their names, and opens the file again.
    private func reopen(_ old: OpenedConnection?) async throws(StoreError) {
        let result = await withTaskExecutorPreference(upkeepExecutor) { Result { try replace(old) } }
        try result.orStoreError(at: path)
    }

    /// Reads that begin now wait for the new connection.
    private func replace(_ old: OpenedConnection?) throws {
        try connection.withLock { connection in
            guard connection === old else { return }
            try old?.retire()
            connection = nil
            guard lock.isHeld, isFile(at: path) else { throw OpenedConnection.replaced(path) }
            let location = path.resolvingLinks()
            let pool = try SQLiteSettings.databasePool(at: location)
            try Self.check(pool, path: path)
            connection = try OpenedConnection(pool, to: path, lock: lock, at: location)
        }
    }
}
