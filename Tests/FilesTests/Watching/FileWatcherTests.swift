// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Files

@Suite(.timeLimit(.minutes(5)))
struct FileWatcherTests {
    private let folder: TemporaryDirectory
    private let hints = Log<FileHint>()

    init() throws { folder = try TemporaryDirectory() }

    private func watch(_ name: String, events: FileWatcher.EventMaker? = nil) -> FileWatcher {
        let path = AbsolutePath(folder[name])
        guard let events else { return FileWatcher(path: path) { [hints] in hints.append($0) } }
        return FileWatcher(path: path, events: events) { [hints] in hints.append($0) }
    }

    /// Waits until nothing has changed for a while, for the given time since the start.
    private func settle(_ times: Int) async throws {
        try await until("settled \(times) times: \(hints.entries)") {
            hints.entries.count { $0 == .settled } == times
        }
    }

    @Test func everyWayOfChangingAFileIsHintedAndSettles() async throws {
        try folder.overwrite("{}", at: "c.json")
        let watcher = watch("c.json")
        defer { watcher.cancel() }
        try await settle(1)
        let changes: [() throws -> Void] = [
            { try folder.overwrite("{ }", at: "c.json") }, { try folder.truncateAndWrite("{}", to: "c.json") },
            { try folder.replace("c.json", with: "{}") }, { try folder.allow(0o600, on: "c.json") },
            { try folder.remove("c.json") }, { try folder.link("c.json", to: "d.json") },
            { try folder.overwrite("{}", at: "d.json") }, { try folder.overwrite("{ }", at: "d.json") },
            { try folder.move("d.json", to: "e.json") }, { try folder.relink("c.json", to: "e.json") },
            { try folder.overwrite("{}", at: "e.json") }, { try check(truncate(folder["e.json"], 0)) },
        ]
        for (index, change) in changes.enumerated() {
            let count = hints.entries.count
            try change()
            try await settle(index + 2)
            #expect(hints.entries[count...].first == .changed, "change \(index)")
            #expect(hints.entries.last == .settled, "change \(index)")
        }
    }

    #if os(Linux)
        @Test(arguments: TemporaryDirectory.names)
        func namesAreBytes(name: String) async throws {
            for folder in TemporaryDirectory.names { try self.folder.makeFolder(folder) }
            let path = "\(name)/\(name)"
            try folder.overwrite("{}", at: path)
            let watcher = watch(path)
            defer { watcher.cancel() }
            try await settle(1)
            for round in 1...3 {
                try folder.replace(path, with: "{}")
                try await settle(2 * round)
                // In folders whose names are canonically equal, or look alike.
                for other in TemporaryDirectory.names where !other.utf8.elementsEqual(name.utf8) {
                    try folder.replace("\(other)/\(name)", with: "{}")
                }
                try folder.overwrite("{ }", at: path)
                try await settle(2 * round + 1)
            }
        }
    #endif

    @Test func aNeighbourGivesNoHint() async throws {
        try folder.overwrite("{}", at: "c.json")
        try folder.overwrite("{}", at: "neighbour.json")
        let watcher = watch("c.json")
        defer { watcher.cancel() }
        try await settle(1)
        for round in 0..<300 {
            try folder.truncateAndWrite("{ }", to: "neighbour.json")
            try folder.replace("neighbour.json", with: "{\(round)}")
            try folder.allow(round.isMultiple(of: 2) ? 0o600 : 0o644, on: "neighbour.json")
            try folder.makeFolder("c.json.d/\(round)")
            await Task.yield()
        }
        // The kernel reports events in order, so the neighbour's events precede this one. It is a single one.
        try folder.makeFolder("elsewhere")
        try folder.move("c.json", to: "elsewhere/c.json")
        try await settle(2)
        #expect(hints.entries == [.changed, .settled, .changed, .settled])
    }

    @Test func manyMovementsSettleOnce() async throws {
        let watcher = watch("c.json")
        defer { watcher.cancel() }
        let start = ContinuousClock.now
        for round in 0..<200 { try folder.replace("c.json", with: "{\(round)}") }
        let isQuick = ContinuousClock.now - start < .milliseconds(100)
        try await settle(1)
        if isQuick { #expect(hints.entries.last == .settled && hints.entries.count { $0 == .settled } == 1) }
    }

    @Test func cancelledWatchersAreSilent() async throws {
        try folder.overwrite("{}", at: "c.json")
        let (cancelled, other) = (watch("c.json"), Log<FileHint>())
        try await settle(1)
        cancelled.cancel()
        cancelled.cancel()
        let witness = FileWatcher(path: AbsolutePath(folder["c.json"])) { other.append($0) }
        defer { witness.cancel() }
        try await until("the witness has settled") { other.entries.contains(.settled) }
        try folder.overwrite("{ }", at: "c.json")
        try await until("the witness has settled") { other.entries.count { $0 == .settled } == 2 }
        #expect(hints.entries == [.changed, .settled])
    }

    /// Linux keeps the deletion of a folder from its watch for as long as anyone works in it.
    @Test func recreatedFolderIsWatchedAgain() async throws {
        try folder.makeFolder("a")
        try folder.overwrite("{}", at: "a/c.json")
        let worker = open(folder["a"], O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        try check(worker)
        defer { close(worker) }
        let watcher = watch("a/c.json")
        defer { watcher.cancel() }
        try await settle(1)
        try folder.remove("a/c.json")
        try await settle(2)
        try folder.remove("a")
        try await settle(3)
        try folder.makeFolder("a")
        try await settle(4)
        try folder.overwrite("{}", at: "a/c.json")
        try await settle(5)
    }

    @Test(.enabled(if: geteuid() != 0, "root can read anything")) func rightsThatComeAndGoAreHinted() async throws {
        try folder.makeFolder("a")
        try folder.overwrite("{}", at: "a/c.json")
        let watcher = watch("a/c.json")
        defer { watcher.cancel() }
        try await settle(1)
        for (index, name) in ["a/c.json", "a", "a"].enumerated() {
            try folder.allow(0, on: name)
            try await settle(2 * index + 2)
            try folder.allow(index == 1 ? 0o311 : 0o755, on: name)
            try await settle(2 * index + 3)
        }
        try folder.allow(0o755, on: "a")
        try await settle(8)
        try folder.overwrite("{ }", at: "a/c.json")
        try await settle(9)
    }

    @Test func aFileIsAtRestOnceItHasSettled() async throws {
        try folder.overwrite("{}", at: "c.json")
        let watcher = watch("c.json")
        defer { watcher.cancel() }
        #expect(!watcher.isSettled())
        for round in 1...3 {
            try await settle(round)
            #expect(watcher.isSettled())
            try folder.replace("c.json", with: "{\(round)}")
            // Asked at once, or it may have settled again already.
            let isSettled = watcher.isSettled()
            #expect(!isSettled || hints.entries.count { $0 == .settled } > round)
        }
    }

    @Test func aFolderFarAboveThatIsReplacedAtOnceIsNoticed() async throws {
        try folder.makeFolder("a")
        try folder.makeFolder("a/b")
        try folder.overwrite("{}", at: "a/b/c.json")
        let watcher = watch("a/b/c.json")
        defer { watcher.cancel() }
        // Before the folders above the file's own are watched, unless the machine is very slow.
        try folder.move("a", to: "former")
        try folder.makeFolder("a")
        try folder.makeFolder("a/b")
        try folder.overwrite("{}", at: "a/b/c.json")
        try await until("noticed and settled: \(hints.entries)") {
            hints.entries.count { $0 == .changed } > 1 && hints.entries.last == .settled
        }
        // The new file is the one that is followed.
        let count = hints.entries.count
        try folder.overwrite("{ }", at: "a/b/c.json")
        try await until("followed: \(hints.entries)") {
            hints.entries.count > count && hints.entries.last == .settled
        }
    }

    #if os(Linux)

        @Test func fileIsPolledWithoutKernelWatches() async throws {
            try folder.overwrite("{}", at: "c.json")
            let watcher = watch("c.json") { PathEvents(path: $0, queue: $1, descriptor: -1, onEvent: $2) }
            defer { watcher.cancel() }
            try await settle(1)
            try folder.overwrite("{ }", at: "c.json")
            try await settle(2)
            try folder.remove("c.json")
            try await settle(3)
            try folder.overwrite("{}", at: "c.json")
            try await settle(4)
            #expect(hints.entries == Array(repeating: [.changed, .settled], count: 4).flatMap(\.self))
        }

        @Test func fileIsPolledIfParentsCannotBeWatched() async throws {
            try folder.overwrite("{}", at: "c.json")
            let silence = Pipe()
            let watcher = watch("c.json") { path, queue, onEvent in
                let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
                let events = PathEvents(path: path, queue: queue, descriptor: descriptor, onEvent: onEvent)
                // The file is watched, and from here on the kernel watches nothing more.
                dup2(silence.fileHandleForReading.fileDescriptor, descriptor)
                return events
            }
            defer { watcher.cancel() }
            try await settle(1)
            #expect(!watcher.reportsEveryChange())
            try folder.overwrite("{ }", at: "c.json")
            try await settle(2)
            withExtendedLifetime(silence) {}
        }
    #endif
}
