// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// The shutdown of `livery-server`.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct ShutdownTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func aSignalDrainsRequestsAndStreams(signal: Int32) throws {
        let server = try RunningServer(arguments: ["--drain", "60"])
        let stream = try WireConnection(port: server.port)
        stream.send(WireClient.request("GET", "/v1/default/events"))
        #expect(try stream.response().status == 200)
        _ = try stream.chunk()
        let request = try server.beginning()
        server.send(signal: signal)
        // The end of the stream shows that the shutdown has begun.
        #expect(try stream.chunk() == nil)
        _ = stream.rest()
        #expect(stream.isEnded)
        request.send(RunningServer.end)
        let answer = try request.response()
        #expect(answer.status == 201 && answer["connection"] == "close")
        _ = request.rest()
        #expect(try server.waitForExit() == .exited(0))
        #expect(server.output.contains("shutting down on") && server.output.hasSuffix(" notice ended\n"))

        let again = try RunningServer(folder: server.folder)
        #expect(try again.ask("GET", "/v1/default/entries/late").status == 200)
    }

    /// A copy of the file alone has every write.
    @Test func theFileOfAStoppedServerIsWhole() throws {
        let server = try RunningServer()
        for number in 0..<20 { #expect(try server.set("key-\(number)", "\(number)") == 201) }
        server.send(signal: SIGTERM)
        #expect(try server.waitForExit() == .exited(0))
        let files = try FileManager.default.contentsOfDirectory(atPath: server.folder.path)
        #expect(!files.contains { $0.hasSuffix("-wal") || $0.hasSuffix("-shm") }, "\(files)")
        let copy = try TemporaryDirectory()
        try FileManager.default.copyItem(atPath: server.folder["livery.sqlite"], toPath: copy["livery.sqlite"])
        let again = try RunningServer(folder: copy)
        for number in 0..<20 { #expect(try again.ask("GET", "/v1/default/entries/key-\(number)").status == 200) }
    }

    @Test func drainingHonoursItsTimeLimit() throws {
        let server = try RunningServer(arguments: ["--drain", "1"])
        let request = try server.beginning()
        server.send(signal: SIGTERM)
        #expect(try server.waitForExit() == .exited(0))
        let answer = String(decoding: request.rest(), as: UTF8.self)
        #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 503 "), "\(answer)")
    }

    /// A database that is stopped, so that its connections stay open and nothing is answered.
    enum StoppedStore: CaseIterable {
        case mariaDB, etcd

        func run(_ body: (_ address: String, _ pause: () -> Void, _ resume: () -> Void) throws -> Void) throws {
            switch self {
            case .mariaDB:
                let mariaDB = try RunningMariaDB()
                try body(mariaDB.address(of: try mariaDB.makeDatabase()), mariaDB.pause, mariaDB.resume)
            case .etcd:
                let etcd = try RunningEtcd()
                try body("etcd://\(etcd.places)/livery?tls=off", etcd.members[0].pause, etcd.members[0].resume)
            }
        }
    }

    /// A write to a store that does not answer blocks threads, whether its task is cancelled or not.
    @Test(arguments: StoppedStore.allCases, [false, true])
    func endsThoughItsStoreDoesNotAnswer(store: StoppedStore, bySecondSignal: Bool) throws {
        try store.run { address, pause, resume in
            let server = try RunningServer(arguments: ["--store", address, "--drain", bySecondSignal ? "86400" : "1"])
            #expect(try server.set("a", "1") == 201)
            pause()
            defer { resume() }
            try Self.end(server, bySecondSignal: bySecondSignal)
            resume()
            let again = try RunningServer(arguments: ["--store", address])
            #expect(try again.ask("GET", "/v1/default/entries/a").status == 200)
        }
    }

    /// Ends a server whose store does not answer, while it has a write.
    private static func end(_ server: RunningServer, bySecondSignal: Bool) throws {
        let request = try server.beginning()
        request.send(RunningServer.end)
        server.send(signal: SIGTERM)
        if bySecondSignal {
            try server.waitForOutput("shutting down on SIGTERM")
            server.send(signal: SIGTERM)
        }
        #expect(try server.waitForExit() == (bySecondSignal ? .signaled(SIGTERM) : .exited(0)))
        #expect(server.output.contains("shutdown exceeded --drain (1 s)") != bySecondSignal)
    }

    @Test func aServerEndsWithItsTerminal() throws {
        let folder = try TemporaryDirectory()
        let command = Command(
            try builtProduct(named: "livery-server"),
            ["--address", "127.0.0.1:0", "--store", folder["livery.sqlite"]]
        )
        let terminal = try PseudoTerminal(running: command, columns: 120, rows: 24)
        try terminal.readUntil("store opened") { $0.contains("store opened") }
        terminal.hangUp()
        #expect(try terminal.waitForExit() == .exited(0))
    }
}
