public import ConfigModel
internal import Foundation
internal import GRDB

/// Copies of a store, made while it is in use, and put back.
enum SQLiteBackup {
    /// Copies a database to a file, which appears when the copy is whole and on disk.
    static func copy(_ source: some DatabaseReader, to destination: String) throws {
        let temporary = destination + ".partial-\(ProcessInfo.processInfo.processIdentifier)"
        defer { removeDatabase(temporary) }
        do {
            let copy = try DatabaseQueue(path: temporary)
            try source.backup(to: copy)
            // One file, which needs no log beside it.
            try copy.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
            try copy.close()
            try synchronize(temporary)
        } catch {
            throw StoreError(error, path: destination, wasCommitting: false)
        }
        guard rename(temporary, destination) == 0 else {
            let reason = String(cString: strerror(errno))
            throw StoreError(.unavailable, "the backup cannot be put at '\(destination)': \(reason)")
        }
        try synchronize(URL(fileURLWithPath: destination).deletingLastPathComponent().path)
    }

    static func removeDatabase(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
    }

    private static func synchronize(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, fsync(descriptor) == 0 else {
            let reason = String(cString: strerror(errno))
            throw StoreError(.unavailable, "'\(path)' cannot be synchronized to the disk: \(reason)")
        }
    }
}

extension SQLiteStore {
    /// Copies the store in a file to another file, whether a server has it open or not.
    ///
    /// - Parameters:
    ///   - path: the store's file.
    ///   - destination: the file to make, which is replaced when the copy is whole and on disk.
    public static func backup(of path: String, to destination: String) throws(StoreError) {
        try perform(path) {
            let source = try openExisting(path)
            try checkDistinct(destination, path)
            try OpenedFile.check(source, path: path)
            try SQLiteBackup.copy(source, to: destination)
            try source.close()
        }
    }

    /// Puts a backup in the place of a store that no server has open.
    ///
    /// The revisions stay, but they belong to a new epoch, so that every client takes the whole state anew instead of
    /// mixing two histories. What was there before is replaced in one transaction.
    ///
    /// - Parameters:
    ///   - backup: the backup's file, which stays as it is.
    ///   - path: the store's file, which is made if it is not there.
    /// - Returns: where the store is now.
    @discardableResult
    public static func restore(from backup: String, to path: String) throws(StoreError) -> ConfigModel.Cursor {
        try perform(backup, isCopy: true) {
            let source = try openExisting(backup)
            try checkDistinct(backup, path)
            let lock = try StoreLock(path: path + ".lock", of: path)
            defer { withExtendedLifetime(lock) {} }
            let temporary = path + ".restoring"
            defer { SQLiteBackup.removeDatabase(temporary) }
            try OpenedFile.check(source, path: backup)
            SQLiteBackup.removeDatabase(temporary)
            let copy = try DatabaseQueue(path: temporary)
            try source.backup(to: copy)
            try SQLiteSchema.migrator.migrate(copy)
            let head = try copy.write { db in
                let epoch = Epoch.random().description
                try db.execute(sql: "UPDATE meta SET epoch = ?", arguments: [epoch])
                return try SQLiteReader(db: db).contents().head
            }
            let target = try DatabasePool(path: path, configuration: OpenedFile.configuration)
            try copy.backup(to: target)
            try target.close()
            return head
        }
    }

    /// A copy that took the place of its own original would leave a server writing to a file that nobody sees.
    private static func checkDistinct(_ copy: String, _ path: String) throws(StoreError) {
        let places = [copy, path].map { URL(fileURLWithPath: $0).resolvingSymlinksInPath().path }
        guard places[0] == places[1] else { return }
        throw StoreError(.unavailable, "'\(copy)' is the database itself; name another file")
    }

    private static func openExisting(_ path: String) throws -> DatabaseQueue {
        guard access(path, R_OK) == 0 else {
            throw StoreError(.unavailable, "the database '\(path)' is not there or cannot be read")
        }
        return try DatabaseQueue(path: path)
    }

    /// - Parameter isCopy: whether the path is a copy's, for which the advice on a damaged store is none.
    private static func perform<Value>(
        _ path: String,
        isCopy: Bool = false,
        _ body: () throws -> Value
    ) throws(StoreError) -> Value {
        do throws(StoreError) {
            return try Result(catching: body).orStoreError(at: path)
        } catch {
            var error = error
            if isCopy { error.message = error.message.replacing(OpenedFile.advice, with: "restore another copy") }
            throw error
        }
    }
}
