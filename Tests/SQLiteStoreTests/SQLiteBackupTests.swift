// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import Foundation
import GRDB
import SQLiteStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SQLiteBackupTests {
    let folder: TemporaryDirectory
    var path: String { folder.store }
    var backup: String { folder["backup.sqlite"] }

    init() throws { folder = try TemporaryDirectory() }

    @Test
    func aRestoredBackupHasItsRevisionsAndANewEpoch() async throws {
        let store = try await opened(path)
        try await store.put(1)
        let then = try await store.load()
        try await store.backup(to: backup)
        try await store.put(2)
        try await store.close()
        let head = try SQLiteEntryStore.restore(from: backup, to: path).head
        let restored = try await store.load()
        #expect(restored.head == head)
        #expect(restored.head.revision == 1)
        #expect(restored.head.epoch != then.head.epoch)
        #expect(restored.namespaces == then.namespaces)
        try await store.put(3)
        #expect(try await store.history(HistoryQuery(of: "default", limit: 9)).map(\.revision) == [2, 1])
    }

    @Test
    func aBackupOfAnOpenStoreIsOneFileAndReplacesTheLast() async throws {
        let store = try await opened(path)
        try await store.put(1)
        try SQLiteEntryStore.backup(of: path, to: backup)
        try await store.put(2)
        try SQLiteEntryStore.backup(of: path, to: backup)
        let files = try folder.contents()
        #expect(files.filter { $0.hasPrefix("backup") } == ["backup.sqlite"])
        #expect(try await SQLiteEntryStore(path: backup).load().namespaces == store.load().namespaces)
    }

    @Test func theDateOfARecordIsThatOfTheLastBackup() async throws {
        let store = try await opened(path)
        #expect(store.lastBackup() == Timestamp(milliseconds: 0))
        let begin = Timestamp.ofClock().milliseconds
        try SQLiteEntryStore.recordBackup(of: path)
        // File systems date files by a clock that is some milliseconds behind.
        #expect(try #require(store.lastBackup()).milliseconds > begin - 1000)
        let error = #expect(throws: StoreError.self) {
            try SQLiteEntryStore.backup(of: path, to: path + ".last-backup")
        }
        #expect(error?.message.contains("or one of its files") == true)
    }

    /// The folder is the service's, and root may run the backup.
    @Test func aRecordThatIsALinkIsNotFollowed() throws {
        try folder.write("precious", to: "target")
        let record = path + ".last-backup"
        try FileManager.default.createSymbolicLink(atPath: record, withDestinationPath: folder["target"])
        let error = #expect(throws: StoreError.self) { try SQLiteEntryStore.recordBackup(of: path) }
        #expect(error?.message.contains("must be a regular file") == true)
        #expect(try folder.read("target") == Array("precious".utf8))
        try FileManager.default.removeItem(atPath: record)
        try FileManager.default.createSymbolicLink(atPath: record, withDestinationPath: folder["none"])
        #expect(throws: StoreError.self) { try SQLiteEntryStore.recordBackup(of: path) }
        #expect(!FileManager.default.fileExists(atPath: folder["none"]))
    }

    /// Tables that were redefined, with values of other types.
    private static let redefinitions = [
        "DROP TABLE meta; CREATE TABLE meta (epoch, head, updated_at, floor, swept_revision, swept_key); "
            + "INSERT INTO meta VALUES (NULL, 1, 2, 0, 0, '')",
        "DROP TABLE meta; CREATE TABLE meta (epoch, head, updated_at, floor, swept_revision, swept_key); "
            + "INSERT INTO meta VALUES ('0000000000000001', NULL, 'today', x'00', NULL, NULL)",
        "DROP TABLE namespaces; CREATE TABLE namespaces (name, revision, digest); "
            + "INSERT INTO namespaces VALUES (NULL, 'one', NULL)",
        "DROP TABLE entries; CREATE TABLE entries (namespace, key, id, value, revision, created_at, updated_at); "
            + "INSERT INTO entries VALUES (NULL, x'00', NULL, NULL, 'one', NULL, NULL)",
        "DROP TABLE meta", "ALTER TABLE namespaces RENAME COLUMN digest TO sum",
    ]

    @Test(arguments: redefinitions) func aStoreWithOtherTablesIsDamaged(redefinition: String) async throws {
        let store = try await opened(path)
        try await store.put(1)
        try await store.close()
        try await change(path, redefinition)
        let error = await #expect(throws: StoreError.self) { _ = try await SQLiteEntryStore(path: path).load() }
        #expect(error?.code == .damaged, "\(error as Any)")
    }

    /// Damage that SQLite does not see, and damage that shows only when the copy is read.
    @Test(
        arguments: [
            "UPDATE entries SET value = '\"else\"'", "DROP TABLE entries",
            "DROP TABLE backup; CREATE TABLE backup (epoch, head, digest); INSERT INTO backup VALUES (x'00', NULL, 7)",
        ] + redefinitions
    )
    func aDamagedBackupIsNamedAndNotTheStore(damage: String) async throws {
        let store = try await opened(path)
        try await store.put(1)
        try await store.backup(to: backup)
        try await store.put(2)
        try await store.close()
        try await change(backup, damage)
        let error = try #require(
            #expect(throws: StoreError.self) { try SQLiteEntryStore.restore(from: backup, to: path) }
        )
        let isNamed = error.message.contains(backup) && !error.message.contains(path)
        #expect(isNamed && !error.message.contains("move it away"), "\(error.message)")
        #expect(try await SQLiteEntryStore(path: path).load().head.revision == 2)
    }

    /// Files that SQLite opens without an error, and that are not backups.
    enum OtherFile: CaseIterable {
        case empty, databaseWithoutTables, otherProgram, youngStoreWithoutItsLog, closedStore, changedBackup, pipe

        func make(at path: String, from store: SQLiteEntryStore) async throws {
            switch self {
            case .empty: try Data().write(to: URL(filePath: path))
            case .databaseWithoutTables: try await change(path, "PRAGMA user_version = 1")
            case .otherProgram: try await change(path, "CREATE TABLE config (key TEXT, value TEXT)")
            case .youngStoreWithoutItsLog: try FileManager.default.copyItem(atPath: store.path, toPath: path)
            case .closedStore:
                try await store.close()
                try FileManager.default.copyItem(atPath: store.path, toPath: path)
                _ = try await store.load()
            case .changedBackup:
                try await store.backup(to: path)
                try await change(path, "UPDATE revisions SET author = '\"else\"'")
            case .pipe: try #require(mkfifo(path, 0o600) == 0)
            }
        }
    }

    @Test(arguments: OtherFile.allCases, [false, true])
    func restoresOnlyBackups(file: OtherFile, dryRun: Bool) async throws {
        let store = try await opened(path)
        try await store.put(1)
        try await file.make(at: backup, from: store)
        let contents = try await store.load()
        try await store.close()
        let error = #expect(throws: StoreError.self) {
            try SQLiteEntryStore.restore(from: backup, to: path, dryRun: dryRun)
        }
        #expect(error?.message.contains(backup) == true && error?.message.contains(path) == false, "\(error as Any)")
        #expect(try await store.load() == contents)
        let files = try folder.contents()
        #expect(files.allSatisfy { !$0.contains("before-restore") && !$0.contains("partial") }, "\(files)")
    }

    @Test
    func replacedDataStayNextToTheStore() async throws {
        let store = try await opened(path)
        try await store.put(1)
        try await store.backup(to: backup)
        try await store.put(2)
        try await store.close()
        let rehearsed = try SQLiteEntryStore.restore(from: backup, to: path, dryRun: true)
        let former = try #require(rehearsed.formerData)
        #expect(!FileManager.default.fileExists(atPath: former))
        #expect(try SQLiteEntryStore.restore(from: backup, to: path).formerData == former)
        #expect((try? folder.read("livery.sqlite-wal")) ?? [] == [], "all data are in the file")
        let refused = #expect(throws: StoreError.self) { try SQLiteEntryStore.restore(from: former, to: path) }
        #expect(refused?.message.contains("rename it") == true)
        let renamed = folder["former"]
        try FileManager.default.moveItem(atPath: former, toPath: renamed)
        #expect(try SQLiteEntryStore.restore(from: renamed, to: path).head.revision == 2)
        #expect(try await store.load().head.revision == 2)
    }

    @Test
    func damagedDataStayNextToTheStore() async throws {
        let store = try await opened(path)
        try await store.put(1)
        try await store.backup(to: backup)
        try await store.close()
        try await change(path, "UPDATE entries SET value = '7'")
        let former = try #require(try SQLiteEntryStore.restore(from: backup, to: path).formerData)
        let kept = try await DatabaseQueue(path: former).read { db in
            try String.fetchAll(db, sql: "SELECT value FROM entries")
        }
        #expect(kept == ["7"])
        let error = #expect(throws: StoreError.self) { try SQLiteEntryStore.restore(from: former, to: path + "2") }
        #expect(error?.code == .damaged)
        #expect(try await store.load().head.revision == 1)
    }

    @Test(arguments: [1, 50, 99]) func aStoreThatIsCutOffIsDamaged(count: Int) async throws {
        let store = try await opened(path)
        try await store.put(1)
        try await store.backup(to: backup)
        try await store.close()
        try Data(folder.read("livery.sqlite").prefix(count)).write(to: URL(filePath: path))
        let opening = await #expect(throws: StoreError.self) { try await SQLiteEntryStore(path: path).load() }
        #expect(opening?.code == .damaged)
        let error = #expect(throws: StoreError.self) { try SQLiteEntryStore.restore(from: backup, to: path) }
        #expect(error?.code == .damaged && error?.message.contains("is not a valid database") == true)
        #expect(try folder.read("livery.sqlite").count == count)
    }

    @Test
    func newStoresHaveNoFormerData() async throws {
        let store = try await opened(folder["source"])
        try await store.backup(to: backup)
        #expect(try SQLiteEntryStore.restore(from: backup, to: path).formerData == nil)
        #expect(!FileManager.default.fileExists(atPath: path + ".before-restore"))
    }

    @Test
    func restoreRefusesToDeleteALogWithoutItsDatabase() async throws {
        let store = try await opened(path)
        try await store.put(1)
        try await store.backup(to: backup)
        let log = try folder.read("livery.sqlite-wal")
        try await store.close()
        try folder.remove("livery.sqlite")
        try folder.write(Data(log), to: "livery.sqlite-wal")
        for dryRun in [true, false] {
            let error = #expect(throws: StoreError.self) {
                try SQLiteEntryStore.restore(from: backup, to: path, dryRun: dryRun)
            }
            #expect(error?.message.contains("livery.sqlite-wal") == true)
            #expect(try folder.read("livery.sqlite-wal") == log)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    /// By its own name, by a link, and by a link to where SQLite would create it.
    @Test(arguments: ["", "-wal", "-shm", "-journal", ".lock"], [false, true])
    func backupDoesNotReplaceFilesOfItsStore(suffix: String, byLink: Bool) async throws {
        let store = try await opened(path)
        try await store.put(1)
        let destination = byLink ? folder["link"] : path + suffix
        if byLink { try #require(symlink(path + suffix, destination) == 0) }
        let offline = #expect(throws: StoreError.self) { try SQLiteEntryStore.backup(of: path, to: destination) }
        let online = await #expect(throws: StoreError.self) { try await store.backup(to: destination) }
        for error in [offline, online] { #expect(error?.message.contains("or one of its files") == true) }
        let restored = #expect(throws: StoreError.self) { try SQLiteEntryStore.restore(from: destination, to: path) }
        #expect(restored != nil)
        try await store.put(2)
        try await store.close()
        #expect(try await opened(path).load().head.revision == 2)
    }

    @Test
    func backupDoesNotReplaceAStoreInUse() async throws {
        let store = try await opened(path)
        try await store.put(1)
        let other = try await opened(folder["other.sqlite"])
        try await other.put(1)
        let error = #expect(throws: StoreError.self) { try SQLiteEntryStore.backup(of: path, to: other.path) }
        #expect(error?.message.contains("other.sqlite-wal") == true)
        try await other.put(2)
    }

    @Test(arguments: ["", "CREATE TABLE config (key TEXT)"])
    func copiesOnlyStores(sql: String) async throws {
        try await change(path, sql)
        let error = #expect(throws: StoreError.self) { try SQLiteEntryStore.backup(of: path, to: backup) }
        #expect(error?.code == .damaged)
        #expect(!FileManager.default.fileExists(atPath: backup))
    }

    @Test
    func aBackupNeedsAnExistingFolder() async throws {
        let store = try await opened(path)
        let destination = folder["nowhere/backup.sqlite"]
        let error = await #expect(throws: StoreError.self) { try await store.backup(to: destination) }
        #expect(error?.message.contains("nowhere") == true)
    }
}
