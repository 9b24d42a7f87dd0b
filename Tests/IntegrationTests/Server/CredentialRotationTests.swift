// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import Observing
import Synchronization
import TestSupport
import Testing

@testable import RemoteConfig

/// Tokens that are replaced while clients follow a real server.
@Suite(.timeLimit(.minutes(5)))
struct CredentialRotationTests {
    /// Keeps a token until it is refused, as one who pays for each look into the vault does.
    private final class Keeper: Sendable {
        let refused = Log<BearerToken?>()
        private let kept = Mutex<BearerToken?>(nil)
        private let folder: TemporaryDirectory

        init(_ folder: TemporaryDirectory) { self.folder = folder }

        func token(after refused: BearerToken?) throws(ConfigError) -> BearerToken? {
            self.refused.append(refused)
            return try kept.withLock { (kept) throws(ConfigError) in
                if let kept, kept != refused { return kept }
                let text = (try? folder.read("mine")).map { String(decoding: $0, as: UTF8.self) }
                kept = try BearerToken(text ?? "")
                return kept
            }
        }
    }

    private static func server() throws -> (server: RunningServer, token: String) {
        let folder = try TemporaryDirectory(prefix: "server")
        let token = try makeToken("old", role: "write", in: folder)
        return (try RunningServer(arguments: ["--token-file", "tokens"], folder: folder), token)
    }

    /// Takes all tokens away and makes another one.
    private static func rotate(on server: RunningServer, beforeItCounts: (String) throws -> Void) throws -> String {
        try server.folder.writeSecret("", to: "tokens")
        let new = try makeToken("new", role: "write", in: server.folder)
        try beforeItCounts(new)
        server.send(signal: SIGHUP)
        try eventually("the new tokens", deadline: .seconds(60), lastState: server.output) {
            server.output.contains("read the tokens again count=1 file=tokens streams-ended=1")
        }
        return new
    }

    @Test func aClientFollowsThroughARotation() async throws {
        let (server, old) = try await onDedicatedThread { try Self.server() }
        try server.folder.write(old, to: "mine")
        let keeper = Keeper(server.folder)
        let tokens = TokenProvider { refused throws(ConfigError) in try keeper.token(after: refused) }
        let service = SyncService(source: try ServerSource(url: try requireURL(server.address), tokens: tokens))
        let problems = Log<ConfigError>()
        let observation = service.state.observed.observe { _, next in
            if let problem = next.status.problem { problems.append(problem) }
        }
        let run = Task { await service.run() }
        try await until("the stream") { service.state.current.status.phase == .live }

        let new = try await onDedicatedThread {
            try Self.rotate(on: server) { try server.folder.write($0, to: "mine") }
        }
        let status = try await onDedicatedThread { try server.set("a", "1", token: new) }
        #expect(status == 201)
        try await until("the change") { service.state.current.snapshot.entries["a"]?.value == .integer(1) }
        try await until("the stream") { service.state.current.status.phase == .live }
        #expect(problems.entries.filter { $0.code == .unauthorized } == [])
        let first = try BearerToken(old)
        #expect(keeper.refused.entries.contains(first))
        #expect(keeper.refused.entries.allSatisfy { $0 == nil || $0 == first })
        run.cancel()
        await run.value
        withExtendedLifetime(observation) {}
    }

    @Test func aLoginCountsForACommandThatRuns() async throws {
        try await onDedicatedThread { try Self.login() }
    }

    private static func login() throws {
        let (server, old) = try server()
        let desk = try OperatorDesk(address: server.address)
        #expect(try desk.run("login", input: old).status.isSuccess)
        let watch = try desk.onTerminal("watch")
        try watch.readUntil("the start", deadline: .seconds(60)) { $0.contains("Watching default") }
        let both = try server.folder.read("tokens")
        let new = try makeToken("new", role: "write", in: server.folder)
        server.send(signal: SIGHUP)
        try eventually("both tokens", deadline: .seconds(60), lastState: server.output) {
            server.output.contains("read the tokens again count=2")
        }
        #expect(try desk.run("login", input: new).status.isSuccess)
        let all = String(decoding: try server.folder.read("tokens"), as: UTF8.self)
        try server.folder.writeSecret(String(all.dropFirst(both.count)), to: "tokens")
        server.send(signal: SIGHUP)
        try eventually("one token", deadline: .seconds(60), lastState: server.output) {
            server.output.contains("read the tokens again count=1 file=tokens streams-ended=1")
        }
        #expect(try server.set("answer", "42", token: new) == 201)
        try watch.readUntil("the change", deadline: .seconds(60)) { $0.contains("answer") }
        try watch.write("\u{3}")
        #expect(try watch.waitForExit(deadline: .seconds(60)) == .signaled(SIGINT))
    }
}
