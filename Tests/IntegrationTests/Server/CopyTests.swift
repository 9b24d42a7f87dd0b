// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// `backup` and `restore` as an operator uses them.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct CopyTests {
    @Test func aBackupUnderLoadIsConsistent() async throws {
        let server = try await onDedicatedThread { try RunningServer() }
        let isDone = Box(false)
        try await withThrowingTaskGroup { group in
            for writer in 0..<2 {
                group.addTask { try await onDedicatedThread { try Self.write(server, writer, until: isDone) } }
            }
            defer { isDone.value = true }
            for number in 0..<2 {
                let before = try await onDedicatedThread { try Self.revision(server) }
                try await until("some writes") {
                    try await onDedicatedThread { try Self.revision(server) } > before + 20
                }
                try await onDedicatedThread { try Self.copyAndCheck(server, "copy\(number).sqlite", since: before) }
            }
            isDone.value = true
            try await group.waitForAll()
        }
    }

    /// Writes two keys at a time, which are equal at every revision.
    private static func write(_ server: RunningServer, _ writer: Int, until isDone: Box<Bool>) throws {
        var count = 0
        let connection = try WireConnection(port: server.port)
        while !isDone.value {
            count += 1
            let body = "{\"set\":{\"w\(writer).left\":\(count),\"w\(writer).right\":\(count)}}"
            connection.send(WireClient.request("PATCH", "/v1/default/entries", body: body))
            #expect(try connection.response().status == 200)
        }
    }

    private static func revision(_ server: RunningServer) throws -> Int {
        try object(server.ask("GET", "/v1/default/config"))["revision"] as? Int ?? 0
    }

    private static func object(_ answer: WireResponse) throws -> [String: Any] {
        try jsonMembers(answer.text)
    }

    private static func copyAndCheck(_ server: RunningServer, _ name: String, since revision: Int) throws {
        let output = try liveryServer(["backup", name], in: server.folder)
        #expect(output.status == .exited(0), "\(output.standardError)")
        #expect(output.standardError == "backed up livery.sqlite to \(name)\n")
        let copy = try RunningServer(arguments: ["--store", name], folder: server.folder)
        let config = try object(copy.ask("GET", "/v1/default/config"))
        let entries = config["entries"] as? [String: Int] ?? [:]
        #expect(entries["w0.left"] == entries["w0.right"])
        #expect(entries["w1.left"] == entries["w1.right"])
        // Each revision is one write of one writer.
        let head = try #require(config["revision"] as? Int)
        #expect(head > revision)
        #expect((entries["w0.left"] ?? 0) + (entries["w1.left"] ?? 0) == head)
        let history = try object(copy.ask("GET", "/v1/default/history?limit=10"))
        let revisions = (history["history"] as? [[String: Any]])?.compactMap { $0["revision"] as? Int }
        #expect(revisions?.first == head)
        #expect(try copy.stop() == .exited(0))
    }

    @Test func nothingIsOverwrittenWithoutReplace() throws {
        let server = try RunningServer()
        let folder = server.folder
        #expect(try server.set("a", "1") == 201)
        try folder.write("precious", to: "taken")
        let refused = try liveryServer(["backup", "taken"], in: folder)
        #expect(refused.status == .exited(1))
        #expect(refused.standardError == "livery-server: taken already exists; choose another file, or use --replace\n")
        #expect(try folder.read("taken") == Array("precious".utf8))
        #expect(try liveryServer(["backup", "taken", "--replace"], in: folder).status == .exited(0))

        let itself = try liveryServer(["backup", "./livery.sqlite", "--replace"], in: folder)
        #expect(itself.status == .exited(1) && itself.standardError.contains("is the database or one of its files"))
        #expect(try server.set("a", "2") == 200)
        #expect(try server.stop() == .exited(0))
        #expect(try liveryServer(["restore", "taken"], in: folder).status == .exited(1))
        #expect(try liveryServer(["restore", "missing", "--replace"], in: folder).status == .exited(1))
        try folder.write("no database at all", to: "broken")
        let broken = try liveryServer(["restore", "broken", "--replace"], in: folder)
        #expect(broken.status == .exited(65))
        #expect(broken.standardError.contains("'broken' is not a valid database"), "\(broken.standardError)")
        let again = try RunningServer(folder: folder)
        #expect(try again.ask("GET", "/v1/default/entries/a").text.contains("\"value\":2"))
    }

    @Test func restoreDryRunChangesNothing() throws {
        let (server, folder) = try Self.copied()
        #expect(try server.set("a", "2") == 200)
        // So that the last write is still in the log next to the file.
        server.send(signal: SIGKILL)
        _ = try server.waitForExit()
        let (data, copy) = (try folder.read("livery.sqlite"), try folder.read("copy"))
        let files = try folder.contents()
        let refused = try liveryServer(["restore", "copy", "--dry-run"], in: folder)
        #expect(refused.status == .exited(1) && refused.standardError.contains("use --replace"))
        let output = try liveryServer(["restore", "copy", "--replace", "--dry-run"], in: folder)
        let end = "from copy at revision 1; dry run, nothing was written\n"
        #expect(output.status == .exited(0) && output.standardOutput.isEmpty)
        #expect(output.standardError == "would replace the data in livery.sqlite \(end)")
        #expect(files.contains("livery.sqlite-wal"))
        #expect(try folder.read("livery.sqlite") == data && folder.read("copy") == copy)
        #expect(try folder.contents() == files)

        let new = try liveryServer(["restore", "copy", "--dry-run", "--store", "new"], in: folder)
        #expect(new.standardError == "would create new \(end)")
        #expect(!FileManager.default.fileExists(atPath: folder["new"]))
    }

    /// As on a machine where the packages keep the store elsewhere.
    @Test(arguments: [["backup", "copy"], ["restore", "copy", "--replace"]])
    func withoutAStoreHereItIsToBeNamed(arguments: [String]) throws {
        let folder = try TemporaryDirectory(prefix: "server")
        try folder.write("", to: "copy")
        let output = try liveryServer(arguments, in: folder)
        #expect(output.status == .exited(64))
        #expect(output.standardError.contains("--store /var/lib/livery/livery.sqlite"), "\(output.standardError)")
        #expect(try folder.contents() == ["copy"])
    }

    @Test func copiesBeyondAFileSizeLimitFailAndLeaveNothing() throws {
        let (server, folder) = try Self.copied()
        let files = try folder.contents()
        let size = try #require(FileManager.default.contents(atPath: folder["copy"])).count
        let program = try builtProduct(named: "livery-server")
        let command = Command.shell("ulimit -f 8; \(program) backup other", workingDirectory: folder.path)
        let backup = try command.run()
        #expect(backup.status == .exited(1) && backup.standardError.contains("cannot write 'other'"), "\(backup)")
        #expect(try folder.contents() == files)

        // In blocks of 512 bytes. The log of the new store is larger than the copy.
        let script = "ulimit -f \(size / 512); mkdir new; cd new; \(program) restore ../copy --store store"
        let output = try Command.shell(script, workingDirectory: folder.path).run()
        #expect(output.status == .exited(1), "\(output)")
        #expect(output.standardError.contains("cannot write 'store'"), "\(output.standardError)")
        #expect(output.standardError.contains("ulimit -f"), "\(output.standardError)")
        #expect(try folder.contents(of: "new") == ["store.lock"])
        withExtendedLifetime(server) {}
    }

    /// A server with one entry, and its folder, where its backup is called `copy`.
    private static func copied() throws -> (server: RunningServer, folder: TemporaryDirectory) {
        let server = try RunningServer()
        #expect(try server.set("a", "1") == 201)
        #expect(try liveryServer(["backup", "copy"], in: server.folder).status == .exited(0))
        return (server, server.folder)
    }

    @Test func clientsFollowARestoreToTheOlderState() throws {
        let (server, folder) = try Self.copied()
        #expect(try server.set("a", "2") == 200)
        #expect(try server.set("b", "1") == 201)
        #expect(try liveryServer(["restore", "copy", "--replace", "--dry-run"], in: folder).status == .exited(1))
        let config = try Self.object(server.ask("GET", "/v1/default/config"))
        let epoch = try #require(config["epoch"] as? String)
        let desk = try OperatorDesk(address: server.address)
        let watch = try desk.onTerminal("watch", columns: 120)
        try watch.readUntil("the start") { $0.contains("Watching default") }

        let refused = try liveryServer(["restore", "copy", "--replace"], in: folder)
        #expect(refused.status == .exited(1))
        #expect(refused.standardError.contains("is in use by another server"))
        #expect(refused.standardError.contains("systemctl stop livery-server"))
        #expect(try server.ask("GET", "/v1/default/entries/b").status == 200)

        let port = server.port
        #expect(try server.stop() == .exited(0))
        let restored = try liveryServer(["restore", "copy", "--replace"], in: folder)
        #expect(restored.status == .exited(0), "\(restored.standardError)")
        #expect(restored.standardError.contains("livery.sqlite.before-restore until"), "\(restored.standardError)")
        let second = try RunningServer(port: port, folder: folder)
        try watch.readUntil("the older state", deadline: .seconds(90)) {
            $0.contains("~ a  2 → 1") && $0.contains("- b  1")
        }
        #expect(try second.set("c", "3") == 201)
        try watch.readUntil("what comes after it", deadline: .seconds(90)) { $0.contains("+ c  3") }

        let stream = try WireConnection(port: port)
        stream.send(WireClient.request("GET", "/v1/default/events", ["Last-Event-ID: \(epoch):2"]))
        #expect(try stream.response().status == 200)
        let opening = String(decoding: try stream.chunk() ?? [], as: UTF8.self)
        #expect(opening.contains("event: reset") && !opening.contains(epoch))
        let delta = try Self.object(second.ask("GET", "/v1/default/config?epoch=\(epoch)&after=2"))
        #expect(delta["reset"] as? Bool == true)
    }
}
