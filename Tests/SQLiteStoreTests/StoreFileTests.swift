// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import Files
import Foundation
import GRDB
import TestSupport
import Testing

@testable import SQLiteStore

/// The identity, ownership and fate of a store's file, whatever its names.
@Suite(.timeLimit(.minutes(5)))
struct StoreFileTests {
    let folder: TemporaryDirectory
    var path: String { folder.store }

    init() throws { folder = try TemporaryDirectory() }

    private func mode(_ path: String) throws -> UInt32 {
        try #require(FileState(path: path), "\(path)").mode
    }

    /// FULL is 2: by less than that a commit may be lost with the power. The other two are for drives of macOS.
    @Test(arguments: [("synchronous", 2), ("fullfsync", 1), ("checkpoint_fullfsync", 1)])
    func commitsAreSynchronizedToTheDisk(setting: String, value: Int) throws {
        let found = try OpenedFile(path: path).pool.writeWithoutTransaction { db in
            try Int.fetchOne(db, sql: "PRAGMA \(setting)")
        }
        #expect(found == value)
    }

    enum OtherName: CaseIterable {
        case symbolicLink, linkToTheFolder, hardLink, hardLinkElsewhere

        func make(_ folder: TemporaryDirectory, of path: String) throws -> String {
            let elsewhere = folder["elsewhere"]
            try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
            switch self {
            case .symbolicLink:
                try #require(symlink(path, folder["link"]) == 0)
                return folder["link"]
            case .linkToTheFolder:
                try #require(symlink(folder.path, elsewhere + "/folder") == 0)
                return elsewhere + "/folder/livery.sqlite"
            case .hardLink:
                try #require(link(path, folder["twin"]) == 0)
                return folder["twin"]
            case .hardLinkElsewhere:
                try #require(link(path, elsewhere + "/livery.sqlite") == 0)
                return elsewhere + "/livery.sqlite"
            }
        }
    }

    @Test(arguments: OtherName.allCases)
    func aFileIsLockedUnderEveryName(kind: OtherName) async throws {
        let store = try await opened(path)
        #expect(try await store.put(1) == 1)
        let backup = folder["backup"]
        try await store.backup(to: backup)
        let other = try kind.make(folder, of: path)
        let refusal = await #expect(throws: StoreError.self) { _ = try await SQLiteEntryStore(path: other).load() }
        #expect(refusal?.message.contains("in use by another server") == true)
        let restored = #expect(throws: StoreError.self) { try SQLiteEntryStore.restore(from: backup, to: other) }
        #expect(restored?.message.contains("in use by another server") == true)
        let itself = #expect(throws: StoreError.self) { try SQLiteEntryStore.backup(of: path, to: other) }
        #expect(itself?.message.contains("is the database or one of its files") == true)
        await #expect(throws: StoreError.self) { try await store.backup(to: other) }
        #expect(try await store.put(2) == 2)
        try await store.close()
        let revision = try await opened(other).load().head.revision
        #expect(revision == 2)
    }

    @Test(arguments: ["removed", "replaced", "moved with its folder"])
    func aMissingFileRefusesWritesUntilItIsBack(fate: String) async throws {
        try folder.makeFolder("data")
        let path = folder["data/livery.sqlite"]
        let store = try await opened(path)
        #expect(try await store.put(1) == 1)
        #expect(await store.problem() == nil)
        let moved = fate == "moved with its folder" ? "data" : "data/livery.sqlite"
        try folder.move(moved, to: "away")
        if moved == "data" { try folder.makeFolder("data") }
        if fate == "replaced" { try folder.write("", to: "data/livery.sqlite") }
        let problem = await store.problem()
        #expect(problem?.message.contains("removed or replaced") == true, "\(String(describing: problem))")
        await #expect(throws: StoreError.self) { _ = try await store.put(2) }
        await #expect(throws: StoreError.self) { _ = try await store.load() }
        if moved == "data" { try folder.remove("data") }
        try folder.move("away", to: moved)
        #expect(await store.problem() == nil)
        #expect(try await store.put(2) == 2)
    }

    // One after another, since the mask is the whole process's.
    @Test(
        .serialized,
        arguments: [(UInt32(0o700), UInt32(0o600)), (0o755, 0o600), (0o770, 0o600), (0o2770, 0o660), (0o2750, 0o600)]
    )
    func filesAreReadableByTheirOwnerOrTheFoldersGroup(
        folderMode: UInt32,
        fileMode: UInt32
    ) async throws {
        let place = folder["data"]
        try folder.makeFolder("data")
        try folder.allow(folderMode, on: "data")
        let before = umask(0)
        defer { umask(before) }
        let store = try await opened(place + "/livery.sqlite")
        #expect(try await store.put(1) == 1)
        for suffix in ["", "-wal", "-shm", ".lock"] {
            #expect(try mode(place + "/livery.sqlite" + suffix) == fileMode, "\(suffix)")
        }
        try await store.backup(to: place + "/backup")
        #expect(try mode(place + "/backup") == fileMode)
    }

    @Test
    func aReplacementKeepsTheMode() async throws {
        let store = try await opened(path)
        #expect(try await store.put(1) == 1)
        let backup = try folder.write("old", to: "backup")
        try #require(chmod(backup, 0o640) == 0)
        try await store.backup(to: backup)
        #expect(try mode(backup) == 0o640)
        try await store.close()
        try #require(chmod(path, 0o660) == 0)
        try SQLiteEntryStore.restore(from: backup, to: path)
        #expect(try mode(path) == 0o660)
    }

    @Test(.enabled(if: geteuid() == 0, "only the superuser makes files for others"))
    func aRestoreByTheSuperuserBelongsToTheFoldersOwner() async throws {
        let store = try await opened(path)
        #expect(try await store.put(1) == 1)
        try await store.backup(to: folder["backup"])
        let place = folder["data"]
        try folder.makeFolder("data")
        try #require(chown(place, 4711, 4712) == 0)
        for attempt in ["made", "replaced"] {
            try SQLiteEntryStore.restore(from: folder["backup"], to: place + "/livery.sqlite")
            for name in try folder.contents(of: "data") {
                let state = try #require(FileState(path: place + "/" + name))
                #expect((state.owner, state.group) == (4711, 4712), "\(attempt) \(name)")
            }
        }
    }
}

/// The files that a copy may replace.
@Suite(.timeLimit(.minutes(5)))
struct CopyTargetTests {
    let folder: TemporaryDirectory
    let store: SQLiteEntryStore

    init() async throws {
        folder = try TemporaryDirectory()
        store = try await opened(folder.store)
    }

    @Test(arguments: ["/dev/full", "/dev/null", "folder", "pipe", "dangling"])
    func onlyRegularFilesAreReplaced(name: String) async throws {
        let path = name.hasPrefix("/") ? name : folder[name]
        switch name {
        case "folder": try #require(mkdir(path, 0o700) == 0)
        case "pipe": try #require(mkfifo(path, 0o600) == 0)
        case "dangling": try #require(symlink("nowhere", path) == 0)
        default: break
        }
        let before = try #require(FileState(path: path, followsLink: false))
        let error = await #expect(throws: StoreError.self) { try await store.backup(to: path) }
        #expect(error?.message.contains("is not a regular file") == true)
        #expect(FileState(path: path, followsLink: false) == before)
        if name != "dangling" {
            try await store.backup(to: folder["copy"])
            let refused = #expect(throws: StoreError.self) {
                try SQLiteEntryStore.restore(from: folder["copy"], to: path)
            }
            #expect(refused?.message.contains("is not a regular file") == true)
        }
    }

    @Test
    func linksAreFollowedAndPlantedFilesAreNot() async throws {
        let target = try folder.write("old", to: "real.sqlite")
        let victim = try folder.write("precious", to: "victim")
        let destination = folder["backup"]
        try #require(symlink(target, destination) == 0)
        for name in ["backup", "real.sqlite"] {
            let planted = folder["\(name).partial-\(ProcessInfo.processInfo.processIdentifier)"]
            try #require(symlink(victim, planted) == 0)
        }
        try await store.backup(to: destination)
        #expect(try folder.read("victim") == Array("precious".utf8))
        #expect(FileState(path: destination, followsLink: false)?.isRegular == false)
        #expect(try await SQLiteEntryStore(path: target).load().head == store.load().head)
    }

    @Test
    func backupRemovesLeftoversOfKilledOnes() async throws {
        let running = try TemporaryDatabase(beside: folder["backup"])
        let killed = "backup.partial-00000000000000af"
        // The last ones have 16 characters too, but are not a number, upper case, and signed.
        let own = [
            "old", "copy", "backup", "20261126", "notes.txt", "beforetheupgrade", "00000000000000AF",
            "+0000000000000af",
        ]
        let kept = own.map { "backup.partial-" + $0 } + ["other.partial-00000000000000af"]
        for name in [killed, killed + "-journal"] + kept { try folder.write("", to: name) }
        try await store.backup(to: folder["backup"])
        let files = try folder.contents().filter { $0.contains(".partial-") }
        #expect(files.sorted() == ([URL(filePath: running.path).lastPathComponent] + kept).sorted())
    }

    @Test func onlyATakenLockMeansAnotherServer() {
        let path = "/srv/livery.sqlite"
        let (taken, missing) = (StoreLock.refused(path, EAGAIN), StoreLock.refused(path, ENOLCK))
        #expect(taken.message.contains("in use by another server") && taken.reason == .inUse)
        #expect(missing.message.contains("No locks available") && missing.reason != .inUse, "\(missing)")
    }

    /// The actions of a concurrent backup to the same file before a new temporary file is locked.
    enum Interference: CaseIterable {
        case removes, locks, replaces

        func happen(to path: String) throws(StoreError) -> DatabaseFile? {
            if self == .locks {
                let file = try DatabaseFile(path)
                return WholeFileLock.acquire(on: file.descriptor) ? file : nil
            }
            unlink(path)
            return self == .replaces ? try DatabaseFile(path) : nil
        }
    }

    @Test(arguments: Interference.allCases)
    func temporaryFileIsTheOneThatWasLocked(_ interference: Interference) throws {
        var paths: [String] = []
        var files: [DatabaseFile] = []
        var others: [DatabaseFile?] = []
        func temporary(afterDisturbing count: Int) throws -> TemporaryDatabase {
            (paths, files) = ([], [])
            return try TemporaryDatabase(beside: folder["backup"]) { (path, model) throws(StoreError) in
                let file = try DatabaseFile(path, isExclusive: true, like: model)
                if paths.count < count { others.append(try interference.happen(to: path)) }
                paths.append(path)
                files.append(file)
                return file
            }
        }
        let database = try temporary(afterDisturbing: 3)
        #expect(paths.count == 4 && paths.last == database.path)
        #expect(FileState(path: database.path)?.identity == files.last?.identity)
        let other = try DatabaseFile(database.path)
        #expect(!WholeFileLock.acquire(on: other.descriptor))

        let error = #expect(throws: StoreError.self) { try temporary(afterDisturbing: .max) }
        #expect(error?.message.contains("cannot lock") == true)
        let names = try folder.contents().filter { $0.contains(".partial-") }
        #expect(names == [URL(filePath: database.path).lastPathComponent])
    }
}
