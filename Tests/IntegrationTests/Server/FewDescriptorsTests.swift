// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import LiveryServer

/// A server that may open few files.
@Suite(.timeLimit(.minutes(5)))
struct FewDescriptorsTests {
    @Test(arguments: [
        (20_000, 1 << 20, 2, 20_000), (20_000, 1024, 2, 890), (20_000, 64, 2, 24), (20_000, 64, 64, 24),
        (10, 64, 2, 10),
        (20_000, 1, 2, 1),
    ])
    func connectionsAreLimitedByDescriptors(
        wanted: Int,
        limit: Int,
        processors: Int,
        connections: Int
    ) {
        #expect(OpenFiles.connections(wanted, limit: limit, processors: processors) == connections)
    }

    @Test func acceptingPausesAtTheLimitAndResumes() async throws {
        try await onDedicatedThread {
            let wrapper = ["/bin/sh", "-c", "ulimit -n 64 && exec \"$@\"", "sh"]
            let server = try RunningServer(wrapper: wrapper)
            #expect(server.output.contains("leaves room for 24 connections only, not 20000"), "\(server.output)")
            try fill(server)
            try eventually("there to be room again", deadline: .seconds(60), lastState: server.output) {
                try server.ask("GET", "/health").status == 200
            }
            #expect(server.output.components(separatedBy: "and new ones wait").count == 2)
        }
    }

    /// Opens more connections than there is room for, sees that the server rests, and closes them.
    private func fill(_ server: RunningServer) throws {
        let held = try (0..<200).map { _ in try WireConnection(port: server.port) }
        for connection in held { connection.send(WireClient.request("GET", "/health")) }
        #expect(try held[0].response().status == 200)
        try eventually("the server to take no more", deadline: .seconds(60), lastState: server.output) {
            server.output.contains("and new ones wait")
        }
        // It rests: a loop that asked again and again would have used all of this time.
        let (start, before) = (ContinuousClock.now, try server.usage().processorTime)
        #expect(held[0].isQuiet(for: 3))
        let used = try server.usage().processorTime - before
        #expect(used < (ContinuousClock.now - start) / 4, "\(used)")
    }
}
