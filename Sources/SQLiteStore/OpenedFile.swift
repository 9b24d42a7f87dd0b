// SPDX-License-Identifier: Apache-2.0

internal import ConfigStore
internal import Files
internal import GRDB

/// An SQLite file that is open, locked, checked, and of the current schema.
final class OpenedFile: Sendable {
    let path: String
    let pool: any DatabaseWriter
    /// Whether an earlier version had written the file.
    let wasUpgraded: Bool
    // Released with this object at the latest.
    private let lock: StoreLock

    init(path: String) throws {
        self.path = path
        lock = try StoreLock(of: path)
        let pool = try Self.databasePool(at: lock.path)
        try Self.check(pool, path: path)
        let applied = try pool.read { db in try SQLiteSchema.migrator.appliedIdentifiers(db) }
        wasUpgraded = !applied.isEmpty && applied.count < SQLiteSchema.migrator.migrations.count
        try SQLiteSchema.migrator.migrate(pool)
        // A file that is read-only now can still be read.
        try? pool.write { db in try SQLiteTables(db: db).forgetNamespaces() }
        self.pool = pool
    }

    /// Closes the file, and lets another server have it.
    func close() throws {
        // If the last connection to close is a reading one, the log stays beside the file.
        _ = try? pool.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
        try pool.close()
        lock.release()
    }

    /// Whether the path leads to this file, by whatever name.
    func isFile(at path: String) -> Bool { FileState(path: path)?.identity == lock.identity }

    /// Why writes are refused: the path no longer leads to this file, so that they would be lost.
    func replacement() -> StoreError? {
        if isFile(at: path) { return nil }
        let message = """
            the file '\(path)' was removed or replaced while the server had it open, so nothing is written to it any more; \
            put it back, or stop the server, restore a backup, and start it again
            """
        return StoreError(.unavailable, message)
    }

    /// Opens a database whose commits are on the disk when they return.
    static func databasePool(at path: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "livery"
        let pool = try DatabasePool(path: path, configuration: configuration)
        // A pool sets NORMAL as the last thing when it opens, by which the last commits may be lost with the power.
        try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
        return pool
    }

    /// Throws if the file is damaged, of a newer version, or of another program.
    static func check(_ database: some DatabaseReader, path: String) throws {
        try database.read { db in
            let found = try String.fetchOne(db, sql: "PRAGMA quick_check(1)") ?? "no answer"
            guard found == "ok" else {
                throw StoreError(.damaged, "the database '\(path)' is damaged (\(found)); \(Self.advice)")
            }
            if try SQLiteSchema.migrator.hasBeenSuperseded(db) {
                let message = "a newer version of this program wrote the database '\(path)'; install that version"
                throw StoreError(.damaged, message)
            }
            let isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") == 0
            let owner = try Int.fetchOne(db, sql: "PRAGMA application_id")
            guard isEmpty || owner == SQLiteSchema.applicationID else { throw Self.isForeign(path) }
        }
    }

    /// The error for a database of another program.
    static func isForeign(_ path: String) -> StoreError {
        let message = "the file '\(path)' belongs to another program; choose another file"
        return StoreError(.damaged, message, reason: .foreign)
    }

    static let advice = "move it away and restore a backup with 'livery-server restore FILE'"

    /// Reads at one moment; does not wait for writes.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        // With a callback, since GRDB's async methods end when their task is cancelled.
        let result = await withCheckedContinuation { continuation in
            pool.asyncRead { database in
                continuation.resume(returning: Result { try body(database.get()) })
            }
        }
        return try result.orStoreError(at: path)
    }

    /// Writes in one transaction, which is on disk when this returns.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> Value {
        let result = await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { [self] db in
                continuation.resume(returning: Result { try transaction(db, body) })
            }
        }
        return try result.orStoreError(at: path)
    }

    private func transaction<Value>(_ db: Database, _ body: (Database) throws -> Value) throws -> Value {
        try db.beginTransaction(.immediate)
        let value: Value
        do {
            value = try body(db)
        } catch {
            try? db.rollback()
            throw error
        }
        do {
            try db.commit()
        } catch {
            if db.isInsideTransaction { try? db.rollback() }
            throw StoreError(error, path: path, wasCommitting: true)
        }
        return value
    }
}
