// SPDX-License-Identifier: Apache-2.0

#if MariaDB
    import ConfigModel
    import ConfigStore
    import MariaDBStore
    import ServiceLifecycle
    import StoreTestSupport
    import TestSupport
    import Testing

    @testable import ConfigServer

    @Suite(.mariaDB, .timeLimit(.minutes(5)))
    struct ReplicaHintTests {
        private static let nowhere = HostAndPort(host: "127.0.0.1", port: 0)

        /// Both look by themselves once an hour only.
        @Test func hintsAnnounceCommitsToOtherServers() async throws {
            let place = try await MariaDBPlace()
            var options = MariaDBStore.Options()
            options.pollInterval = .seconds(3600)
            try await withHub(try place.store(options)) { second in
                try await Self.withHints(second, to: []) { address in
                    try await withHub(try place.store(options)) { first in
                        try await Self.withHints(first, to: [address]) { _ in
                            for number in 1...5 {
                                // Its first look may be under way yet, as a datagram may be lost: the next one tells.
                                try await first.edit(["key": .integer(number)])
                            }
                            try await eventually("the other server has all", deadline: .seconds(60)) {
                                _ = try await first.edit(["again": .integer(Int.random(in: 0..<1_000_000))])
                                return try second.values()["key"] == .integer(5)
                            }
                        }
                    }
                }
            }
        }

        @Test(arguments: [
            "", "livery", "livery ", "livery x:1", "livery 00c0ffee00c0ffee:-1", "hello", "livery 00c0ffee00c0ffee:1 ",
            "livery 00c0ffee00c0ffee:99999999999999999999", String(repeating: "livery ", count: 9000),
        ])
        func invalidHintsAreIgnored(_ text: String) {
            #expect(Hint.cursor(in: Array(text.utf8)) == nil)
        }

        @Test func hintsNameTheRevision() {
            let cursor = Cursor(epoch: Epoch.random(), revision: 9_007_199_254_740_991)
            #expect(Hint.cursor(in: Hint.bytes(cursor)) == cursor)
        }

        /// Runs the hints of a hub for as long as the body takes.
        private static func withHints(
            _ hub: ConfigHub,
            to peers: [HostAndPort],
            _ body: (HostAndPort) async throws -> Void
        ) async throws {
            let (addresses, found) = AsyncStream.makeStream(of: HostAndPort.self)
            let settings = ReplicaHints.Settings(address: nowhere, peers: peers)
            let hints = ReplicaHints(hub: hub, settings: settings, logger: .quiet) { found.yield($0) }
            let group = ServiceGroup(services: [hints], logger: .quiet)
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                tasks.addTask { try await group.run() }
                var iterator = addresses.makeAsyncIterator()
                try await body(try #require(await iterator.next()))
                await group.triggerGracefulShutdown()
                try await tasks.waitForAll()
            }
        }
    }
#endif
