// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import RemoteConfig
import TestSupport
import Testing

/// A real server that is killed again and again while it writes.
@Suite(.timeLimit(.minutes(10)))
struct ServerCrashTests {
    /// Set `LIVERY_SERVER_KILLS=200` for a long run.
    private static let kills = ProcessInfo.processInfo.environment["LIVERY_SERVER_KILLS"].flatMap { Int($0) } ?? 24

    @Test func killedServerLosesNoAcknowledgedWrite() async throws {
        var server = try await onDedicatedThread { try RunningServer.startedForAgain() }
        let (address, port, folder) = (server.address, server.port, server.folder)
        let load = try await WriteLoad(to: address)
        let caches = try TemporaryDirectory(prefix: "caches")
        let clients = (0..<2).map { number in
            let cache = ConfigCache(app: "test", version: "1", folder: caches.path)
            return ObservedClient(of: address, cache: number == 0 ? cache : nil)
        }
        for client in clients { try client.start() }
        let writers = Task { await write(to: load) }
        defer { writers.cancel() }

        var ledger = Ledger()
        var random = SeededGenerator(seed: 200)
        for kill in 1...Self.kills {
            // Most servers are killed while the clients still look for them; every tenth is followed by all.
            if kill.isMultiple(of: 10) { try await clients.follow(load) }
            let count = load.history.count + Int.random(in: 1...8, using: &random)
            try await until("writes are acknowledged") { load.history.count >= count }
            // Any moment will do, also one within a commit.
            try await Task.sleep(for: .microseconds(Int.random(in: 0...5000, using: &random)))
            let old = server
            try await onDedicatedThread { _ = try old.stop(signal: SIGKILL) }
            if kill % 20 == 0 { try await restart(clients[0]) }
            let acknowledged = load.history
            server = try await onDedicatedThread { try RunningServer(port: port, folder: folder) }
            try await ledger.readOn(load)
            #expect(ledger.differences(from: acknowledged) == [], "after kill \(kill)")
            if !ledger.problems.isEmpty { break }
        }
        load.isOver = true
        await writers.value
        try await ledger.readOn(load)
        #expect(ledger.differences(from: load.history, sinceLastTime: false) == [])
        #expect(ledger.problems == [])
        try await clients.check(ledger.history(of: load.history.epoch))
    }

    /// Four writers that go on whatever happens.
    private func write(to load: WriteLoad) async {
        await withTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    var random = SeededGenerator(seed: UInt64(writer))
                    var count = 0
                    while !load.isOver, !Task.isCancelled {
                        count += 1
                        await writeOnce(to: load, .string("\(writer).\(count)"), using: &random)
                    }
                }
            }
        }
    }

    /// A write without an answer may have been made or not, and is not repeated.
    private func writeOnce(to load: WriteLoad, _ value: EntryValue, using random: inout SeededGenerator) async {
        let keys = (0..<30).map { "key.\($0)" }.shuffled(using: &random)
        let isSingle = Bool.random(using: &random)
        do {
            if isSingle {
                try await load.publish(set: [keys[0]: value])
            } else {
                let set = Dictionary(uniqueKeysWithValues: keys.prefix(12).map { ($0, value) })
                try await load.publish(set: set, unset: Set(keys.suffix(3)))
            }
        } catch {
            // The server is down: no need to ask a thousand times until it is back.
            try? await Task.sleep(for: .milliseconds(2))
        }
    }

    private func restart(_ client: ObservedClient) async throws {
        try await client.stop()
        try client.start()
    }
}
