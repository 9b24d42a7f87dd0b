// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import Dispatch
import Files
import Foundation
import GRDB
import TestSupport
import Testing

@testable import SQLiteStore

/// The fate of commits when another program removes, replaces, moves or truncates the files of an open store.
@Suite(.timeLimit(.minutes(5)))
struct StoreFileFaultTests {
    let folder: TemporaryDirectory
    var path: String { folder.store }

    init() throws { folder = try TemporaryDirectory() }

    /// If the file is mapped into memory, as the shared memory is, the system ends a process whose file was truncated.
    private static let faults = FileFault.allCases.flatMap { fault in
        ["-wal", "-shm"].filter { $0 == "-wal" || fault.changesName }.map { (fault, $0) }
    }

    /// The value and the revision that a server would find after a kill now.
    private func afterAKill(of path: String) async throws -> (value: EntryValue?, revision: UInt64) {
        let copy = try TemporaryDirectory()
        defer { withExtendedLifetime(copy) {} }
        for suffix in ["", "-wal"] {
            guard let bytes = FileManager.default.contents(atPath: path + suffix) else { continue }
            try copy.write(bytes, to: "livery.sqlite\(suffix)")
        }
        let store = SQLiteEntryStore(path: copy["livery.sqlite"])
        let contents = try await store.load()
        try await store.close()
        return (contents.namespaces["default"]?.entries["a"]?.value, contents.head.revision)
    }

    @Test(arguments: faults)
    func faultsOfTheLogLoseNoCommit(fault: FileFault, suffix: String) async throws {
        let store = try await opened(path)
        for value in 1...5 { try await store.put(value) }
        try fault.happen(to: path + suffix)
        for value in 6...8 { try await store.put(value) }
        #expect(try await afterAKill(of: path) == (.integer(8), 8))
        #expect(await store.problem() == nil)
        try await store.close()
        #expect(try await store.load().head.revision == 8)
    }

    @Test(arguments: faults)
    func logDamageIsRepairedWithoutWrites(fault: FileFault, suffix: String) async throws {
        let store = try await opened(path)
        for value in 1...5 { try await store.put(value) }
        try fault.happen(to: path + suffix)
        #expect(await store.problem() == nil)
        #expect(try await afterAKill(of: path) == (.integer(5), 5))
        #expect(try await store.history(HistoryQuery(of: "default", limit: 9)).count == 5)
        #expect(try await store.put(6) == 6)
    }

    /// A recovery after a kill takes the commits of another log for the database's.
    @Test func anEarlierCopyOfTheLogReplacesNothing() async throws {
        let store = try await opened(path)
        for value in 1...3 { try await store.put(value) }
        let log = try #require(FileManager.default.contents(atPath: path + "-wal"))
        for value in 4...6 { try await store.put(value) }
        try log.write(to: URL(filePath: path + "-wal"), options: .atomic)
        #expect(try await store.put(7) == 7)
        #expect(try await afterAKill(of: path) == (.integer(7), 7))
    }

    /// A recovery would undo with it what the other program has changed.
    @Test func aLogThatAnotherProgramEmptiedStaysEmpty() async throws {
        let store = try await opened(path)
        for value in 1...5 { try await store.put(value) }
        try beside(store, "CREATE TABLE other (x)")
        #expect(await store.problem() == nil)
        #expect(try #require(FileState(path: path + "-wal")).size == 0)
        for value in 6...8 { try await store.put(value) }
        #expect(try await afterAKill(of: path) == (.integer(8), 8))
        try await store.close()
        let hasTable = try await DatabaseQueue(path: path).read { db in try db.tableExists("other") }
        #expect(hasTable)
    }

    @Test func aDatabaseThatAnotherProgramMadeSmallerIsWhole() async throws {
        let store = try await opened(path)
        try beside(store, "CREATE TABLE other (x); INSERT INTO other VALUES (randomblob(1000000))")
        #expect(try await store.put(1) == 1)
        let size = try #require(FileState(path: path)).size
        try beside(store, "DROP TABLE other; VACUUM")
        #expect(try #require(FileState(path: path)).size < size)
        #expect(try await store.put(2) == 2)
        #expect(await store.problem() == nil)
        #expect(try await afterAKill(of: path) == (.integer(2), 2))
    }

    @Test func anotherProgramMayEmptyTheLogAtAnyTime() async throws {
        let store = try await opened(path)
        let other = Task { while !Task.isCancelled { try beside(store, "SELECT 1") } }
        for value in 1...100 { try await store.put(value) }
        other.cancel()
        _ = await other.result
        #expect(try await afterAKill(of: path) == (.integer(100), 100))
    }

    @Test func aWriteWaitsForAnotherProgram() async throws {
        let file = try OpenedFile(path: path)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: path, configuration: configuration)
        try await other.writeWithoutTransaction { db in try db.beginTransaction(.immediate) }
        let (attempts, attempt) = AsyncStream.makeStream(of: Void.self)
        try await file.pool.writeWithoutTransaction { db in
            db.trace { event in if "\(event)".hasPrefix("BEGIN IMMEDIATE") { attempt.yield() } }
        }
        async let written: Void = file.write { db in try SQLiteTables(db: db).probe() }
        for await _ in attempts { break }
        try await other.writeWithoutTransaction { db in try db.rollback() }
        try await written
        try other.close()
    }

    @Test func aLockOfAnotherProgramIsReportedAsSuch() throws {
        let failure = StoreError(DatabaseError(resultCode: .SQLITE_BUSY, message: "database is locked"), path: path)
        #expect(failure.code == .unavailable)
        #expect(failure.message.hasPrefix("the database '\(path)' is locked by another program"))
    }

    /// Another program changes the database of an open store by SQLite, and copies the log to it.
    private func beside(_ store: SQLiteEntryStore, _ sql: String) throws {
        var configuration = Configuration()
        configuration.busyMode = .timeout(10)
        let other = try DatabaseQueue(path: store.path, configuration: configuration)
        try other.writeWithoutTransaction { db in
            try db.execute(sql: sql)
            try db.checkpoint(.truncate)
        }
        try other.close()
    }

    @Test(arguments: FileFault.allCases)
    func faultsOfTheDatabaseRefuseWrites(fault: FileFault) async throws {
        let store = try await opened(path)
        for value in 1...3 { try await store.put(value) }
        try fault.happen(to: path)
        let refusal = await #expect(throws: StoreError.self) { try await store.edit(["a": .integer(4)]) }
        #expect(refusal?.code == .unavailable)
        #expect(refusal?.reason == .replaced)
        #expect(await store.problem()?.reason == .replaced)
        await #expect(throws: StoreError.self) { try await store.load() }
        guard fault == .moved else { return }
        // It has everything, without its log.
        #expect(try await afterAKill(of: FileFault.place(of: path)) == (.integer(3), 3))
        try #require(rename(FileFault.place(of: path), path) == 0)
        #expect(await store.problem() == nil)
        #expect(try await store.put(4) == 4)
    }

    @Test func aMovedFolderWithALinkInItsPlaceIsTheSame() async throws {
        let (place, other) = (folder["data"], folder["other"])
        try folder.makeFolder("data")
        try folder.link("link", to: place)
        let path = folder["link/livery.sqlite"]
        let store = try await opened(path)
        try await store.put(1)
        try folder.move("data", to: "other")
        await #expect(throws: StoreError.self) { try await store.edit(["a": .integer(2)]) }
        try folder.relink("link", to: other)
        #expect(try await store.put(2) == 2)
        #expect(try await afterAKill(of: other + "/livery.sqlite") == (.integer(2), 2))
    }

    /// With commits that fill the log again and again, and readers beside them.
    @Test(arguments: [UInt64(1), 2])
    func faultsAtAnyTimeLoseNoCommit(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let store = try await opened(path) { $0.history.revisions = 10 }
        let (reads, read) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let reading = Task {
            for await _ in reads { _ = try? await store.history(HistoryQuery(of: "default", limit: 100)) }
        }
        defer { reading.cancel() }
        var last = 0
        for value in 1...300 {
            if value.isMultiple(of: 20), let (fault, suffix) = Self.faults.randomElement(using: &random) {
                try fault.happen(to: path + suffix)
            }
            let padding = String(repeating: "x", count: Int.random(in: 0...20_000, using: &random))
            if value.isMultiple(of: 3) { read.yield() }
            let commit = try? await store.edit(["a": .integer(value), "b": .string(padding)])
            if commit != nil { last = value }
            #expect(last >= value - 1, "at most one write is refused")
        }
        let found = try await afterAKill(of: path)
        #expect(found.value == .integer(last))
        #expect(try #require(FileState(path: path + "-wal")).size < 8 << 20, "the log is copied to the database")
    }

    /// A batch is not watched before its commit begins, so a probe that hangs must not delay it.
    @Test func theProbeDoesNotUseTheThreadOfCommits() async throws {
        let store = try await opened(path)
        try #require(rename(path, path + ".moved") == 0)
        await #expect(throws: StoreError.self) { try await store.put(1) }
        try #require(rename(path + ".moved", path) == 0)
        let release = DispatchSemaphore(value: 0)
        let occupation = Task(executorPreference: store.commitExecutor) { Self.wait(for: release) }
        #expect(await store.problem() == nil)
        release.signal()
        await occupation.value
    }

    private static func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }

    @Test func theProbeWritesAndLeavesNothing() async throws {
        let file = try OpenedFile(path: path)
        try await file.write { db in try SQLiteTables(db: db).probe() }
        let before = try await file.read { db in try SQLiteTables(db: db).contents() }
        let size = try #require(FileState(path: path + "-wal")).size
        try await file.write { db in try SQLiteTables(db: db).probe() }
        #expect(try #require(FileState(path: path + "-wal")).size > size)
        let after = try await file.read { db in try SQLiteTables(db: db).contents() }
        #expect(after == before)
        let rows = try await file.read { db in
            try ["namespaces", "entries", "revisions", "history"].map { table in
                try Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)")
            }
        }
        #expect(rows == [0, 0, 0, 0])
    }

    @Test(arguments: [
        (ENOSPC, StoreError.Code.full, StoreError.Reason.diskFull), (EDQUOT, .full, .diskQuota),
        (EFBIG, .full, .fileSize),
        (EROFS, .readOnly, .readOnly), (EIO, .unavailable, .unreachable),
    ])
    func systemErrorsOfWritesHaveTheirCodes(number: Int32, code: StoreError.Code, reason: StoreError.Reason) {
        let error = DatabaseError(resultCode: .SQLITE_IOERR_WRITE, message: "disk I/O error")
        let failure = StoreError(error, path: path, systemError: number)
        #expect(failure.code == code)
        #expect(failure.reason == reason)
        #expect(failure.message.contains(path))
    }
}
