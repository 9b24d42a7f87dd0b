// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

/// `livery watch` with servers that misbehave.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct WatchFaultTests {
    private static let cursor = RevisionCursor(epoch: Epoch(rawValue: 7), revision: 7)
    private static let digest = ConfigDigest([("a", .integer(1))])
    private static let hello = StreamEvent.hello(cursor, digest).encoded

    private static let streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"

    private static func config(of epoch: UInt64 = 7) -> [UInt8] {
        let cursor = RevisionCursor(epoch: Epoch(rawValue: epoch), revision: 7)
        let snapshot = ServerSnapshot(cursor: cursor, digest: digest, entries: ["a": .integer(1)])
        return ConfigAnswer.snapshot(snapshot, isReset: false).json
    }

    /// An error of a stream, and the field that announces it.
    enum Fault: String, CaseIterable {
        case endsAfterHello, ofAnotherEpoch, busy

        func answer(_ connection: ScriptedConnection) throws {
            switch self {
            case .endsAfterHello: try connection.send(Array(streamHead.utf8) + hello)
            case .ofAnotherEpoch:
                let other = RevisionCursor(epoch: Epoch(rawValue: .random(in: 100...(.max))), revision: 7)
                try connection.send(Array(streamHead.utf8) + StreamEvent.hello(other, digest).encoded)
            case .busy: try connection.respond("503 Busy", ["Retry-After": "3"], "")
            }
            connection.close()
        }
    }

    @Test(arguments: Fault.allCases) func streamErrorsCauseNoRequestStorm(fault: Fault) throws {
        let server = try ScriptedServer { connection, request in
            if request.target.hasSuffix("/events") { return try fault.answer(connection) }
            try connection.respond("200 OK", ["Content-Type": "application/json"], body: Self.config())
        }
        let desk = try OperatorDesk(address: server.url("").absoluteString)
        let watch = try desk.onTerminal("watch")
        try watch.readUntil("the start") { $0.contains("Watching default") }
        // The rate is measured over four seconds.
        let end = ContinuousClock.now + .seconds(4)
        while ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.01) }
        let (streams, reads) = (
            server.requests.count { $0.target.hasSuffix("/events") },
            server.requests.count { $0.target.contains("/config") }
        )
        #expect((1...14).contains(streams), "\(streams) streams in 4 s")
        #expect(reads <= 14, "\(reads) states in 4 s")
        if fault == .busy { #expect(streams <= 2, "Retry-After is respected") }
        try watch.write("\u{3}")
        #expect(try watch.waitForExit() == .signaled(SIGINT))
    }

    @Test func missedChangesHaveTheServersTimes() throws {
        let old = try #require(Timestamp("2020-02-03T04:05:06Z"))
        let server = try ScriptedServer { connection, request in
            if request.target.hasSuffix("/events") {
                let digest = ConfigDigest([("a", .integer(2))])
                let changes = Changeset(from: 7, to: 9, digest: digest, upserts: ["a": .integer(2)])
                try connection.send(Array(Self.streamHead.utf8) + Self.hello)
                try connection.send(StreamEvent.change(changes, epoch: Self.cursor.epoch).encoded)
                return connection.waitForClient()
            }
            let history = HistoryMessage(records: [HistoryRecord("a", 2, at: 8, on: old)], next: nil)
            let body = request.target.contains("/history") ? history.json : Self.config()
            try connection.respond("200 OK", ["Content-Type": "application/json"], body: body)
        }
        let desk = try OperatorDesk(address: server.url("").absoluteString)
        let watch = try desk.onTerminal("watch", "--json", columns: 200)
        try watch.readUntil("the change") { $0.contains("\"new\"") }
        #expect(watch.plainText.contains("2020-02-03T04:05:06"))
        #expect(watch.plainText.contains("\"revision\":8") || watch.plainText.contains("\"revision\": 8"))
        try watch.write("\u{3}")
        _ = try watch.waitForExit()
    }
}
