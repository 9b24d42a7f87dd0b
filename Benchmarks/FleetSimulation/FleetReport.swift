// SPDX-License-Identifier: Apache-2.0

/// The result of a simulation.
package struct FleetReport: Hashable, Sendable {
    /// A phase of the hour.
    package struct PhaseRow: Hashable, Sendable {
        package let name: String
        /// The beginning, in seconds.
        package let start: Int
        /// The times from a commit to a client with a stream, in ms: half of them, 99 of 100, and the longest.
        package let median, p99, longest: Int
        /// The longest time from a commit to a client that polls, in ms.
        package let longestPoll: Int
        /// The most new connections in a second: of all servers, and of one.
        package let connections, connectionsOfOne: Int
        /// The most of one server in a second.
        package let requestsOfOne, bytesOfOne: Int
        /// The largest share of a server's time in a second, in percent: of more than 100, something waits.
        package let busiest: Int
        /// Requests without an answer, answers 503, reads of the whole state, and publishes that failed.
        package let failures, refusals, wholeReads, failedPublishes: Int
    }

    /// A server, over the hour.
    package struct ServerRow: Hashable, Sendable {
        package let number: Int
        /// The connections: the most, and those at the end.
        package let connections, connectionsAtEnd: Int
        /// The connections and requests of the hour, and the bytes.
        package let opened, requests, bytes: Int
        /// The share of its time, in percent.
        package let busy: Double
        /// The most in a second.
        package let mostOpened, mostRequests, mostBytes: Int
    }

    package let clients: Int
    package let phases: [PhaseRow]
    package let servers: [ServerRow]
    /// The clients whose digest is not that of the servers at the end.
    package let differing: Int
    /// Whether the servers themselves have different digests.
    package let serversDiffer: Bool
    package let revision: UInt64
    package let digest: String
}

extension FleetReport {
    init(
        scenario: Scenario,
        figures: [PhaseFigures],
        servers: [SimulatedServer],
        differing: Int,
        revision: UInt64,
        digests: [String]
    ) {
        clients = scenario.clients
        (self.differing, self.revision) = (differing, revision)
        (serversDiffer, digest) = (Set(digests).count > 1, digests.first ?? "")
        phases = scenario.phases.enumerated().map { index, phase in
            let figures = figures[index]
            let most = servers.map { $0.load.most[index] }
            func largest(_ value: (ServerLoad.Second) -> Int) -> Int { most.map(value).max() ?? 0 }
            return PhaseRow(
                name: phase.name,
                start: Int(phase.start.components.seconds),
                median: figures.streams.percentile(50),
                p99: figures.streams.percentile(99),
                longest: Int(figures.streams.longest / .milliseconds(1)),
                longestPoll: Int(figures.polls.longest / .milliseconds(1)),
                connections: figures.connections,
                connectionsOfOne: largest(\.connections),
                requestsOfOne: largest(\.requests),
                bytesOfOne: largest(\.bytes),
                busiest: largest { Int($0.busy / .seconds(1) * 100) },
                failures: figures.failures,
                refusals: figures.refusals,
                wholeReads: figures.wholeReads,
                failedPublishes: figures.failedPublishes
            )
        }
        self.servers = servers.map { server in
            let (load, total) = (server.load, server.load.total)
            return ServerRow(
                number: server.number + 1,
                connections: load.mostConnected,
                connectionsAtEnd: server.connections,
                opened: total.connections,
                requests: total.requests,
                bytes: total.bytes,
                busy: total.busy / scenario.length * 100,
                mostOpened: load.most.map(\.connections).max() ?? 0,
                mostRequests: load.most.map(\.requests).max() ?? 0,
                mostBytes: load.most.map(\.bytes).max() ?? 0
            )
        }
    }
}
