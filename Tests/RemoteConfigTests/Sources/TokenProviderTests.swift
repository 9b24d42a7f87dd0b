// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Dispatch
import Foundation
import HTTPTransport
import TestSupport
import Testing

@testable import ConfigClient
@testable import RemoteConfig

/// Changing credentials: the calls of the provider, and the requests to the server.
@Suite(.timeLimit(.minutes(5)))
struct TokenProviderTests {
    /// A client that uses a token.
    enum Asker: CaseIterable, Sendable {
        case document, serverRead, serverEvents, client, write

        func ask(_ url: URL, by tokens: TokenProvider) async throws {
            let client = ServerClient(
                address: try ServerAddress(url.absoluteString),
                tokens: tokens,
                transport: HTTPClient()
            )
            switch self {
            case .document: _ = try await DocumentSource(url: url, tokens: tokens).read()
            case .serverRead: _ = try await ServerSource(url: url, tokens: tokens).read()
            case .serverEvents:
                try await ServerSource(url: url, tokens: tokens).follow(after: SourcePosition()) { _ in }
            case .client: _ = try await client.snapshot()
            case .write: try await client.delete("k", if: .isNew)
            }
        }
    }

    private static let cursor = RevisionCursor(epoch: Epoch(rawValue: 1), revision: 1)

    /// Accepts the given tokens, and rejects all others.
    private static func server(accepting accepted: String...) throws -> ScriptedServer {
        let entries: [String: EntryValue] = ["k": .string("v")]
        let digest = ConfigDigest(entries.map { ($0.key, $0.value) })
        let snapshot = ServerSnapshot(cursor: cursor, digest: digest, entries: entries)
        let state = ConfigAnswer.snapshot(snapshot, isReset: false).json
        return try ScriptedServer { connection, request in
            guard accepted.contains(where: { request["authorization"] == "Bearer \($0)" }) else {
                return try connection.respond("401 Unauthorized", [:], "")
            }
            if request.target.hasSuffix("/events") {
                try connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: hello\n\n")
                return connection.close()
            }
            try connection.respond("200 OK", ["Content-Type": "application/json"], body: state)
        }
    }

    /// Returns these tokens one after another, then the last one, and records the rejected ones.
    private static func giving(_ texts: String..., notes: Log<BearerToken?>) -> TokenProvider {
        TokenProvider { refused throws(ConfigError) in
            notes.append(refused)
            return try BearerToken(texts[min(notes.entries.count, texts.count) - 1])
        }
    }

    @Test(arguments: Asker.allCases) func refusedTokenIsRequestedOnceMore(_ asker: Asker) async throws {
        let server = try Self.server(accepting: "new")
        let notes = Log<BearerToken?>()
        try await asker.ask(server.url(""), by: Self.giving("old", "new", notes: notes))
        #expect(server.requests.map { $0["authorization"] } == ["Bearer old", "Bearer new"])
        #expect(Set(server.requests.map(\.method)).count == 1)
        #expect(notes.entries == [nil, try BearerToken("old")])
    }

    /// Exactly one more request, whatever other tokens the provider has.
    @Test(arguments: Asker.allCases) func aSecondRefusalIsShown(_ asker: Asker) async throws {
        let server = try Self.server(accepting: "third")
        let notes = Log<BearerToken?>()
        let tokens = Self.giving("first", "second", "third", notes: notes)
        await #expect { try await asker.ask(server.url(""), by: tokens) } throws: {
            ($0 as? ConfigError)?.code == .unauthorized && !"\($0)".contains("second")
        }
        #expect(server.requests.map { $0["authorization"] } == ["Bearer first", "Bearer second"])
        #expect(notes.entries == [nil, try BearerToken("first")])
    }

    @Test(arguments: Asker.allCases) func theSameTokenIsNotShownAgain(_ asker: Asker) async throws {
        let server = try Self.server()
        let notes = Log<BearerToken?>()
        let tokens = Self.giving("only", notes: notes)
        await #expect { try await asker.ask(server.url(""), by: tokens) } throws: {
            ($0 as? ConfigError)?.code == .unauthorized
        }
        #expect(server.requests.count == 1)
        #expect(notes.entries.count == 2)
        await #expect(throws: ConfigError.self) {
            try await asker.ask(server.url(""), by: .fixed(try BearerToken("fixed")))
        }
        #expect(server.requests.count == 2)
    }

    /// As when a user logs in while a program waits for a token.
    @Test func missingTokenIsRequestedOnceMore() async throws {
        let server = try Self.server(accepting: "new")
        let notes = Log<BearerToken?>()
        let tokens = TokenProvider { refused throws(ConfigError) in
            notes.append(refused)
            return notes.entries.count == 1 ? nil : try BearerToken("new")
        }
        _ = try await ServerSource(url: server.url(), tokens: tokens).read()
        #expect(server.requests.map { $0["authorization"] } == [nil, "Bearer new"])
        #expect(notes.entries == [nil, nil])
    }

    @Test func providerErrorIsShown() async throws {
        let server = try Self.server()
        let sealed = ConfigError(.unavailable, "the vault is sealed")
        let tokens = TokenProvider { refused throws(ConfigError) in
            if refused != nil { throw sealed }
            return try BearerToken("old")
        }
        await #expect { try await ServerSource(url: server.url(), tokens: tokens).read() } throws: {
            ($0 as? ConfigError)?.message == sealed.message
        }
    }

    /// No token was sent there, so its rejection does not concern ours.
    @Test func refusalByAnotherOriginRequestsNoToken() async throws {
        let other = try Self.server()
        let target = other.url("/there").absoluteString
        let server = try ScriptedServer { connection, _ in
            try connection.respond("302 Found", ["Location": target], "")
        }
        let notes = Log<BearerToken?>()
        let source = DocumentSource(url: server.url(), tokens: Self.giving("s3cret", "other", notes: notes))
        await #expect { try await source.read() } throws: { ($0 as? ConfigError)?.code == .unauthorized }
        #expect(other.requests.map { $0["authorization"] } == [nil])
        #expect(notes.entries == [nil])
    }

    @Test func requestsWithOneRefusedTokenWaitForOneCall() async throws {
        let gate = DispatchSemaphore(value: 0)
        let notes = Log<BearerToken?>()
        let calls = TokenCalls { refused throws(ConfigError) in
            notes.append(refused)
            gate.wait()
            return try BearerToken("new")
        }
        let old = try BearerToken("old")
        try await withThrowingTaskGroup { group in
            for _ in 0..<10 { group.addTask { try await calls.token(after: old) } }
            try await until("all wait") { calls.waiterCount == 10 }
            gate.signal()
            for try await token in group { #expect(try token == BearerToken("new")) }
        }
        #expect(notes.entries == [old])
        #expect(calls.waiterCount == 0)
        // A later request with the same rejected token does not renew the token again.
        #expect(try await calls.token(after: old) == BearerToken("new"))
        #expect(notes.entries == [old])
        gate.signal()
        _ = try await calls.token(after: BearerToken("new"))
        #expect(notes.entries.count == 2)
    }

    @Test func cancelledCallerLeavesTheCallToOthers() async throws {
        let gate = DispatchSemaphore(value: 0)
        let wasCancelled = Log<Bool>()
        let calls = TokenCalls { _ throws(ConfigError) in
            gate.wait()
            wasCancelled.append(Task.isCancelled)
            return nil
        }
        let tasks = (0..<2).map { _ in Task { try await calls.token(after: nil) } }
        try await until("both wait") { calls.waiterCount == 2 }
        tasks[0].cancel()
        await #expect { try await tasks[0].value } throws: { ($0 as? ConfigError)?.code == .cancelled }
        gate.signal()
        #expect(try await tasks[1].value == nil)
        #expect(wasCancelled.entries == [false])

        let last = Task { try await calls.token(after: nil) }
        try await until("it waits") { calls.waiterCount == 1 }
        last.cancel()
        await #expect { try await last.value } throws: { ($0 as? ConfigError)?.code == .cancelled }
        gate.signal()
        try await until("the call has ended") { wasCancelled.entries == [false, true] }
    }
}

/// A provider that does not return, in either way.
@Suite(.timeLimit(.minutes(5)))
struct HangingTokenProviderTests {
    enum Manner: CaseIterable, Sendable { case keepsItsThread, neverResumes }

    @Test(arguments: Manner.allCases, [false, true])
    func nothingElseWaitsForIt(_ manner: Manner, isServer: Bool) async throws {
        let server = try ScriptedServer { connection, _ in try connection.respond("200 OK", [:], "{}") }
        let asked = Log<Manner>()
        let gate = DispatchSemaphore(value: 0)
        defer { for _ in 0..<100 { gate.signal() } }
        let tokens = TokenProvider { _ async throws(ConfigError) in
            asked.append(manner)
            await Self.hang(manner, until: gate)
            return nil
        }
        if isServer {
            try await useAndEnd(try ServerSource(url: server.url(), tokens: tokens), asked)
        } else {
            try await useAndEnd(DocumentSource(url: server.url(), tokens: tokens), asked)
        }
        #expect(server.requests.isEmpty)
    }

    private static func hang(_ manner: Manner, until gate: DispatchSemaphore) async {
        switch manner {
        case .keepsItsThread: keepThread(until: gate)
        case .neverResumes:
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    gate.wait()
                    continuation.resume()
                }
            }
        }
    }

    private static func keepThread(until gate: DispatchSemaphore) { gate.wait() }

    private func useAndEnd(_ source: some ConfigSource, _ asked: Log<Manner>) async throws {
        try await following(source) { running in
            try await until("it asks") { !asked.entries.isEmpty }
            await running.service.setOffline(true)
            #expect(running.current.status.isSetOffline)
            await running.service.setOffline(false)
            #expect(!running.current.status.isSetOffline)
        }
    }
}
