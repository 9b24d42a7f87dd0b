// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import ConfigModel
internal import ConfigStore
internal import Files
internal import Foundation
internal import GRDB
internal import GRDBSQLite
internal import Synchronization

/// The connections to the files of a database, and the state of these files.
final class OpenedConnection: Sendable {
    /// The location of the commits, which each write and each inspection determines.
    ///
    /// | last commit                | log and shared memory | state       | the file is opened again …                 |
    /// |----------------------------|-----------------------|-------------|--------------------------------------------|
    /// | in the log or the database | have their names      | `sound`     | not at all                                 |
    /// | in the log or the database | one lost its name     | `misplaced` | after the log was copied to the database   |
    /// | in neither                 | any                   | `lost`      | with the log up to the commit before       |
    ///
    /// A lost commit stays lost. A log that was cut or overwritten is written back before its state is determined; if that
    /// fails, or without the database's file, the write is rejected and the state stays.
    enum State: Sendable {
        case sound
        case misplaced
        /// SQLite has a commit that no file has, so that it must neither write nor copy the log.
        case lost
    }

    private struct Known {
        var log: WriteAheadLog
        /// The size of the database's file, in bytes. It only shrinks by `VACUUM`.
        var size = 0
        var state = State.sound
    }

    let pool: DatabasePool
    /// The path that the store was given.
    private let path: String
    private let lock: StoreLock
    /// The path of the database's file without links, next to which SQLite has put its own.
    private let location: String
    private let sharedMemory: FileState.Identity?
    private let known: Mutex<Known>

    /// The number of pages at which the log is copied to the database, as by SQLite's default.
    private static let checkpointFrames = 1000

    init(_ pool: DatabasePool, to path: String, lock: StoreLock, at location: String) throws {
        (self.pool, self.path, self.lock, self.location) = (pool, path, lock, location)
        // A backup may be reading; then the log stays.
        _ = try? pool.barrierWriteWithoutTransaction { db in try db.checkpoint(.truncate) }
        sharedMemory = FileState(path: location + "-shm")?.identity
        let salts = pool.writeWithoutTransaction { db in db.logSalts }
        known = Mutex(Known(log: try WriteAheadLog(path: location + "-wal", salts: salts)))
    }

    /// Whether all files seem to be as they were. While there is a write, they may seem to be otherwise.
    var isIntact: Bool {
        problem() == nil && known.withLock { $0.state != .lost && areNamed($0.log) && $0.log.isIntact }
    }

    /// Writes in one transaction, and finds out whether it is in the files on disk.
    ///
    /// - Parameter executor: the thread that SQLite occupies until the commit is on disk.
    func write<Value: Sendable>(
        on executor: QueueExecutor,
        emptyingLog: Bool,
        _ body: @Sendable (Database) throws -> Value
    ) async throws(StoreError) -> (Value, State) {
        // GRDB's own async methods end when their task is cancelled.
        let result = await withTaskExecutorPreference(executor) { Result { try write(emptyingLog, body) } }
        return try result.orStoreError(at: path)
    }

    private func write<Value>(
        _ emptyingLog: Bool,
        _ body: (Database) throws -> Value
    ) throws -> (Value, State) {
        try pool.writeWithoutTransaction { db in
            // Queued now, so that it runs before the pool is closed, while the writers are being answered.
            defer { if isLogLong { pool.asyncWriteWithoutTransaction { [self] db in checkpointLongLog(db) } } }
            try prepare(db)
            // If a reader prevents it, the log stays, and the commit goes there.
            if emptyingLog { try? emptyLog(db) }
            let changes = db.totalChangesCount
            let value = try transaction(db, body)
            return (value, try confirm(db, hasCommit: db.totalChangesCount != changes))
        }
    }

    /// Checks whether all commits are in the files on disk.
    func inspect() async throws(StoreError) -> State {
        let result = await withCheckedContinuation { continuation in
            pool.asyncWriteWithoutTransaction { [self] db in
                continuation.resume(
                    returning: Result {
                        if isLost { return State.lost }
                        try prepare(db)
                        return locate()
                    }
                )
            }
        }
        return try result.orStoreError(at: path)
    }

    /// Closes the connections.
    func close() throws {
        let isEmptied: Void? = try? pool.barrierWriteWithoutTransaction { db in
            try prepare(db)
            try emptyLog(db)
        }
        try pool.close()
        // If the last connection to close was a reading one, the log stays next to the file: SQLite removes it with the last
        // that may write. If that fails, the log is empty.
        guard isEmptied != nil, problem() == nil, let last = try? DatabaseQueue(path: path.asSQLiteName) else { return }
        _ = try? last.read { db in try db.execute(sql: "SELECT count(*) FROM sqlite_master") }
        try last.close()
    }

    /// Closes the connections, so that the next ones read the files on disk.
    func retire() throws {
        if isLost {
            try known.withLock { if !areNamed($0.log) { try $0.log.copy(to: location + "-wal") } }
            return try pool.close()
        }
        try pool.barrierWriteWithoutTransaction { db in
            try prepare(db)
            try emptyLog(db)
        }
        if let problem = problem() { throw problem }
        try pool.close()
        // Others have put these in the place of SQLite's.
        for name in ["-wal", "-shm"] { _ = (location + name).withPathBytes { unlink($0) } }
    }

    private func transaction<Value>(_ db: Database, _ body: (Database) throws -> Value) throws -> Value {
        do {
            try db.beginTransaction(.immediate)
            let value = try body(db)
            try db.commit()
            return value
        } catch {
            let failure = StoreError(error, path: path, systemError: db.systemErrorNumber)
            // The error of the commit is the one to report.
            if db.isInsideTransaction { try? db.rollback() }
            // A completely written commit may be found by a recovery, although SQLite has given it up.
            guard known.withLock({ $0.log.hasMore(in: db.logSalts) }) else { throw failure }
            throw StoreError(.uncertain, "\(failure.message); the result of the write is unknown", underlying: error)
        }
    }
}

// The checks, on the thread of the writing connection.
extension OpenedConnection {
    static func replaced(_ path: String) -> StoreError {
        let message = """
            the database file '\(path)' was removed or replaced while in use; rejecting writes; put the file back, or \
            stop the server, restore a backup and start it again
            """
        return StoreError(.unavailable, message, reason: .replaced)
    }

    private static func cut(_ path: String) -> StoreError {
        let message = """
            the database '\(path)' was truncated or overwritten while in use; rejecting writes; export the namespaces \
            from the running server, stop it, restore a backup and start it again
            """
        return StoreError(.unavailable, message, reason: .replaced)
    }

    /// The reason why the database's file cannot be written to: its name leads elsewhere, or it was truncated.
    private func problem() -> StoreError? {
        guard let state = FileState(path: path), state.identity == lock.identity else { return Self.replaced(path) }
        let header = state.size > 0 ? lock.beginning(32).map { DatabaseHeader($0) } : nil
        let isCut = known.withLock { known in
            if state.size < known.size, state.size != header?.size { return true }
            known.size = state.size
            return false
        }
        let isOther = state.size > 0 && header?.isDatabase != true
        return isCut || isOther ? Self.cut(path) : nil
    }

    private var isLost: Bool { known.withLock { $0.state == .lost } }

    /// Whether the log and the shared memory have their names.
    private func areNamed(_ log: WriteAheadLog) -> Bool {
        FileState(path: location + "-wal", followsLink: false)?.identity == log.identity
            && FileState(path: location + "-shm", followsLink: false)?.identity == sharedMemory
    }

    /// The state, now that the log has its contents or a commit is lost.
    private func locate() -> State {
        known.withLock { known in
            if known.state != .lost { known.state = areNamed(known.log) ? .sound : .misplaced }
            return known.state
        }
    }

    /// Checks the files before a write, so that one that cannot be made is refused for certain.
    private func prepare(_ db: Database) throws(StoreError) {
        if let problem = problem() {
            moveLog(db)
            throw problem
        }
        if isLost {
            throw StoreError(.unavailable, "the database '\(path)' is being reopened; try again in a moment")
        }
        guard known.withLock({ $0.log.keep { db.logSalts } }) else { throw Self.cut(path) }
    }

    /// Determines the location of the commits.
    private func confirm(_ db: Database, hasCommit: Bool) throws(StoreError) -> State {
        let isWhole = known.withLock { known in
            // Usually no other program has touched the log.
            let count = db.logFrameCount
            if hasCommit, known.log.hasLastFrame, known.log.advance(in: db.logSalts, to: count) { return true }
            if !known.log.keep(in: { db.logSalts }) { return false }
            // Without a commit, any frames that follow are of one that failed, and will be overwritten.
            // Another program may have copied the commit to the database already.
            if !hasCommit || known.log.advance(in: db.logSalts) || db.isLogCopied { return true }
            // The next connection reads the commits before this one from the log, and nothing else.
            known.state = .lost
            return known.log.restore(cutting: true)
        }
        if let problem = isWhole ? problem() : Self.cut(path) {
            moveLog(db)
            throw hasCommit ? StoreError(.uncertain, problem.message, reason: problem.reason) : problem
        }
        return locate()
    }

    /// Copies the log to a database whose file was renamed: it is then complete anywhere, and its log is ignored for a file
    /// that takes its name.
    private func moveLog(_ db: Database) {
        // If it fails, the log stays next to the former name; the caller reports that the file was moved.
        if FileState(path: path)?.identity != lock.identity { try? emptyLog(db) }
    }

    /// Copies all of the log to the database, and empties it. A reader of another process prevents that.
    private func emptyLog(_ db: Database) throws {
        guard known.withLock({ $0.state != .lost && $0.log.isIntact }) else { throw Self.cut(path) }
        try db.checkpoint(.truncate)
        known.withLock { $0.log.forget() }
    }

    private var isLogLong: Bool { known.withLock { $0.log.frameCount >= Self.checkpointFrames } }

    private func checkpointLongLog(_ db: Database) {
        guard known.withLock({ $0.state != .lost && $0.log.isIntact }), problem() == nil else { return }
        // If it fails, the log grows, and the next commit tries again.
        _ = try? db.checkpoint(.passive)
    }
}

extension Database {
    /// The salts of the log that the shared memory describes; empty if that cannot be read.
    fileprivate var logSalts: WriteAheadLog.Salts {
        logIndex.map { Array(UnsafeRawBufferPointer(start: $0 + 32, count: 8)) } ?? []
    }

    /// The number of frames in the log; `nil` if it cannot be read.
    fileprivate var logFrameCount: Int? { logIndex.map { Int($0.load(fromByteOffset: 16, as: UInt32.self)) } }

    /// Whether the log has no frames: all that it had is in the database.
    fileprivate var isLogCopied: Bool { logFrameCount == 0 }

    /// The shared memory, as SQLite has mapped it: closing another descriptor of its file would release SQLite's locks.
    private var logIndex: UnsafeMutableRawPointer? {
        var opened: UnsafeMutablePointer<sqlite3_file>?
        var region: UnsafeMutableRawPointer?
        guard sqlite3_file_control(sqliteConnection, "main", SQLITE_FCNTL_FILE_POINTER, &opened) == SQLITE_OK,
            let file = opened, let map = file.pointee.pMethods?.pointee.xShmMap,
            map(file, 0, 32 * 1024, 0, &region) == SQLITE_OK
        else { return nil }
        return region
    }

    /// The number of the last error that the system reported for the log or the database, as in `errno`; 0 if there was none.
    ///
    /// Not `sqlite3_system_errno`, which lacks the errors of COMMIT.
    fileprivate var systemErrorNumber: Int32 {
        for pointer in [SQLITE_FCNTL_JOURNAL_POINTER, SQLITE_FCNTL_FILE_POINTER] {
            var opened: UnsafeMutablePointer<sqlite3_file>?
            guard sqlite3_file_control(sqliteConnection, "main", pointer, &opened) == SQLITE_OK, let file = opened,
                let control = file.pointee.pMethods?.pointee.xFileControl
            else { continue }
            var number: Int32 = 0
            if control(file, SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK, number != 0 { return number }
        }
        return 0
    }
}
