// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The cost of a store: the same server on SQLite, MariaDB and etcd. Stores that several servers share are measured with three:
/// one serves writes and reads, and another one the streams.
struct StoresMeasurement: BlockingMeasurement {
    let seconds: Int
    let writes: Int
    let streams: Int

    private struct Contender {
        let name: String
        /// The goal for writes per second.
        var leastWrites: Double?
        /// The number of writes per second by 32 writers when the goal was set.
        var writesBefore = "–"
        let start: @Sendable () throws -> SharedStore
    }

    private typealias Figures = (contender: Contender, writes: [Double], reads: Double, delays: Distribution)

    private static let contenders = [
        Contender(name: "SQLite, one server") { try SharedStore.sqlite() },
        Contender(name: "MariaDB, three servers", leastWrites: 5000, writesBefore: "589 / –") {
            try SharedStore.mariaDB()
        },
        Contender(name: "etcd of one member, three servers", leastWrites: 8000, writesBefore: "1,187 / –") {
            try SharedStore.etcd(members: 1)
        },
        Contender(name: "etcd of three members, three servers") { try SharedStore.etcd(members: 3) },
    ]

    /// Servers without a shared store, whose own messages are measured the same way.
    private static let peers = [
        StreamServer(name: bareEtcd, protocolName: "etcd-grpc") { try Etcd().process },
        StreamServer(name: "bare redis, pub/sub", protocolName: "redis") { try Redis().process },
    ]

    private static let bareEtcd = "bare etcd of one member, gRPC watch"

    func measure() throws -> Section {
        let reads = try reads()
        let figures = try zip(Self.contenders, reads).map { contender, reads in
            progress("  \(contender.name)")
            return try measure(contender, reads: reads)
        }
        var table = Table(
            "Store",
            "32 writers, writes a second",
            "256 writers",
            "reads a second",
            "p50, ms",
            "p99, ms",
            "max, ms"
        )
        for figure in figures {
            let rates = (figure.writes + [figure.reads]).map { Int($0).grouped }
            table.add([figure.contender.name] + rates + Self.cells(figure.delays))
        }
        var peerDelays: [String: Distribution] = [:]
        for peer in Self.peers {
            progress("  \(peer.name)")
            let server = try peer.start()
            let delays = try delays(peer.protocolName, streamsAt: server, writesAt: server)
            peerDelays[peer.name] = delays
            table.add([peer.name, "", "", ""] + Self.cells(delays))
        }
        return Section(
            title: "Stores: writes and reads by wrk, and from a write at one server to the last of "
                + "\(streams.grouped) streams at another",
            parts: [table] + Self.goals(figures, bareEtcd: peerDelays[Self.bareEtcd])
        )
    }

    /// The reads a second that each store's servers answer: all of them run at the same time, and are read from in turns, so
    /// that neither the order nor a moment of load is taken for the store's. The first turn does not count.
    private func reads() throws -> [Double] {
        progress("  reads, in turns")
        let stores = try Self.contenders.map { try $0.start() }
        defer { withExtendedLifetime(stores) {} }
        let turns = try (0...Self.readTurns).map { _ in
            try stores.map { store in
                guard let server = store.servers.first else { throw BenchmarkFailure("a store has no server") }
                let url = server.url("/v1/default/config")
                let result = try Wrk(url: url, seconds: max(1, seconds / Self.readTurns)).run()
                guard result.failures == 0 else { throw BenchmarkFailure("reads were refused: \(result.failures)") }
                return result.requestsPerSecond
            }
        }
        return stores.indices.map { index in Distribution(turns.dropFirst().map { $0[index] }).median }
    }

    private static let readTurns = 5

    private func measure(_ contender: Contender, reads: Double) throws -> Figures {
        let store = try contender.start()
        // The database has to outlive the last request, and not only the last mention of its servers.
        defer { withExtendedLifetime(store) {} }
        guard let first = store.servers.first, let last = store.servers.last else {
            throw BenchmarkFailure("\(contender.name) has no server")
        }
        let puts = try WriteMeasurement.writers.map { writers in
            let (url, name) = (first.url("/"), "\(writers)")
            return try Wrk(url: url, kind: "write", argument: name, connections: writers, seconds: seconds).run()
        }
        let failures = puts.map(\.failures).reduce(0, +)
        guard failures == 0 else { throw BenchmarkFailure("\(contender.name) refused \(failures) requests") }
        let delays = try delays("livery", streamsAt: last, writesAt: first)
        return (contender, puts.map(\.requestsPerSecond), reads, delays)
    }

    private func delays(
        _ protocolName: String,
        streamsAt server: ServerProcess,
        writesAt writer: ServerProcess
    ) throws -> Distribution {
        let load = try ServerLoad.run(
            [
                "fan-out", protocolName, "\(server.port)", "\(server.processIdentifier)", "\(streams)", "\(writes)",
                "\(writer.port)",
            ],
            deadline: .seconds(180)
        )
        return try load.distribution("delay")
    }

    private static func cells(_ delays: Distribution) -> [String] {
        [delays.median, delays.percentile(99), delays.maximum].map { ($0 / 1000).text(2) }
    }

    private static func goals(_ figures: [Figures], bareEtcd: Distribution?) -> [Goal] {
        let reads = figures.map(\.reads)
        let ratio = (reads.min() ?? 0) / (reads.max() ?? 1)
        let promise = "reads are as quick on every store: slowest / quickest at least 0.8"
        var goals = [Goal(promise: promise, figure: ratio.text(2), isMet: ratio >= 0.8)]
        for figure in figures {
            guard let least = figure.contender.leastWrites else { continue }
            let promise = "at least \(Int(least).grouped) writes a second, 32 and 256 writers"
            goals.append(
                Goal(
                    promise: "\(figure.contender.name): \(promise)",
                    before: figure.contender.writesBefore,
                    figure: figure.writes.map { Int($0).grouped }.joined(separator: " / "),
                    isMet: figure.writes.allSatisfy { $0 >= least }
                )
            )
        }
        // In milliseconds.
        let mariaDB = figures[1].delays
        goals.append(
            Goal(
                promise: "MariaDB, three servers: at most 30 ms to the last of 1,000 streams at p50, 60 ms at p99",
                before: "56.98 / 96.15",
                figure: cells(mariaDB).prefix(2).joined(separator: " / "),
                isMet: mariaDB.isWithin(p50: 30, p99: 60)
            )
        )
        if let bareEtcd {
            let (p50, p99) = (bareEtcd.median / 1000, bareEtcd.percentile(99) / 1000)
            let etcd = figures[2].delays
            let (ours, theirs) = (cells(etcd), cells(bareEtcd))
            goals.append(
                Goal(
                    promise: "etcd of one member, three servers: no later than bare etcd, p50 and p99",
                    before: "41.30 / 80.18 to 29.89 / 54.96",
                    figure: "\(ours[0]) / \(ours[1]) to \(theirs[0]) / \(theirs[1])",
                    isMet: etcd.isWithin(p50: p50, p99: p99)
                )
            )
        }
        return goals
    }
}

extension Distribution {
    /// Whether delays in microseconds are at most so many milliseconds.
    fileprivate func isWithin(p50: Double, p99: Double) -> Bool {
        median <= p50 * 1000 && percentile(99) <= p99 * 1000
    }
}
