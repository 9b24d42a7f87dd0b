// SPDX-License-Identifier: Apache-2.0

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

    @Test func everyClientEndsAtTheDigestOfTheServers() throws {
        let report = try Fleet(Self.scenario()).run()
        #expect(report.differing == 0)
        #expect(!report.serversDiffer)
        #expect(report.revision > 500)
        // The store was lost for half a minute.
        #expect((25...35).contains(report.phases[4].failedPublishes))
    }

    @Test func aSeedHasOneResult() throws {
        let report = try Fleet(Self.scenario()).run()
        #expect(try Fleet(Self.scenario()).run() == report)
        #expect(try Fleet(Self.scenario(seed: 2)).run() != report)
    }

    @Test("Without random pauses, more clients return in the same second")
    func jitterSpreadsReconnects() throws {
        var scenario = Self.scenario()
        let spread = try Fleet(scenario).run().phases[2].connections
        scenario.hasJitter = false
        #expect(try Fleet(scenario).run().phases[2].connections > spread)
    }
}
