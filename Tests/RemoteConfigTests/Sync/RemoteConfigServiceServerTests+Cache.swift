// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

// The cache across restarts, and the state at launch.
extension RemoteConfigServiceServerTests {
    @Test func theCacheHasTheFirstStateAndItsCursor() async throws {
        server.publish { $0["a"] = .integer(1) }
        try await live(cache: cache) { _ in }
        let known = server.cursor
        let offline = ConfigError(.unreachable, "no network")
        server.fail { ($0.opening, $0.reading) = (offline, offline) }
        let service = makeService(cache: cache)
        #expect(service.state.current.snapshot.entries["a"]?.value == .integer(1))
        #expect(service.state.current.snapshot.revision == 1)
        #expect(service.state.current.status.origin == .cache)
        #expect(service.state.current.status.phase == .starting)
        server.fail { ($0.opening, $0.reading) = (nil, nil) }
        server.publish { $0["b"] = .integer(2) }
        #expect(await service.refreshOutcome() == .changed(keys: ["b"]))
        #expect(server.reads.last?.cursor == known)
        #expect(service.state.current.status.origin == .source)
    }

    /// An operator has put an older file of the store back: the history that clients know is lost, its epoch is not.
    @Test(arguments: [1, 3]) func resetStateIsShownAtTheNextStart(publishedSince count: Int) async throws {
        for value in 1...5 { server.publish { $0["a"] = .integer(value) } }
        try await live(cache: cache) { service in
            server.restore(epoch: 1, ["a": .string("restored")])
            server.send(server.head)
            try await shows(service)
            #expect(makeService(cache: cache).state.current.snapshot.cursor == server.cursor)
            for value in 1..<count { server.publish { $0["a"] = .string("\(value)") } }
            try await shows(service)
        }
        let next = makeService(cache: cache).state.current.snapshot
        #expect(next.cursor == server.cursor)
        #expect(next.entries.mapValues(\.value) == server.values)
    }

    /// The current state is already in the cache, at every moment.
    @Test func aStateIsKeptBeforeItIsShown() async throws {
        server.publish { $0["a"] = .integer(0) }
        try await live(cache: cache) { service in
            for value in 1...50 {
                server.publish { $0["a"] = .integer(value) }
                while service.state.current.snapshot.cursor != server.cursor { await Task.yield() }
                #expect(makeService(cache: cache).state.current.snapshot.cursor == server.cursor)
            }
        }
    }
}
