// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import ConfigWire
import Foundation
import HTTPTransport
import TestSupport
import Testing

@testable import RemoteConfig

/// The requests of a source, and the results of responses.
@Suite(.timeLimit(.minutes(5)))
struct ServerSourceTests {
    private static let epoch = Epoch(rawValue: 0xABC)
    private static let values: [String: EntryValue] = ["a": .integer(1)]
    private static let digest = ConfigDigest(values.map { ($0.key, $0.value) })
    private static let cursor = RevisionCursor(epoch: epoch, revision: 7)
    private static let snapshot = ServerSnapshot(cursor: cursor, digest: digest, entries: values)

    private static func answer(_ answer: ConfigAnswer) -> String {
        let body = String(decoding: answer.json, as: UTF8.self)
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n"
            + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    private static let streamHead = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

    private static func text(_ event: StreamEvent) -> String { String(decoding: event.encoded, as: UTF8.self) }

    private func source(
        _ server: ScriptedServer,
        namespace: String = "shop",
        token: String? = nil
    ) throws -> ServerSource {
        try ServerSource(
            url: server.url(),
            namespace: namespace,
            tokens: try token.map { .fixed(try BearerToken($0)) } ?? .anonymous
        )
    }

    @Test func firstRequestIsForASnapshot() async throws {
        let server = try ScriptedServer { connection, _ in
            try connection.send(Self.answer(.snapshot(Self.snapshot, isReset: false)))
        }
        let reading = try await source(server, token: "secret").read(after: SourcePosition())
        #expect(reading.content == .snapshot(Self.snapshot))
        let request = try #require(server.requests.first)
        #expect(request.target == "/v1/shop/config")
        #expect(request["Authorization"] == "Bearer secret")
        #expect(request["Accept"] == "application/json")
    }

    @Test func snapshotRequestNamesTheSeenRevision() async throws {
        let server = try ScriptedServer { connection, request in
            if request.target.hasSuffix("events") { return try connection.send(Self.streamHead) }
            try connection.send(Self.answer(.snapshot(Self.snapshot, isReset: false)))
        }
        let source = try source(server)
        _ = try await source.read(after: SourcePosition(seen: Self.cursor))
        let following = Task { try? await source.follow(after: SourcePosition(seen: Self.cursor)) { _ in } }
        try await until("both have been asked for") { server.requests.count == 2 }
        following.cancel()
        await following.value
        #expect(server.requests.map(\.target) == ["/v1/shop/config", "/v1/shop/events"])
        #expect(server.requests.allSatisfy { $0["Livery-Revision"] == "\(Self.cursor)" })
    }

    @Test func clientRemembersItsOwnWrites() async throws {
        let server = try ScriptedServer { connection, request in
            guard request.method == "DELETE" else { return try connection.respond("404 Not Found", [:], "") }
            let fields = request["Livery-Revision"] == nil ? "Livery-Revision: \(Self.cursor)\r\n" : ""
            try connection.send("HTTP/1.1 204 No Content\r\n\(fields)\r\n")
        }
        let client = ServerClient(
            address: try ServerAddress(server.url("").absoluteString),
            transport: HTTPClient()
        )
        try await client.delete("a", if: .isAt(Self.cursor))
        _ = try? await client.entry("a")
        client.remember(RevisionCursor(epoch: Self.epoch, revision: 3))
        _ = try? await client.entry("a")
        client.remember(RevisionCursor(epoch: Epoch(rawValue: 1), revision: 3))
        _ = try? await client.entry("a")
        let seen = server.requests.map { $0["Livery-Revision"] }
        #expect(seen == [nil, "\(Self.cursor)", "\(Self.cursor)", "0000000000000001:3"])
    }

    @Test func laterRequestsAreForChanges() async throws {
        let changes = Changeset(from: 7, to: 9, digest: Self.digest, upserts: ["b": .boolean(true)], deletes: ["a"])
        let server = try ScriptedServer { connection, _ in
            try connection.send(Self.answer(.changes(changes, epoch: Self.epoch)))
        }
        let reading = try await source(server).read(after: SourcePosition(cursor: Self.cursor))
        #expect(reading.content == .changes(changes, epoch: Self.epoch))
        #expect(server.requests.first?.target == "/v1/shop/config?epoch=0000000000000abc&after=7")
    }

    @Test func previewIsReadUntilTheDraftEnds() async throws {
        let end = ProblemDetails(
            type: "urn:livery:problem:draft-ended",
            title: "Draft ended",
            status: 410,
            detail: "the preview of the draft has ended: it was applied as revision 8"
        )
        let server = try ScriptedServer { connection, request in
            if request.target.hasSuffix("after=7") {
                return try connection.send(Self.answer(.snapshot(Self.snapshot, isReset: false)))
            }
            let body = String(decoding: end.json, as: UTF8.self)
            try connection.respond("410 Gone", ["Content-Type": "application/problem+json"], body)
        }
        let source = try ServerSource(url: server.url(), namespace: "shop", draft: "k3x9m2ab")
        #expect(source.name.hasSuffix("/v1/shop?draft=k3x9m2ab") && source.preview == "k3x9m2ab")
        #expect(try await source.read(after: SourcePosition(cursor: Self.cursor)).content == .snapshot(Self.snapshot))
        let following = await #expect(throws: ConfigError.self) {
            try await source.follow(after: SourcePosition()) { _ in }
        }
        #expect(following?.meansOffline == true, "the source is read")
        let reading = await #expect(throws: ConfigError.self) { try await source.read(after: SourcePosition()) }
        #expect(reading?.code == .ended && reading?.message == end.detail)
        #expect(
            server.requests.map(\.target) == [
                "/v1/shop/drafts/k3x9m2ab/config?epoch=0000000000000abc&after=7", "/v1/shop/drafts/k3x9m2ab/events",
                "/v1/shop/drafts/k3x9m2ab/config",
            ]
        )
    }

    @Test func previewHasNoHistoryAndCannotBeChanged() async throws {
        let address = try ServerAddress("http://127.0.0.1:1/v1/shop?draft=k3x9m2ab")
        let client = ServerClient(address: address, transport: HTTPClient())
        let requests: [() async throws -> Void] = [
            { _ = try await client.snapshot(at: 3) }, { _ = try await client.history() },
            { _ = try await client.entries() },
            { _ = try await client.publish(PublishRequest(set: ["a": 1])) }, { _ = try await client.rollback(to: 1) },
        ]
        for request in requests {
            let error = await #expect(throws: ConfigError.self) { try await request() }
            #expect(error?.code == .invalidSource && error?.message.contains("?draft=k3x9m2ab") == true)
        }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>", ConfigError.Code.badResponse),
        ("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n", .unauthorized),
        ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", .badResponse),
        (
            "HTTP/1.1 404 Not Found\r\nContent-Type: application/problem+json\r\nContent-Length: 0\r\n\r\n",
            .notFound
        ),
        ("HTTP/1.1 503 Busy\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n", .unavailable),
    ])
    func invalidAnswerIsAnError(answer: String, code: ConfigError.Code) async throws {
        let server = try ScriptedServer { connection, _ in try connection.send(answer) }
        let source = try source(server)
        let reading = await #expect(throws: ConfigError.self) { try await source.read(after: SourcePosition()) }
        let following = await #expect(throws: ConfigError.self) {
            try await source.follow(after: SourcePosition()) { _ in }
        }
        for error in [reading, following] {
            #expect(error?.code == code)
            #expect(error?.source == source.name)
            if code == .unavailable { #expect(error?.retryAfter == .seconds(7)) }
        }
    }

    @Test func eventsArriveAndTheStreamIsResumed() async throws {
        let change = StreamEvent.change(
            Changeset(from: 7, to: 8, digest: Self.digest, upserts: ["a": .integer(2)]),
            epoch: Self.epoch
        )
        let server = try ScriptedServer { connection, _ in
            try connection.send(Self.streamHead + Self.text(.hello(Self.cursor, Self.digest)))
            try connection.send("retry: 2000\nevent: news\ndata: {}\n\n: a comment\n\n" + Self.text(change))
            connection.close()
        }
        let events = Log<SourceEvent>()
        try await source(server).follow(after: SourcePosition(cursor: Self.cursor)) { events.append($0) }
        #expect(
            events.entries.filter { !$0.isSignOfLife && $0 != .retry(after: .seconds(2)) }
                == [.server(.hello(Self.cursor, Self.digest)), .server(change)]
        )
        #expect(events.entries.first?.isSignOfLife == true)
        #expect(events.entries.contains(.retry(after: .seconds(2))))
        let request = try #require(server.requests.first)
        #expect(request.target == "/v1/shop/events")
        #expect(request["Last-Event-ID"] == "0000000000000abc:7")
        #expect(request["Accept"] == "text/event-stream")
    }

    @Test(arguments: [true, false]) func aLargeNamespaceIsReadIfTheServerAnnouncesIt(isAnnounced: Bool) async throws {
        let text = String(repeating: "x", count: 65_000)
        let values = Dictionary(uniqueKeysWithValues: (0..<150).map { ("k\($0)", EntryValue.string(text)) })
        let digest = ConfigDigest(values.map { ($0.key, $0.value) })
        let body = ConfigAnswer.snapshot(
            ServerSnapshot(cursor: Self.cursor, digest: digest, entries: values),
            isReset: false
        ).json
        #expect(body.count > 9 << 20)
        let server = try ScriptedServer { connection, _ in
            var fields = ["Content-Type": "application/json"]
            fields["livery-max-size"] = isAnnounced ? "67108864" : nil
            try connection.respond("200 OK", fields, body: body)
        }
        let client = ServerClient(
            address: try ServerAddress(server.url("").absoluteString),
            transport: HTTPClient()
        )
        if isAnnounced {
            guard case .snapshot(let snapshot, _) = try await source(server).read().content else {
                Issue.record("there is no state")
                return
            }
            #expect(snapshot.entries.count == 150)
            #expect(try await client.snapshot().entries.count == 150)
        } else {
            await #expect { try await source(server).read() } throws: { ($0 as? ConfigError)?.code == .tooLarge }
            await #expect { try await client.snapshot() } throws: { ($0 as? ConfigError)?.code == .tooLarge }
        }
    }

    @Test func aNamespaceThatCannotBeIsRefused() {
        let error = #expect(throws: ConfigError.self) {
            try ServerSource(url: URL(filePath: "/"), namespace: "Not this")
        }
        #expect(error?.code == .invalidSource)
    }

    /// Over real sockets.
    @Test func thousandsOfReconnectsLeakNoSocketAndNoThread() async throws {
        let server = try ScriptedServer { connection, request in
            if request.target.contains("/events") {
                try connection.send(Self.streamHead + Self.text(.hello(Self.cursor, Self.digest)))
                connection.close()
            } else if request.target.contains("after=") {
                let nothing = Changeset(from: 7, to: 7, digest: Self.digest)
                try connection.send(Self.answer(.changes(nothing, epoch: Self.epoch)))
            } else {
                try connection.send(Self.answer(.snapshot(Self.snapshot, isReset: false)))
            }
        }
        var settings = ServiceSettings()
        settings.jitter = { 0 }
        let service = RemoteConfigService(source: try source(server), settings)
        let run = Task { await service.run() }
        defer { run.cancel() }
        try await until("there have been some") { server.connectionCount > 100 }
        let before = try HeldResources()
        try await until("there have been thousands") { server.connectionCount > 3000 }
        #expect(await service.engine.runs.listeners.count <= 1)
        #expect(service.state.current.snapshot.cursor == Self.cursor)
        run.cancel()
        await run.value
        // A leak would leave thousands; concurrent tests use a few.
        try await until("all is given back: \(before)") {
            try !HeldResources().exceed(before, and: 100)
        }
    }
}

extension SourceEvent {
    /// Whether the event reports received bytes, and how many.
    fileprivate var isSignOfLife: Bool {
        if case .received(let bytes) = kind { bytes > 0 } else { false }
    }
}
