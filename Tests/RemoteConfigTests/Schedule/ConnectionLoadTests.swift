// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import RemoteConfig

/// The load of many programs, or of one over a long time, on a server.
struct ConnectionLoadTests {
    private static let nonsense = ConfigError(.badResponse, "a page")

    /// The maximum number of events within any one second.
    private func crowd(_ times: [Duration]) -> Int {
        times.map { start in times.count { $0 >= start && $0 < start + .seconds(1) } }.max() ?? 0
    }

    private func span(_ times: [Duration]) -> Duration { (times.max() ?? .zero) - (times.min() ?? .zero) }

    @Test func lostStreamsDoNotSynchronizePolls() {
        let fleet = SimulatedClient.fleet { client in
            client.happens(.started)
            client.run(for: .seconds(100))
            client.opening = .fails(Self.nonsense)
            client.cut()
            client.run(for: .seconds(300))
        }
        for round in 0..<5 {
            let polls = fleet.map { $0.reads.filter { $0 > .seconds(100) }[round] }
            #expect(crowd(polls) <= 8, "of 40 in a second")
            #expect(span(polls) > .seconds(20))
        }
    }

    @Test func programsThatAreStartedTogetherDoNotStayTogether() {
        let fleet = SimulatedClient.fleet(hasStream: false) { client in
            client.happens(.started)
            client.run(for: .seconds(900))
        }
        let tenth = fleet.map { $0.reads[10] }
        #expect(crowd(tenth) <= 14)
        #expect(fleet.allSatisfy { $0.reads[10] >= .seconds(300) }, "later, and never earlier")
        #expect(fleet.allSatisfy { $0.reads[10] <= .seconds(360) })
    }

    @Test(arguments: [true, false]) func clientsReturnSpreadAfterRetryAfter(hasStream: Bool) {
        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(20)
        let fleet = SimulatedClient.fleet(hasStream: hasStream) { client in
            (client.reading, client.opening) = (.failure(busy), .fails(busy))
            client.happens(.started)
            client.run(for: .seconds(40))
        }
        let returns = fleet.map { min($0.reads[1], $0.openings.dropFirst().first ?? $0.reads[1]) }
        #expect(returns.allSatisfy { $0 >= .seconds(20) })
        #expect(span(returns) > .seconds(5))
        #expect(crowd(returns) <= 16)
    }

    @Test(arguments: [
        (Self.nonsense, 300), (ConfigError(.syntax, "no JSON"), 300), (ConfigError(.unavailable, "500"), 300),
        (ConfigError(.notFound, "404"), 300), (ConfigError(.syntax, "no JSON"), 5), (Self.nonsense, nil),
    ])
    func failingDocumentIsNotPolledMoreOften(error: ConfigError, seconds: Int?) {
        for wasGood in [true, false] {
            var error = error
            let interval = seconds.map { Duration.seconds($0) }
            error.freshFor = wasGood ? nil : interval
            var client = SimulatedClient(hasStream: false, seed: 1)
            if wasGood { client.reading = .success(interval) } else { client.reading = .failure(error) }
            client.happens(.started)
            client.reading = .failure(error)
            client.run(for: .seconds(7200))
            let gaps = zip(client.reads, client.reads.dropFirst()).map { $1 - $0 }
            #expect(gaps.count > 10)
            #expect(gaps.allSatisfy { $0 >= interval ?? .seconds(30) })
        }
    }

    /// A reset each 10 ms, for a minute.
    @Test func resetsDoNotCauseAReadEach() {
        var client = SimulatedClient(seed: 2)
        client.happens(.started)
        client.run(for: .seconds(5))
        let before = client.reads.count
        for _ in 0..<6000 {
            client.run(for: .milliseconds(10))
            client.happens(.readNeeded)
        }
        #expect((3...25).contains(client.reads.count - before))
        #expect(client.connection.phase == .polling)
        client.run(for: .seconds(60))
        #expect(client.connection.phase == .streaming, "after a minute of peace")
        #expect(client.connection.problem == nil)
    }

    @Test func aStreamThatAlwaysContradictsIsNotLive() {
        var client = SimulatedClient(seed: 2)
        client.isContradicted = true
        client.happens(.started)
        client.run(for: .seconds(3600))
        #expect((60...200).contains(client.reads.count), "every 30 s on average, in an hour")
        #expect(client.connection.phase == .polling)
        #expect(client.connection.problem?.message.contains("repeated inconsistencies") == true)
        #expect((client.connection.nextAttempt ?? client.now + .seconds(1)) > client.now)
    }
}
