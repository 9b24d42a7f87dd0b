// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import TestSupport
import Testing

/// A client that takes an answer slowly, or not at all.
struct SlowPeer: Sendable, CustomTestStringConvertible {
    /// The requested data.
    enum Kind: String, CaseIterable, Sendable {
        /// The whole state, from memory.
        case snapshot
        /// The same on a connection that ends with it.
        case lastSnapshot
        /// An answer of a route.
        case entries
        /// The same on a connection that ends with it.
        case lastEntries
        /// The changes since the beginning.
        case delta
        /// A stream that begins far back.
        case opening
        /// A stream on which one large change comes.
        case change

        var isStream: Bool { self == .opening || self == .change }
        /// The values that are open while nothing is published.
        static let answers = allCases.filter { !$0.isStream }
    }

    /// The available data: a number of changes of a size.
    struct Size: Sendable {
        let namespace: String
        let changes: Int
        let bytes: Int
        static let small = Size(namespace: "small", changes: 4, bytes: 240_000)
        static let large = Size(namespace: "large", changes: 20, bytes: 240_000)

        /// A publish of one of the changes.
        func patch(_ number: Int) -> String { Self.patch(number, values: bytes / 60_000) }

        /// A publish of all of it at once.
        var whole: String { Self.patch(0, values: changes * bytes / 60_000) }

        private static func patch(_ number: Int, values: Int) -> String {
            let value = String(repeating: "x", count: 60_000)
            let members = (0..<values).map { "\"\(number).\($0)\":\"\(value)\"" }
            return "{\"set\":{\(members.joined(separator: ","))}}"
        }
    }

    let kind: Kind
    let size: Size
    /// Bytes per second; 0 for one that takes nothing.
    let rate: Int

    var testDescription: String { "\(kind.rawValue) of \(size.changes) × \(size.bytes) bytes at \(rate) bytes/s" }

    /// The requested namespace: a separate one if the peer publishes.
    var namespace: String { kind == .change ? "\(size.namespace)-\(rate)" : size.namespace }

    private var request: String {
        let close = "Connection: close"
        return switch kind {
        case .snapshot: RawExchange.request("GET", "/v1/\(namespace)/config")
        case .lastSnapshot: RawExchange.request("GET", "/v1/\(namespace)/config", close)
        case .entries: RawExchange.request("GET", "/v1/\(namespace)/entries")
        case .lastEntries: RawExchange.request("GET", "/v1/\(namespace)/entries", close)
        case .delta, .opening, .change: ""
        }
    }

    private func request(_ epoch: Epoch) -> String {
        switch kind {
        case .delta: RawExchange.request("GET", "/v1/\(namespace)/config?epoch=\(epoch)&after=0")
        case .opening: RawExchange.request("GET", "/v1/\(namespace)/events", "Last-Event-ID: \(epoch):0")
        case .change: RawExchange.request("GET", "/v1/\(namespace)/events")
        default: request
        }
    }
}

extension SlowPeer {
    /// Sends the request, after publishing its data if needed.
    func begin(_ client: WireClient, _ epoch: Epoch) throws -> WireConnection {
        let connection = try client.connection()
        connection.shrinkReceiveBuffer(to: 64 << 10)
        connection.send(request(epoch))
        guard kind == .change else { return connection }
        _ = try connection.response()
        _ = try connection.chunk()
        let publisher = try client.connection()
        publisher.send(WireClient.request("PATCH", "/v1/\(namespace)/entries", body: size.whole))
        #expect(try publisher.response().status == 200)
        return connection
    }

    /// Reads everything at its rate.
    func takeAll(_ connection: WireConnection) throws {
        connection.bytesPerSecond = rate
        guard kind.isStream else {
            let answer = try connection.response()
            #expect(answer.status == 200 && answer.body.count > size.changes * size.bytes, "\(testDescription)")
            if kind == .lastSnapshot || kind == .lastEntries {
                #expect(connection.rest().isEmpty && connection.isEnded, "\(testDescription)")
            }
            return
        }
        if kind == .opening { #expect(try connection.response().status == 200) }
        var changes = 0
        while changes < (kind == .change ? 1 : size.changes), let chunk = try connection.chunk() {
            if chunk.starts(with: "event: change".utf8) { changes += 1 }
        }
        #expect(changes == (kind == .change ? 1 : size.changes), "\(testDescription)")
    }
}
