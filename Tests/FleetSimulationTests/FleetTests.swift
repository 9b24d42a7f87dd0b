// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import FleetSimulation

@Suite(.timeLimit(.minutes(10)))
struct FleetTests {
    /// Ten minutes of two thousand clients, with all that happens in the hour.
    private static func scenario(seed: UInt64 = 1) -> Scenario {
        var scenario = Scenario()
        (scenario.clients, scenario.servers, scenario.seed, scenario.keys) = (2000, 4, seed, 50)
        (scenario.length, scenario.arrival) = (.seconds(600), .seconds(60))
        scenario.lostServer = .seconds(150)..<(.seconds(200))
        scenario.lostStore = .seconds(250)..<(.seconds(280))
        scenario.slowNetwork = .seconds(330)..<(.seconds(480))
        return scenario
    }

    /// The simulation waits for tasks, which need the threads that tests share.
    private static func report(_ scenario: Scenario) async throws -> FleetReport {
        try await onDedicatedThread { try Fleet(scenario).run() }
    }

    @Test func everyClientEndsAtTheDigestOfTheServers() async throws {
        let report = try await Self.report(Self.scenario())
        #expect(report.differing == 0)
        #expect(!report.serversDiffer)
        #expect(report.revision > 500)
        // The store was lost for half a minute.
        #expect((25...35).contains(report.phases[4].failedPublishes))
    }

    @Test func aSeedHasOneResult() async throws {
        let report = try await Self.report(Self.scenario())
        #expect(try await Self.report(Self.scenario()) == report)
        #expect(try await Self.report(Self.scenario(seed: 2)) != report)
    }

    @Test("Without random pauses, more clients return in the same second")
    func jitterSpreadsReconnects() async throws {
        var scenario = Self.scenario()
        let spread = try await Self.report(scenario).phases[2].connections
        scenario.hasJitter = false
        #expect(try await Self.report(scenario).phases[2].connections > spread)
    }
}
