// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStoreTesting
import ConfigWire
import Foundation
import TestSupport
import Testing

@testable import ConfigServer

/// The bytes that clients of a namespace receive, with and without previews of its drafts.
@Suite(.timeLimit(.minutes(10)))
struct PreviewIsolationTests {
    /// Set `LIVERY_PREVIEW_CLIENTS=1000` for a long run.
    private static let clients =
        ProcessInfo.processInfo.environment["LIVERY_PREVIEW_CLIENTS"].flatMap { Int($0) } ?? 100

    private struct Received: Hashable, Sendable {
        var streams: Set<[UInt8]>
        var snapshot: [UInt8]
        var tag: String?
        var metrics: [String]
    }

    private static func open(_ client: WireClient, _ target: String) throws -> WireConnection {
        let stream = try client.connection()
        stream.send(WireClient.request("GET", target))
        #expect(try stream.response().status == 200, "\(target)")
        return stream
    }

    /// The bytes of a stream up to an event of a revision.
    private static func bytes(_ stream: WireConnection, until revision: UInt64) throws -> [UInt8] {
        var bytes: [UInt8] = []
        let end = Array("\"to\":\(revision),".utf8)
        while bytes.firstRange(of: end) == nil, let chunk = try stream.chunk() { bytes += chunk }
        return bytes
    }

    /// What clients receive while drafts are created and edited, and the namespace changes.
    private static func received(previews: Int) async throws -> Received {
        let store = ReferenceStore(epoch: Epoch(rawValue: 7)) { Timestamp(milliseconds: 1_800_000_000_000) }
        var received: Received?
        try await TestServer(store: store).run { server in
            received = try await server.script { client in
                let config = "/v1/default/config"
                let metrics = { () throws -> [String] in
                    try client.ask("GET", "/metrics").text.split(separator: "\n").map(String.init).filter {
                        $0.hasPrefix("livery_namespace") || $0.hasPrefix("livery_revision")
                    }
                }
                _ = try client.ask("PATCH", "/v1/default/entries", body: #"{"set":{"a":0,"b":0}}"#)
                let streams = try (0..<clients).map { _ in try open(client, "/v1/default/events") }
                var drafts: [String] = []
                for number in 0..<20 {
                    let body = "{\"set\":{\"a\":\(number)},\"rules\":{\"b\":{\"variants\":{\"x\":1}}}}"
                    let answer = try client.ask("POST", "/v1/default/drafts", body: body)
                    drafts.append(try DraftMessage(json: answer.body).summary.id)
                }
                let watched = try drafts.prefix(previews).map { try open(client, "/v1/default/drafts/\($0)/events") }
                for (number, draft) in drafts.enumerated() {
                    _ = try client.ask("PATCH", "/v1/default/drafts/\(draft)", body: "{\"set\":{\"c\":\(number)}}")
                    if number < previews { _ = try client.ask("GET", "/v1/default/drafts/\(draft)/config") }
                    _ = try client.ask("PUT", "/v1/default/entries/b", body: "{\"value\":\(number + 1)}")
                }
                let snapshot = try client.ask("GET", config)
                let head = try #require(try ConfigAnswer(json: snapshot.body).snapshot).cursor.revision
                for preview in watched { #expect(try preview.chunk() != nil) }
                let bytes = try streams.map { try Self.bytes($0, until: head) }
                return Received(
                    streams: Set(bytes),
                    snapshot: snapshot.body,
                    tag: snapshot["etag"],
                    metrics: try metrics()
                )
            }
        }
        return try #require(received)
    }

    @Test func previewsChangeNothingForTheClientsOfTheNamespace() async throws {
        let (without, with) = (try await Self.received(previews: 0), try await Self.received(previews: 20))
        #expect(without.streams.count == 1 && without == with)
    }
}
