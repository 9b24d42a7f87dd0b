// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigStore
internal import Files
internal import Foundation
internal import GRDB

/// Copies a store while it is in use.
enum SQLiteBackup {
    /// Copies a database to a file, which appears when the copy is complete and on disk.
    ///
    /// Only a regular file is ever replaced. The copy has the owner and the mode of the file that it replaces.
    ///
    /// - Parameter origin: the file of the database.
    static func copy(_ source: some DatabaseReader, at origin: String, to destination: String) throws {
        let path = destination.resolvingLinks()
        let temporary = try TemporaryDatabase(beside: path, like: try DatabaseFile.replaceable(at: path))
        do {
            let copy = try DatabaseQueue(path: temporary.path)
            try source.backup(to: copy)
            // One file, without a log beside it.
            try copy.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
            try disk("'\(temporary.path)' cannot be synchronized to the disk") { try $0.flush(temporary.path) }
        } catch {
            throw failure(error, of: destination, from: origin)
        }
        let folder = path.folderOfPath
        try disk("the backup cannot be put at '\(destination)'") { try $0.move(temporary.path, to: path) }
        try disk("'\(folder)' cannot be synchronized to the disk") { try $0.flushFolder(folder) }
    }

    private static func disk(_ failure: String, _ body: (SystemDisk) throws -> Void) throws(StoreError) {
        do {
            try body(SystemDisk())
        } catch {
            throw StoreError(.unavailable, "\(failure): \((error as? FileError)?.reason ?? "\(error)")")
        }
    }

    /// The error of a copy: only the copy is written to, and everything else is about the original.
    static func failure(_ error: any Error, of copy: String, from original: String) -> StoreError {
        let failure = StoreError(error, path: copy)
        return [.full, .readOnly].contains(failure.code) ? failure : StoreError(error, path: original)
    }

    /// A copy that replaced its own original would leave a server writing to a deleted file.
    static func isTheDatabase(_ path: String) -> StoreError {
        StoreError(.unavailable, "'\(path)' is the database itself; choose another file")
    }
}

/// A temporary file for a database, which is removed with all that SQLite puts beside it.
///
/// Nobody else can have put anything in its place: its name is random, and it must not exist yet.
final class TemporaryDatabase {
    let path: String

    /// - Parameter model: the file whose owner and mode it gets.
    init(beside path: String, like model: FileState? = nil) throws(StoreError) {
        self.path = path + ".partial-" + String(UInt64.random(in: .min ... .max), radix: 36)
        _ = try DatabaseFile(self.path, isExclusive: true, like: model)
    }

    deinit {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }
}

extension SQLiteStore {
    /// Copies the store in a file to another file, whether a server has it open or not.
    ///
    /// - Parameters:
    ///   - path: the store's file.
    ///   - destination: the copy. An existing regular file is replaced when the copy is complete and on disk;
    ///     anything else is left alone.
    public static func backup(of path: String, to destination: String) throws(StoreError) {
        try perform(path) {
            let source = try opened(path, copy: destination, of: path)
            try SQLiteBackup.copy(source, at: path, to: destination)
            try source.close()
        }
    }

    /// Replaces a store that no server has open by a backup.
    ///
    /// The revisions stay, but in a new epoch, so that every client reads the whole state again instead of mixing two
    /// histories. The contents are replaced in one transaction, in the same file, which keeps its owner and its mode.
    ///
    /// - Parameters:
    ///   - backup: the backup's file, which is not changed.
    ///   - path: the store's file, which is created if it does not exist.
    ///   - dryRun: whether to do all but the last step: the backup is checked and prepared, and the store stays as it is.
    /// - Returns: the head of the restored store.
    @discardableResult
    public static func restore(
        from backup: String,
        to path: String,
        dryRun: Bool = false
    ) throws(StoreError) -> ConfigModel.Cursor {
        let source = try perform(backup, isCopy: true) { try opened(backup, copy: backup, of: path) }
        let lock = try perform(path) { try StoreLock(of: path) }
        defer { withExtendedLifetime(lock) {} }
        do throws(StoreError) {
            let temporary = try TemporaryDatabase(beside: lock.path)
            defer { withExtendedLifetime(temporary) {} }
            let (copy, head) = try perform(backup, isCopy: true) {
                do {
                    return try renewed(source, at: temporary.path)
                } catch {
                    throw SQLiteBackup.failure(error, of: path, from: backup)
                }
            }
            try perform(path) {
                guard !dryRun else { return try checkReplacing(lock) }
                let target = try OpenedFile.databasePool(at: lock.path)
                try copy.backup(to: target)
                try target.close()
                try copy.close()
            }
            return head
        } catch {
            if lock.isNew { unlink(lock.path) }
            throw error
        }
    }

    /// Checks that a store can be replaced, and leaves no file where there was none.
    private static func checkReplacing(_ lock: StoreLock) throws {
        if lock.isNew {
            unlink(lock.path)
            return
        }
        // By its first bytes: a connection would also bring its log into the file.
        let file = try FileHandle(forReadingFrom: URL(filePath: lock.path))
        let start = try file.read(upToCount: 16) ?? Data()
        guard start.isEmpty || start == Data("SQLite format 3\0".utf8) else {
            throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "file is not a database")
        }
    }

    /// A copy of a database as this version writes it, of an epoch of its own.
    private static func renewed(
        _ source: DatabaseQueue,
        at path: String
    ) throws -> (copy: DatabaseQueue, head: ConfigModel.Cursor) {
        let copy = try DatabaseQueue(path: path)
        try source.backup(to: copy)
        try SQLiteSchema.migrator.migrate(copy)
        let head = try copy.write { db in
            let epoch = Epoch.random().description
            try db.execute(sql: "UPDATE meta SET epoch = ?", arguments: [epoch])
            return try SQLiteTables(db: db).contents().head
        }
        return (copy, head)
    }

    /// A database that exists and is valid, unless its copy is the same file as the original.
    private static func opened(_ path: String, copy: String, of original: String) throws -> DatabaseQueue {
        guard access(path, R_OK) == 0 else {
            throw StoreError(.unavailable, "the database '\(path)' does not exist or cannot be read")
        }
        let database = try DatabaseQueue(path: path)
        if let state = FileState(path: copy), state.identity == FileState(path: original)?.identity {
            throw SQLiteBackup.isTheDatabase(copy)
        }
        try OpenedFile.check(database, path: path)
        return database
    }

    /// - Parameter isCopy: whether the path is a backup's, for which the advice differs.
    private static func perform<Value>(
        _ path: String,
        isCopy: Bool = false,
        _ body: () throws -> Value
    ) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try Result(catching: body).orStoreError(at: path)
        } catch {
            var error = error
            let advice = "restore another copy than '\(path)'"
            if isCopy { error.message = error.message.replacing(OpenedFile.advice, with: advice) }
            throw error
        }
    }
}
