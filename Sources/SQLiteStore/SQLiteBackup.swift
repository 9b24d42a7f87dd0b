// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigStore
internal import Files
internal import Foundation
internal import GRDB
internal import GRDBSQLite

/// Copies a store while it is in use.
enum SQLiteBackup {
    /// Copies a database to a file, which appears when the copy is complete and on disk.
    ///
    /// Only a regular file is ever replaced. The copy has the owner and the mode of the file that it replaces.
    ///
    /// - Parameters:
    ///   - origin: the file of the database.
    ///   - mayBeDamaged: whether to copy a database whose contents are not valid. The copy is no backup then.
    static func copy(
        _ source: some DatabaseReader,
        at origin: String,
        to destination: String,
        mayBeDamaged: Bool = false
    ) throws {
        let path = try StoreFiles(of: origin).checkDestination(destination)
        let temporary = try TemporaryDatabase(beside: path, like: try DatabaseFile.replaceable(at: path))
        do {
            let copy = try DatabaseQueue(path: temporary.path.asSQLiteName)
            try source.backup(to: copy)
            // One file, without a separate log.
            try copy.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
            do {
                try copy.write { db in try BackupMark(of: db).write(to: db) }
            } catch {
                guard mayBeDamaged else { throw error }
            }
            try copy.close()
        } catch {
            throw failure(error, of: destination, from: origin)
        }
        try disk("cannot sync '\(temporary.path)' to disk") { try $0.flush(temporary.path) }
        let folder = path.folderOfPath
        try disk("cannot move the backup to '\(destination)'") { try $0.move(temporary.path, to: path) }
        try disk("cannot sync '\(folder)' to disk") { try $0.flushFolder(folder) }
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
        // The system refused to write or to synchronize a file.
        let ofWriting: [ResultCode] = [
            .SQLITE_IOERR_WRITE, .SQLITE_IOERR_FSYNC, .SQLITE_IOERR_DIR_FSYNC, .SQLITE_IOERR_TRUNCATE,
        ]
        if let error = error as? DatabaseError, ofWriting.contains(error.extendedResultCode) {
            // The message of the error is that of another call, if a backup has failed.
            let reason = String(cString: sqlite3_errstr(error.resultCode.rawValue))
            let message = """
                cannot write '\(copy)': \(reason); check the disk, the quota and the file size limit (ulimit -f)
                """
            return DiskState.problem(at: copy) ?? StoreError(.unavailable, message, underlying: error)
        }
        let failure = StoreError(error, path: copy)
        return [.full, .readOnly].contains(failure.code) ? failure : StoreError(error, path: original)
    }
}

/// The files of a store: the database, and the files of SQLite and the server next to it.
struct StoreFiles {
    /// The database's path without links.
    let path: String

    /// The suffixes of SQLite's files next to a database.
    static let suffixes = ["-wal", "-shm", "-journal"]

    init(of path: String) { self.path = path.resolvingLinks() }

    private var paths: [String] {
        [path, path + ".lock", BackupRecord(ofStore: path).path] + Self.suffixes.map { path + $0 }
    }

    /// The files with commits that are not in the database yet.
    var logs: [String] {
        ["-wal", "-journal"].map { path + $0 }.filter { FileState(path: $0).map { $0.size > 0 } ?? false }
    }

    /// Whether a path leads to one of the files, by any name, or would create it.
    func contain(_ other: String) -> Bool {
        if paths.contains(where: other.resolvingLinks(toNowhere: 40).hasSameScalars) { return true }
        guard let identity = FileState(path: other)?.identity else { return false }
        return paths.contains { FileState(path: $0)?.identity == identity }
    }

    /// Checks that a copy of the store can be put at a path.
    ///
    /// - Returns: the path without links.
    func checkDestination(_ destination: String) throws(StoreError) -> String {
        if contain(destination) {
            // A copy that replaced its own original would leave a server writing to a deleted file.
            let message = "'\(destination)' is the database or one of its files; choose another file"
            throw StoreError(.unavailable, message)
        }
        let other = StoreFiles(of: destination)
        if let log = other.logs.first {
            // SQLite would apply the log to the copy.
            let message = "'\(destination)' is a store with a write-ahead log '\(log)'; choose another file"
            throw StoreError(.unavailable, message)
        }
        return other.path
    }
}

extension SQLiteEntryStore {
    /// Copies the store in a file to another file, whether a server has it open or not.
    ///
    /// - Parameters:
    ///   - path: the store's file.
    ///   - destination: the copy. An existing regular file is replaced when the copy is complete and on disk;
    ///     anything else is left alone.
    public static func backup(of path: String, to destination: String) throws(StoreError) {
        try perform(path) {
            let source = try openedStore(path, for: destination)
            try SQLiteBackup.copy(source, at: path, to: destination)
            try source.close()
        }
    }

    /// Records that a backup of the store in a file succeeded, for ``lastBackup()``.
    public static func recordBackup(of path: String) throws(StoreError) { try BackupRecord(ofStore: path).write() }

    /// The date of the file `PATH.last-backup`.
    public func lastBackup() -> Timestamp? { BackupRecord(ofStore: path).date ?? Timestamp(milliseconds: 0) }

    /// The result of a restore.
    public struct Restored: Hashable, Sendable {
        /// The head of the restored store.
        public var head: RevisionCursor
        /// The file with the data that were replaced; `nil` if there were none. The next restore replaces it.
        public var formerData: String?
    }

    /// Replaces a store that no server has open by a backup.
    ///
    /// The revisions stay, but in a new epoch, so that every client reads the whole state again instead of mixing two
    /// histories. The contents are replaced in one transaction, in the same file, which keeps its owner and its mode.
    ///
    /// - Parameters:
    ///   - backup: a file that ``backup(of:to:)`` wrote, unchanged since. It is not changed.
    ///   - path: the store's file, which is created if it does not exist.
    ///   - dryRun: whether to do all but the last step: the backup is checked and prepared, and the store stays as it is.
    /// - Throws: `StoreError` with the code `damaged` if the file is not a backup or was changed.
    @discardableResult
    public static func restore(
        from backup: String,
        to path: String,
        dryRun: Bool = false
    ) throws(StoreError) -> Restored {
        let former = StoreFiles(of: path).path + ".before-restore"
        let source = try perform(backup, isCopy: true) { try openedBackup(backup, for: path, keeping: former) }
        let lock = try perform(path) { try StoreLock(of: path) }
        defer { withExtendedLifetime(lock) {} }
        var isRestored = false
        defer { if lock.isNew, !isRestored { _ = lock.path.withPathBytes { unlink($0) } } }
        let temporary = try TemporaryDatabase(beside: lock.path)
        defer { withExtendedLifetime(temporary) {} }
        let (copy, head) = try perform(backup, isCopy: true) {
            do {
                return try renewed(source, at: temporary.path, from: backup)
            } catch {
                throw SQLiteBackup.failure(error, of: path, from: backup)
            }
        }
        return try perform(path) {
            let hasData = try checkReplaceable(lock.path)
            let restored = Restored(head: head, formerData: hasData ? former : nil)
            if dryRun { return restored }
            let target = try SQLiteSettings.databasePool(at: lock.path)
            if hasData { try SQLiteBackup.copy(target, at: lock.path, to: former, mayBeDamaged: true) }
            do {
                try copy.backup(to: target)
            } catch {
                throw SQLiteBackup.failure(error, of: path, from: backup)
            }
            // The data must be in the file that people copy and move, not in the log next to it. If that fails, SQLite
            // reads both.
            _ = try? target.writeWithoutTransaction { db in try db.checkpoint(.truncate) }
            try target.close()
            try copy.close()
            isRestored = true
            return restored
        }
    }

    /// Checks that the file of a store can be replaced.
    ///
    /// - Returns: whether it has data.
    private static func checkReplaceable(_ path: String) throws -> Bool {
        // By its first bytes: a connection would also bring its log into the file.
        let header = try DatabaseHeader(of: path)
        if header.isEmpty {
            guard let log = StoreFiles(of: path).logs.first else { return false }
            // SQLite would delete it.
            let message = "'\(path)' is missing or empty, but its write-ahead log '\(log)' has data; move the log away"
            throw StoreError(.damaged, message)
        }
        guard header.isDatabase else {
            throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "file is not a database")
        }
        if header.belongsToAnotherProgram { throw OpenedFile.isForeign(path) }
        return true
    }

    /// A copy of a backup as this version writes it, with its own epoch.
    private static func renewed(
        _ source: DatabaseQueue,
        at path: String,
        from backup: String
    ) throws -> (copy: DatabaseQueue, head: RevisionCursor) {
        let copy = try DatabaseQueue(path: path.asSQLiteName)
        try source.backup(to: copy)
        // The copy and not its source, which others may write to.
        try copy.write { db in try BackupMark.remove(from: db, of: backup) }
        try SQLiteSchema.migrator.migrate(copy)
        let head = try copy.write { db in
            let epoch = Epoch.random().description
            try db.execute(sql: "UPDATE meta SET epoch = ?", arguments: [epoch])
            return try SQLiteTables(db: db).contents().head
        }
        return (copy, head)
    }

    /// A store that exists and is valid, unless its copy would replace a part of it.
    private static func openedStore(_ path: String, for copy: String) throws -> DatabaseQueue {
        try checkReadable(path, "the database")
        _ = try StoreFiles(of: path).checkDestination(copy)
        let database = try DatabaseQueue(path: path.asSQLiteName)
        try OpenedFile.check(database, path: path)
        guard try database.read({ db in try db.tableExists("meta") }) else {
            let message = "the file '\(path)' is not a store; use the store of the server"
            throw StoreError(.damaged, message, reason: .foreign)
        }
        return database
    }

    /// A backup that exists and may be one, by its first bytes.
    private static func openedBackup(
        _ path: String,
        for store: String,
        keeping former: String
    ) throws -> DatabaseQueue {
        try checkReadable(path, "the backup")
        if StoreFiles(of: store).contain(path) {
            throw StoreError(.unavailable, "'\(path)' is the database or one of its files; choose a backup")
        }
        if let identity = FileState(path: path)?.identity, identity == FileState(path: former)?.identity {
            let message = "the restore would overwrite '\(path)' with the current data; rename it first"
            throw StoreError(.unavailable, message)
        }
        let header = try DatabaseHeader(of: path.resolvingLinks())
        if header.isEmpty { throw BackupMark.isMissing(path, "the file is empty") }
        guard header.isDatabase else {
            throw DatabaseError(resultCode: .SQLITE_NOTADB, message: "file is not a database")
        }
        if header.belongsToAnotherProgram { throw BackupMark.isMissing(path, "it is a database of another program") }
        let files = StoreFiles(of: path)
        if header.isOfStore || !files.logs.isEmpty {
            let cause = """
                it is a store, whose latest data may be in '\(files.path)-wal'; back it up with 'livery-server backup'
                """
            throw BackupMark.isMissing(path, cause)
        }
        var configuration = Configuration()
        configuration.readonly = true
        let database = try DatabaseQueue(path: path.asSQLiteName, configuration: configuration)
        try OpenedFile.check(database, path: path)
        return database
    }

    private static func checkReadable(_ path: String, _ what: String) throws(StoreError) {
        if path.withPathBytes({ access($0, R_OK) }) != 0 {
            let number = errno
            let advice = number == EACCES ? "run the command as the owner of the file, or with sudo" : "check the path"
            let reason = String(cString: strerror(number))
            throw StoreError(.unavailable, "cannot read \(what) '\(path)': \(reason); \(advice)")
        }
        _ = try DatabaseFile.replaceable(at: path.resolvingLinks())
    }

    /// - Parameter isCopy: whether the path is a backup's, for which the advice differs.
    private static func perform<Value>(
        _ path: String,
        isCopy: Bool = false,
        _ body: () throws -> Value
    ) throws(StoreError) -> Value {
        try Result(catching: body).mapError { error -> StoreError in
            var error = StoreError(error, path: path)
            let advice = "restore another backup than '\(path)'"
            if isCopy { error.message = error.message.replacing(OpenedFile.advice, with: advice) }
            return error
        }.get()
    }
}
