// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import HTTPTransport
import RemoteConfig
import TestSupport
import Testing

/// Any value, from a request through the wire, a store, changes and a client to its cache, and back after all have started
/// again.
@Suite(.timeLimit(.minutes(5)))
struct ValueJourneyTests {
    @Test func anyValueArrivesAsItIsBySQLite() async throws {
        let folder = try TemporaryDirectory()
        try await travel(through: folder["livery.sqlite"])
    }

    #if MariaDB
        @Test func anyValueArrivesAsItIsByMariaDB() async throws {
            let (database, address) = try await onDedicatedThread {
                let database = try RunningMariaDB()
                return (database, database.address(of: try database.makeDatabase()))
            }
            try await travel(through: address)
            withExtendedLifetime(database) {}
        }
    #endif

    #if Etcd
        @Test func anyValueArrivesAsItIsByEtcd() async throws {
            let etcd = try await onDedicatedThread { try RunningEtcd() }
            try await travel(through: "etcd://\(etcd.places)/livery")
        }
    #endif

    private func travel(through store: String) async throws {
        let folder = try TemporaryDirectory()
        let server = try await onDedicatedThread { try RunningServer(arguments: ["--store", store]) }
        let cache = ConfigCache(app: "test", version: "1", folder: folder["cache"])
        let source = try ServerSource(url: try requireURL(server.address))
        let service = RemoteConfigService(source: source, cache: cache)
        let run = Task { await service.run() }
        let load = try await WriteLoad(to: server.address)

        var values = ValueGenerator(seed: 16)
        var expected: [String: EntryValue] = [:]
        for round in 0..<40 {
            let set = Dictionary(
                (0..<8).map { _ in ("key.\(Int.random(in: 0..<200, using: &values.random))", values.anyValue()) },
                uniquingKeysWith: { $1 }
            ).filter { $0.value != .null }
            let unset = Set(expected.keys.filter { set[$0] == nil }.shuffled(using: &values.random).prefix(round % 3))
            try await load.publish(set: set, unset: unset)
            expected = expected.filter { !unset.contains($0.key) }.merging(set) { $1 }
        }
        let whole = expected
        try await shows(service, whole)

        // Another state, and back to the one before.
        let revision = try #require(load.history.revisions.last)
        try await load.publish(set: ["key.0": ["other": [1]]], unset: Set(whole.keys.prefix(20)).subtracting(["key.0"]))
        try await until("another state is shown") { service.state.current.snapshot.entries.mapValues(\.value) != whole }
        _ = try await load.client.rollback(RollbackRequest(to: revision))
        try await shows(service, whole)
        try await onDedicatedThread { _ = try server.stop() }
        run.cancel()
        await run.value

        // The program starts again without a server, and the server on what it has stored.
        let offline = RemoteConfigService(source: source, cache: cache)
        #expect(offline.state.current.status.origin == .cache)
        try expect(offline.state.current.snapshot, whole)
        let again = try await onDedicatedThread { try RunningServer(arguments: ["--store", store]) }
        let stored = try await WriteLoad(to: again.address).client.snapshot()
        #expect(stored.entries.mapValues { $0 } == whole)
        #expect(stored.digest == ConfigDigest(whole.lazy.map { ($0.key, $0.value) }))
        #expect(stored.digest == offline.state.current.snapshot.digest)
    }

    private func shows(_ service: RemoteConfigService, _ expected: [String: EntryValue]) async throws {
        try await until("the state is shown") { service.state.current.snapshot.entries.mapValues(\.value) == expected }
        try expect(service.state.current.snapshot, expected)
    }

    private func expect(_ snapshot: EntrySnapshot, _ expected: [String: EntryValue]) throws {
        #expect(snapshot.entries.mapValues(\.value) == expected)
        for (key, value) in expected {
            #expect(snapshot.entries[key]?.value.canonicalJSON == value.canonicalJSON)
        }
    }
}
