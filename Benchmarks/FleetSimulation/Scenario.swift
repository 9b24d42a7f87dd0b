// SPDX-License-Identifier: Apache-2.0

/// An hour of many clients and several servers on one store: who they are, what happens, and what work costs.
package struct Scenario: Sendable {
    /// The seed of the random numbers; the same one gives the same result.
    package var seed: UInt64 = 1
    package var clients = 1_000_000
    package var servers = 20
    package var length = Duration.seconds(3600)
    /// The time over which clients start.
    package var arrival = Duration.seconds(300)
    /// The number of keys of the namespace, each with a text of some 30 bytes.
    package var keys = 1000
    /// The time between two publishes, each of one key.
    package var publishInterval = Duration.seconds(1)
    /// When a server is lost with all its connections, and when it has been started again.
    package var lostServer = Duration.seconds(600)..<(.seconds(900))
    /// When no server reaches the store.
    package var lostStore = Duration.seconds(1500)..<(.seconds(1560))
    /// When the mobile network is slow, and loses connections.
    package var slowNetwork = Duration.seconds(2100)..<(.seconds(2700))
    /// Whether clients wait for random times.
    package var hasJitter = true
    package var shares = Shares()
    package var costs = Costs()
    /// The limit of each server's connections (`--max-connections`).
    package var connections = 80_000

    package init() {}

    /// The parts of all clients, from 0 to 1.
    package struct Shares: Sendable {
        /// Clients whose streams a proxy on their side refuses, so that they poll the server.
        package var polling = 0.01
        /// Clients that poll `GET /{ns}.json` of a server.
        package var documents = 0.0025
        /// Clients that poll it through a cache.
        package var cachedDocuments = 0.005
        /// Those of the clients with streams that are in the mobile network.
        package var mobile = 0.1
        /// Those with a cache of an earlier run.
        package var cached = 0.7
    }

    /// The processor time of a server, as measured with TLS; Documentation/Capacity.md has the origin of the figures.
    package struct Costs: Sendable {
        package var processors = 2
        /// A new connection, with its handshake.
        package var connection = Duration.microseconds(1400)
        /// An answer from memory.
        package var request = Duration.microseconds(20)
        /// The beginning of a stream.
        package var opening = Duration.microseconds(20)
        /// An event for one stream.
        package var event = Duration.microseconds(10)
        package var publish = Duration.microseconds(130)
        /// A commit, at the store.
        package var commit = Duration.milliseconds(5)
        /// The network of a server, in bytes a second.
        package var bandwidth = 125_000_000.0
    }

    /// The time at which a network is slow, or another phase of the hour begins.
    var phases: [Phase] {
        let marks: [(String, Duration)] = [
            ("all clients start", .zero), ("quiet", arrival), ("a server is lost", lostServer.lowerBound),
            ("it is back", lostServer.upperBound), ("the store is lost", lostStore.lowerBound),
            ("it is back", lostStore.upperBound), ("the mobile network is slow", slowNetwork.lowerBound),
            ("it is fast again", slowNetwork.upperBound),
        ]
        return marks.enumerated().map { index, mark in
            let end = index + 1 < marks.count ? marks[index + 1].1 : .seconds(1_000_000)
            return Phase(name: mark.0, start: mark.1, end: end)
        }
    }
}

/// A part of the hour.
struct Phase: Sendable {
    let name: String
    let start: Duration
    let end: Duration
}

/// A network of clients.
enum Network: Int, CaseIterable {
    case fixed, mobile

    /// The time of a packet in one direction.
    func latency(isSlow: Bool) -> Duration {
        switch self {
        case .fixed: .milliseconds(20)
        case .mobile: isSlow ? .milliseconds(750) : .milliseconds(60)
        }
    }

    /// The time to receive bytes.
    func transfer(_ bytes: Int, isSlow: Bool) -> Duration {
        switch self {
        case .fixed: .nanoseconds(bytes * 80)
        case .mobile: .nanoseconds(bytes * (isSlow ? 62_500 : 800))
        }
    }

    /// The mean life of a stream while the network is slow.
    static let slowLife = 120.0
}
