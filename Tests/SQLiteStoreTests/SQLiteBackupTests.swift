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
    let path: String
    let backup: String

    init() throws {
        (folder, path) = try storeFolder()
        backup = folder.path(to: "backup.sqlite")
    }

    @Test
    func aRestoredBackupHasItsRevisionsAndANewEpoch() async throws {
        let store = try await opened(path)
        try await store.put(1)
        let then = try await store.load()
        try await store.backup(to: backup)
        try await store.put(2)
        try await store.close()
        let head = try SQLiteStore.restore(from: backup, to: path)
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
        try SQLiteStore.backup(of: path, to: backup)
        try await store.put(2)
        try SQLiteStore.backup(of: path, to: backup)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.filter { $0.hasPrefix("backup") } == ["backup.sqlite"])
        #expect(try await SQLiteStore(path: backup).load().namespaces == store.load().namespaces)
    }

    @Test
    func aStoreInUseIsNotRestored() async throws {
        let store = try await opened(path)
        try await store.backup(to: backup)
        let error = #expect(throws: StoreError.self) { try SQLiteStore.restore(from: backup, to: path) }
        #expect(error?.message.contains("in use") == true)
    }

    @Test
    func whatIsNoBackupIsNotRestored() async throws {
        let store = try await opened(path)
        try await store.put(1)
        try await store.close()
        try folder.write(String(repeating: "no backup. ", count: 500), to: "backup.sqlite")
        let error = #expect(throws: StoreError.self) { try SQLiteStore.restore(from: backup, to: path) }
        #expect(error?.code == .damaged)
        let missing = #expect(throws: StoreError.self) { try SQLiteStore.restore(from: backup + "x", to: path) }
        #expect(missing?.code == .unavailable)
        #expect(try await store.load().head.revision == 1)
    }

    /// Damage that SQLite does not see, and damage that shows only when the copy is read.
    @Test(arguments: ["UPDATE entries SET value = '\"else\"'", "DROP TABLE entries"])
    func aDamagedBackupIsNamedAndNotTheStore(damage: String) async throws {
        let store = try await opened(path)
        try await store.put(1)
        try await store.backup(to: backup)
        try await store.put(2)
        try await store.close()
        let copy = try DatabaseQueue(path: backup)
        try await copy.write { db in try db.execute(sql: damage) }
        try copy.close()
        let error = try #require(#expect(throws: StoreError.self) { try SQLiteStore.restore(from: backup, to: path) })
        let isNamed = error.message.contains(backup) && !error.message.contains(path)
        #expect(isNamed && !error.message.contains("move it away"), "\(error.message)")
        #expect(try await SQLiteStore(path: path).load().head.revision == 2)
    }

    @Test
    func aBackupToAFolderThatIsNotThereSaysSo() async throws {
        let store = try await opened(path)
        let destination = folder.path(to: "nowhere/backup.sqlite")
        let error = await #expect(throws: StoreError.self) { try await store.backup(to: destination) }
        #expect(error?.message.contains("nowhere") == true)
    }
}
