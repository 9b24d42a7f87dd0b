// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStoreTesting
import Foundation
import GRDB
import SQLiteStore
import StoreTestSupport
import Synchronization
import TestSupport
import Testing

@testable import ConfigStore

@Suite(.timeLimit(.minutes(5)))
struct SQLiteStoreTests {
    let folder: TemporaryDirectory
    var path: String { folder.store }

    init() throws { folder = try TemporaryDirectory() }

    private func error(of body: () async throws -> Void) async -> StoreError? {
        do {
            try await body()
            return nil
        } catch {
            return error as? StoreError
        }
    }

    @Test
    func nothingIsServedBeforeTheStoreIsOpen() async throws {
        let store = SQLiteEntryStore(path: path)
        #expect(await error { try await store.edit(["a": nil]) }?.code == .unavailable)
        #expect(await store.problem()?.code == .unavailable)
    }

    @Test func fileThatIsNoDatabaseIsNamedAndKept() async throws {
        let text = String(repeating: "not a database, but longer than a header. ", count: 40)
        try folder.write(text, to: "livery.sqlite")
        let contents = try folder.read("livery.sqlite")
        let refusal = try #require(await error { _ = try await opened(path) })
        #expect(refusal.code == .damaged)
        #expect(refusal.message.contains(path) && refusal.message.contains("livery-server restore"))
        #expect(try folder.read("livery.sqlite") == contents)
    }

    @Test
    func aDatabaseOfAnotherProgramIsLeftAlone() async throws {
        try await change(path, "CREATE TABLE theirs (id INTEGER)")
        let refusal = try #require(await error { _ = try await opened(path) })
        #expect(refusal.code == .damaged)
        #expect(refusal.message.contains("another program"))
        let tables = try await DatabaseQueue(path: path).read { db in
            try String.fetchAll(db, sql: "SELECT name FROM sqlite_master")
        }
        #expect(tables == ["theirs"])
    }

    @Test
    func aFileOfAnotherVersionIsRefused() async throws {
        try await alter("INSERT INTO grdb_migrations VALUES ('999 from the future')")
        let refusal = try #require(await error { _ = try await opened(path) })
        #expect(refusal.code == .damaged)
        #expect(refusal.message.contains("another version"))
    }

    @Test(arguments: [
        "UPDATE entries SET value = '2' WHERE key = 'a'", "DELETE FROM entries WHERE key = 'a'",
        "UPDATE entries SET value = 'nonsense'", "UPDATE meta SET epoch = 'nonsense'", "DELETE FROM meta",
        "UPDATE namespaces SET digest = '0000000000000000'", "DELETE FROM namespaces",
    ])
    func modifiedEntriesAreDetected(_ sql: String) async throws {
        try await alter(sql)
        #expect(await error { _ = try await opened(path) }?.code == .damaged)
    }

    @Test(arguments: [
        "meta SET head = -1", "meta SET head = 9223372036854775807", "meta SET floor = -1",
        "meta SET floor = 9223372036854775807", "meta SET swept_revision = -1",
        "meta SET swept_revision = 9223372036854775807", "meta SET updated_at = 9223372036854775807",
        "meta SET updated_at = -9223372036854775808", "namespaces SET revision = -1", "entries SET revision = -1",
        "entries SET created_at = 9223372036854775807", "entries SET updated_at = -9223372036854775808",
    ])
    func numbersOutOfRangeAreDamage(_ change: String) async throws {
        try await alter("UPDATE \(change)")
        let refusal = try #require(await error { _ = try await opened(path) })
        #expect(refusal.code == .damaged)
        #expect(refusal.message.contains(change.prefix { $0 != " " }), "\(refusal)")
        let copy = folder["copy.sqlite"]
        try FileManager.default.moveItem(atPath: path, toPath: copy)
        #expect(throws: StoreError.self) { try SQLiteEntryStore.restore(from: copy, to: path) }
        let files = try folder.contents()
        #expect(!files.contains { $0.contains(".partial-") }, "\(files)")
    }

    @Test
    func datesRiseNoFurtherThanTheyCanBeRead() async throws {
        try await alter("UPDATE meta SET updated_at = 253402300799999")
        let store = try await opened(path)
        #expect(try await store.put(2) == 2)
        try await store.close()
        #expect(try await store.load().head.revision == 2)
    }

    @Test
    func aTornPageIsFound() async throws {
        let store = try await opened(path)
        for step in 0..<200 { try await store.edit(["key.\(step)": .string(String(repeating: "x", count: 500))]) }
        try await store.close()
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        let size = try file.seekToEnd()
        for page in stride(from: 4096 * 4, to: size, by: 4096) {
            try file.seek(toOffset: page)
            try file.write(contentsOf: Data(repeating: 0xff, count: 64))
        }
        try file.close()
        #expect(await error { _ = try await opened(path) }?.code == .damaged)
    }

    /// Makes a store with one entry, closes it and changes it by hand.
    private func alter(_ sql: String) async throws {
        let store = try await opened(path)
        try await store.edit(["a": .integer(1)])
        try await store.close()
        try await change(path, sql)
    }

    @Test
    func aCancelledTaskStillCommits() async throws {
        let store = try await opened(path)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await store.edit(["a": .integer(1)])
        }
        #expect(try await task.value?.revision == 1)
        #expect(try await store.load().head.revision == 1)
    }
}

/// The dates of a store's writes.
@Suite(.timeLimit(.minutes(5)))
struct SQLiteDateTests {
    private static let start = Timestamp(milliseconds: 1_700_000_000_000)
    private static let century: Int64 = 100 * 365 * 86_400

    /// As on a machine without a battery clock, which learns the time after the server has started.
    @Test func aCorrectedClockDatesTheFirstWrite() async throws {
        let time = Mutex((elapsed: Duration.zero, ahead: Int64(0)))
        let clock = WriteClock(
            wall: { Timestamp(milliseconds: Self.start.milliseconds + time.withLock { $0.ahead } * 1000) },
            elapsed: { time.withLock { $0.elapsed } }
        )
        let folder = try TemporaryDirectory()
        defer { withExtendedLifetime(folder) {} }
        let store = try await opened(folder.store) { $0.now = clock.now }
        for seconds in stride(from: Int64(20), through: 10_800, by: 60) {
            time.withLock { $0 = (.seconds(seconds), Self.century) }
            #expect(await store.problem() == nil)
        }
        let commit = try await store.edit(["a": .integer(1)])
        #expect(commit?.updatedAt.milliseconds == Self.start.milliseconds + Self.century * 1000)
    }
}

@Suite(.timeLimit(.minutes(5)))
struct SQLiteLawTests {
    @Test(arguments: StoreLaw.all)
    func sqliteKeeps(_ law: StoreLaw) async throws {
        try await law.check(in: try SQLitePlace())
    }
}

private final class SQLitePlace: StorePlace {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    func open(now: @escaping @Sendable () -> Timestamp) async throws -> any EntryStore {
        var options = SQLiteEntryStore.Options()
        options.now = now
        return SQLiteEntryStore(path: folder["livery.sqlite"], options: options)
    }

    func close(_ store: any EntryStore) async throws {
        try await (store as? SQLiteEntryStore)?.close()
    }
}
