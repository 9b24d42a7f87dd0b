// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TestSupport
import Testing

/// A laptop that sleeps for ten minutes. The calendar of this machine cannot be moved without its owner's rights, so
/// the client lives by a clock of the test's, and all else is real: the server, the sockets, and a stream that has died
/// without a word.
@Suite(.timeLimit(.minutes(5)))
struct SleepTests {
    @Test func afterASleepOfTenMinutesTheClientIsUpToDateAtOnce() async throws {
        let server = try await onDedicatedThread { try RunningServer() }
        let load = try await WriteLoad(to: server.address)
        let proxy = try FaultyProxy(before: server.port, seed: 1, oneOf: 1)
        proxy.behave()
        let clock = LeapingClock()
        let client = ObservedClient(of: "http://127.0.0.1:\(proxy.port)", clock: clock)
        try client.start()
        for nap in 1...5 {
            try await load.publish(set: ["awake": .integer(nap)])
            try await shows(client, load)

            let fetches = client.current?.status.statistics.fetches
            let requests = proxy.requestCount
            proxy.abandonStreams()
            try await load.publish(set: ["asleep": .integer(nap)])
            // What was being read already is another way to learn of it.
            let current = try #require(client.current)
            let isKnown = current.snapshot.entries["asleep"]?.value == .integer(nap)
            #expect(!isKnown || current.status.statistics.fetches != fetches, "it cannot know yet")
            clock.leap(by: .seconds(600))
            // Well before it would find the stream silent.
            try await eventually("it does not trust the old stream", deadline: .seconds(15)) { () async in
                proxy.requestCount > requests
            }
            try await shows(client, load)
        }
        try await load.publish(set: ["awake": .integer(6)])
        try await shows(client, load)
        try await client.stop()
        #expect(LosslessOracle(load.history).violations(in: client.observations) == [])
    }

    private func shows(_ client: ObservedClient, _ load: WriteLoad) async throws {
        let last = load.history.revisions.last
        func state() -> String {
            "the server: \(String(describing: last)); the client: \(String(describing: client.current?.status)), "
                + String(describing: client.current?.snapshot.cursor)
        }
        try await eventually("it is live and shows all", lastState: state(), deadline: .seconds(100)) { () async in
            client.current?.status.phase == .live && client.current?.snapshot.cursor?.revision == last
        }
    }
}
