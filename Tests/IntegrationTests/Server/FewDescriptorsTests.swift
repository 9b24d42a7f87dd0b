// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import LiveryServer

/// A server that may open few files.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct FewDescriptorsTests {
    @Test(arguments: [
        (20_000, 1 << 20, 2, 20_000), (20_000, 1024, 2, 890), (20_000, 64, 2, 18), (20_000, 64, 64, nil),
        (10, 64, 2, 10),
        (20_000, 48, 2, 2), (20_000, 47, 2, nil), (20_000, 20, 1, nil), (20_000, 1, 2, nil),
    ])
    func connectionsAreLimitedByDescriptors(
        wanted: Int,
        limit: Int,
        processors: Int,
        connections: Int?
    ) {
        #expect(OpenFiles.connections(wanted, limit: limit, processors: processors) == connections)
    }

    private static let own = OpenFiles.own(processors: ProcessInfo.processInfo.activeProcessorCount)

    private static func wrapper(_ limit: Int) -> [String] {
        ["/bin/sh", "-c", "ulimit -n \(limit) && exec \"$@\"", "sh"]
    }

    @Test func opensItsStoreAtTheLowestLimit() throws {
        let server = try RunningServer(
            arguments: ["--token-file", "tokens"],
            folder: Self.folder(),
            wrapper: Self.wrapper(Self.own + 2)
        )
        let held = try (0..<10).map { _ in try WireConnection(port: server.port) }
        for connection in held { connection.send(WireClient.request("GET", "/v1/default/history")) }
        server.send(signal: SIGHUP)
        try server.waitForOutput("reloaded the token file")
        #expect(try server.stop() == .exited(0))
        #expect(!server.output.contains("cannot be"), "\(server.output)")
        withExtendedLifetime(held) {}
    }

    private static func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory(prefix: "server")
        _ = try makeToken("ops", role: "admin", in: folder)
        return folder
    }

    @Test(arguments: [20, 25, own + 1]) func refusesToStartBelowTheLowestLimit(limit: Int) throws {
        let words = Self.wrapper(limit) + [try builtProduct(named: "livery-server"), "--address", "127.0.0.1:0"]
        let folder = try TemporaryDirectory(prefix: "server")
        let command = Command(words: words, workingDirectory: folder.path)
        let output = try command.run()
        #expect(output.status == .exited(71))
        let message =
            "livery-server: the open file limit is \(limit), but the server needs at least \(Self.own + 2); "
        #expect(output.standardError.hasPrefix(message), "\(output.standardError)")
    }

    @Test func acceptingPausesAtTheLimitAndResumes() throws {
        let (limit, processors) = (Self.own + 18, ProcessInfo.processInfo.activeProcessorCount)
        let server = try RunningServer(wrapper: Self.wrapper(limit))
        let count = try #require(OpenFiles.connections(20_000, limit: limit, processors: processors))
        #expect(server.output.contains("allows only \(count) of 20000 connections"), "\(server.output)")
        try fill(server)
        try until("there to be room again", lastState: server.output) {
            try server.ask("GET", "/health").status == 200
        }
        #expect(server.output.components(separatedBy: "new connections wait").count == 2)
    }

    /// Opens more connections than there is room for, sees that the server rests, and closes them.
    private func fill(_ server: RunningServer) throws {
        let held = try (0..<200).map { _ in
            let connection = try WireConnection(port: server.port)
            // It is not idle.
            connection.send("GET /health HTTP/1.1\r\n")
            return connection
        }
        try server.waitForOutput("new connections wait")
        // It rests: a loop that asked again and again would have used all of this time.
        let (start, before) = (ContinuousClock.now, try server.usage().processorTime)
        #expect(held[0].isQuiet(for: 3))
        let used = try server.usage().processorTime - before
        #expect(used < (ContinuousClock.now - start) / 4, "\(used)")
    }
}
