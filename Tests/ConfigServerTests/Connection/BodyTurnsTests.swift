// SPDX-License-Identifier: Apache-2.0

import ConfigStoreTesting
import HubTestSupport
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import ConfigServer

/// Long bodies are read in slices while other requests are answered.
struct BodySlicesTests {
    @Test func aSliceEndsWhenItHasBeenRead() {
        var slices = BodySlices(answers: 0)
        let ends = [BodySlices.bytes - 1, 1, 1, BodySlices.bytes].map { count in
            slices.received(count)
            return slices.endSlice()
        }
        #expect(ends == [false, true, false, true])
        // Consecutive short requests are not a long body.
        slices.received(BodySlices.bytes - 1)
        slices.begin()
        slices.received(BodySlices.bytes - 1)
        let ended = slices.endSlice()
        #expect(!ended)
    }

    @Test func answersOnTheSameConnectionDoNotCount() {
        var slices = BodySlices(answers: 5)
        slices.answered()
        let alone = [6, 6].map { slices.othersWereAnswered(of: $0) }
        slices.answered()
        let besideOthers = [8, 8].map { slices.othersWereAnswered(of: $0) }
        #expect(alone == [false, false] && besideOthers == [true, false])
    }

    @Test func connectionsTakeTurnsByTheMillisecond() async throws {
        try await withHub(ReferenceStore()) { hub in
            try await onDedicatedThread {
                let server = EmbeddedServer(hub, tokens: [])
                defer { server.stop() }
                let connections = try (0..<4).map { _ in try server.connection() }
                defer { for connection in connections { connection.close() } }
                let (senders, other) = (connections.prefix(3), connections[3])
                let head = ["PUT /v1/default/entries/a HTTP/1.1", "Host: localhost", "Content-Length: 1000000", "", ""]
                let slice = Array(repeating: UInt8(ascii: " "), count: BodySlices.bytes)
                for sender in senders {
                    try sender.read(head.joined(separator: "\r\n").utf8)
                    try sender.read(slice)
                    #expect(sender.requestRead())
                    try sender.read(slice)
                }
                // Any answer counts: this client has no token.
                try other.read("GET /v1/default/config HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
                #expect(try other.written().hasPrefix("HTTP/1.1 401"))
                #expect(senders.map { $0.requestRead() } == [false, false, false])
                let before = senders.map(\.readCount)
                // The turn of a connection that has ended is the next one's, a millisecond later.
                senders[1].connection.context?.close(promise: nil)
                let turns = (0..<4).map { _ in
                    server.eventLoop.advanceTime(by: BodyTurns.pause)
                    return zip(senders, before).map { $0.readCount - $1 }
                }
                #expect(turns == [[1, 0, 0], [1, 0, 0], [1, 0, 1], [1, 0, 1]])
                #expect(other.requestRead())
            }
        }
    }
}

struct FlushTurnsTests {
    @Test(arguments: [(1, 1), (2, 1), (3, 1), (4, 2), (16, 8)])
    func halfOfTheLoopsFlushAtATime(loops: Int, most: Int) {
        var turns = FlushTurns<Int>(loops: loops)
        let begun = (0..<loops).map { turns.begin($0) }
        #expect(begun.count { $0 } == most)
    }

    @Test func eachWaitingLoopHasItsTurnInOrder() {
        var turns = FlushTurns<Int>(loops: 4)
        let begun = (0..<4).map { turns.begin($0) }
        #expect(begun == [true, true, false, false])
        // The turn is passed on: no later loop precedes the waiting ones.
        let first = turns.end()
        let again = turns.begin(0)
        let others = (0..<4).map { _ in turns.end() }
        #expect(first == 2 && !again)
        #expect(others == [3, 0, nil, nil])
        let later = (1..<4).map { turns.begin($0) }
        #expect(later == [true, true, false])
    }
}
