import Foundation
import TestSupport

/// What a store costs: the same server on SQLite, MariaDB and etcd. Where several servers share a store, there are three:
/// one is written to and read from, and the streams are at another.
struct StoresMeasurement: BlockingMeasurement {
    let seconds: Int
    let writes: Int
    let streams: Int

    private struct Contender {
        let name: String
        let start: @Sendable () throws -> SharedStore
    }

    private typealias Figures = (name: String, writes: Double, reads: Double, delays: Distribution)

    private static let contenders = [
        Contender(name: "SQLite, one server") { try SharedStore.sqlite() },
        Contender(name: "MariaDB, three servers") { try SharedStore.mariaDB() },
        Contender(name: "etcd of one member, three servers") { try SharedStore.etcd(members: 1) },
        Contender(name: "etcd of three members, three servers") { try SharedStore.etcd(members: 3) },
    ]

    /// Servers that stand for themselves, whose own messages take the way of a change.
    private static let peers = [
        StreamServer(name: "bare etcd of one member, gRPC watch", protocolName: "etcd-grpc") { try Etcd().process },
        StreamServer(name: "bare redis, pub/sub", protocolName: "redis") { try Redis().process },
    ]

    func measure() throws -> Section {
        let figures = try Self.contenders.map { contender in
            progress("  \(contender.name)")
            return try measure(contender)
        }
        var table = Table("Store", "writes a second", "reads a second", "p50, ms", "p99, ms", "max, ms")
        for figure in figures {
            table.add(
                [figure.name, Int(figure.writes).grouped, Int(figure.reads).grouped] + Self.cells(figure.delays)
            )
        }
        for peer in Self.peers {
            progress("  \(peer.name)")
            let server = try peer.start()
            let delays = try delays(peer.protocolName, streamsAt: server, writesAt: server)
            table.add([peer.name, "", ""] + Self.cells(delays))
        }
        return Section(
            title: "Stores: writes and reads by wrk, and from a write at one server to the last of "
                + "\(streams.grouped) streams at another",
            parts: [table, Self.goal(figures)]
        )
    }

    private func measure(_ contender: Contender) throws -> Figures {
        let store = try contender.start()
        // The database has to outlive the last request, and not only the last mention of its servers.
        defer { withExtendedLifetime(store) {} }
        guard let first = store.servers.first, let last = store.servers.last else {
            throw BenchmarkFailure("\(contender.name) has no server")
        }
        let reads = try Wrk(url: first.url("/v1/default/config"), seconds: seconds).run()
        let puts = try Wrk(url: first.url("/"), script: "write.lua", seconds: seconds).run()
        guard reads.failures + puts.failures == 0 else {
            throw BenchmarkFailure("\(contender.name) refused \(reads.failures) reads and \(puts.failures) writes")
        }
        let delays = try delays("livery", streamsAt: last, writesAt: first)
        return (contender.name, puts.requestsPerSecond, reads.requestsPerSecond, delays)
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

    private static func goal(_ figures: [Figures]) -> Goal {
        let reads = figures.map(\.reads)
        let ratio = (reads.min() ?? 0) / (reads.max() ?? 1)
        let promise = "reads are as quick on every store: slowest / quickest \(ratio.text(2))"
        return Goal(promise: promise, isMet: ratio >= 0.8)
    }
}
