// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The time from a write to the last of many streams that receives it.
struct FanOutMeasurement: BlockingMeasurement {
    let writes: Int
    let streamCounts: [Int]

    private struct Figures {
        let delays: Distribution
        let writesPerSecond: Double
        let clientShare: Double
        let memory: Double
    }

    /// Started again for each number of streams.
    private static let contenders = [
        StreamServer(name: "livery", protocolName: "livery") { try LiveryServerProcess(entries: 3).process },
        StreamServer(name: "redis, pub/sub", protocolName: "redis") { try Redis().process },
        StreamServer(name: "etcd, gRPC watch", protocolName: "etcd-grpc") { try Etcd().process },
        StreamServer(name: "etcd, JSON gateway", protocolName: "etcd-json") { try Etcd().process },
    ]

    func measure() throws -> Section {
        var table = Table(
            "Streams, server",
            "p50, ms",
            "p99, ms",
            "max, ms",
            "writes a second",
            "client's processor, %",
            "memory a stream, kB"
        )
        var goals: [Goal] = []
        for count in streamCounts {
            var figures: [String: Figures] = [:]
            for contender in Self.contenders {
                progress("  \(count.grouped) streams of \(contender.name)")
                do {
                    let result = try measure(contender, streams: count)
                    figures[contender.name] = result
                    table.add(row(result, "\(count.grouped), \(contender.name)"))
                } catch let failure as BenchmarkFailure where contender.name != "livery" {
                    // A peer that does not come this far is a result too.
                    progress("  \(failure)")
                    table.add(["\(count.grouped), \(contender.name)"] + Array(repeating: "–", count: 6))
                }
            }
            if count == 1000 { goals = Self.goals(figures) }
        }
        return Section(
            title: "Fan-out: from a write to the last stream that sends it, 1 ms between writes",
            parts: [table] + goals
        )
    }

    private func measure(_ contender: StreamServer, streams: Int) throws -> Figures {
        let server = try contender.start()
        // With so many streams a write takes long enough that fewer tell as much.
        let writes = streams > 1000 ? max(writes / 5, 20) : writes
        let load = try ServerLoad.run(
            [
                "fan-out", contender.protocolName, "\(server.port)", "\(server.processIdentifier)", "\(streams)",
                "\(writes)",
            ],
            deadline: .seconds(180)
        )
        let delays = try load.distribution("delay")
        let duration = try load.number("duration")
        return Figures(
            delays: delays,
            writesPerSecond: Double(delays.count) / duration * 1_000_000,
            clientShare: try load.number("client") / duration * 100,
            memory: try load.number("memory") / 1000
        )
    }

    private func row(_ figures: Figures, _ name: String) -> [String] {
        [
            name,
            (figures.delays.median / 1000).text(2),
            (figures.delays.percentile(99) / 1000).text(2),
            (figures.delays.maximum / 1000).text(2),
            figures.writesPerSecond.text(0),
            figures.clientShare.text(0),
            figures.memory.text(1),
        ]
    }

    private static func goals(_ figures: [String: Figures]) -> [Goal] {
        guard let livery = figures["livery"] else { return [] }
        var goals: [Goal] = []
        func compare(_ name: String, _ promise: String, before: String, atMost factors: [Double] = [1, 1]) {
            guard let peer = figures[name] else { return }
            let percentiles = [50.0, 99].map { (livery.delays.percentile($0), peer.delays.percentile($0)) }
            func text(_ delays: [Double]) -> String { delays.map { ($0 / 1000).text(2) }.joined(separator: " / ") }
            goals.append(
                Goal(
                    promise: "1,000 streams: \(promise)",
                    before: before,
                    figure: "\(text(percentiles.map(\.0))) to \(text(percentiles.map(\.1)))",
                    isMet: zip(percentiles, factors).allSatisfy { $0.0 <= $0.1 * $1 }
                )
            )
        }
        compare("etcd, gRPC watch", "ahead of etcd's gRPC watch, p50 and p99", before: "7.95 / 14.66 to 10.26 / 18.10")
        compare(
            "redis, pub/sub",
            "p50 no later than redis, p99 at most 1.1 of it",
            before: "7.95 / 14.66 to 7.88 / 11.04",
            atMost: [1, 1.1]
        )
        let promise = "1,000 streams: at most 8 kB of memory a stream"
        goals.append(
            Goal(promise: promise, before: "14.5", figure: livery.memory.text(1), isMet: livery.memory <= 8)
        )
        return goals
    }
}
