// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import HTTPTransport
import TestSupport
import Testing

@testable import RemoteConfig

/// Whatever ends while a read is under way, the read has an outcome, and another one follows.
@Suite(.timeLimit(.minutes(5)))
struct SyncServicePauseTests {
    private static let snapshot = ServerSnapshot(
        cursor: Cursor(epoch: Epoch(rawValue: 7), revision: 3),
        digest: ConfigDigest([("a", .integer(1))]),
        entries: ["a": .integer(1)]
    )

    /// A server whose stream says hello at once, and whose state takes as long as the test wants.
    private static func server(answeringAfter gate: DispatchSemaphore) throws -> ScriptedServer {
        try ScriptedServer { connection, request in
            if request.target.hasSuffix("/events") {
                let hello = StreamEvent.hello(snapshot.cursor, snapshot.digest).encoded
                try connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
                try connection.send(hello)
                connection.waitForClient()
            } else {
                gate.wait()
                gate.signal()
                let answer = ConfigAnswer.snapshot(snapshot, isReset: false).json
                try connection.respond("200 OK", ["Content-Type": "application/json"], body: answer)
            }
        }
    }

    /// A source that waits for an answer for longer than a test does, on a machine that is busy too.
    private static func source(of server: ScriptedServer) throws -> ServerSource {
        let patience = Duration.seconds(200)
        let timeouts = HTTPTimeouts(answer: patience, idle: patience, total: patience)
        let address = try ServerAddress(root: server.url(""), namespace: NamespaceRule.standard)
        return ServerSource(ServerClient(address: address, transport: CurlTransport(), timeouts: timeouts))
    }

    @Test func settingItOfflineDuringAReadIsNoEnd() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try Self.server(answeringAfter: gate)
        let source = WitnessedSource(try Self.source(of: server))
        let service = SyncService(
            source: source,
            notificationCenter: NotificationCenter(),
            clock: SystemSyncClock(),
            jitter: { 0.5 }
        )
        let run = Task { await service.run() }
        defer { run.cancel() }
        for round in 1...3 {
            try await until("a stream waits for the read") { source.told.entries.count == round }
            await service.setOffline(true)
            await service.setOffline(false)
        }
        gate.signal()
        try await until("it is live: \(service.state.current.status)") { service.state.current.status.phase == .live }
        #expect(service.state.current.snapshot.entries["a"]?.value == .integer(1))
        run.cancel()
        await run.value
        #expect(await !service.connection.isReading)
    }

    @Test func anEndDuringAReadIsFollowedByAnotherBeginning() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try Self.server(answeringAfter: gate)
        let service = SyncService(
            source: try Self.source(of: server),
            notificationCenter: NotificationCenter()
        )
        for round in 1...3 {
            let run = Task { await service.run() }
            try await until("it reads and listens") { server.requests.count >= 2 * round }
            run.cancel()
            await run.value
            #expect(await !service.connection.isReading)
            #expect(service.state.current.status.problem == nil, "an end is no fault of the server")
        }
        let run = Task { await service.run() }
        defer { run.cancel() }
        gate.signal()
        try await until("it is live") { service.state.current.status.phase == .live }
        run.cancel()
        await run.value
    }
}
