// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The number of acknowledged writes per second, each on the disk before, with few and with many connections.
struct WriteMeasurement: BlockingMeasurement {
    let seconds: Int
    let rounds: Int

    private typealias Contender = (name: String, server: ServerProcess, path: String)

    /// The numbers of concurrent writers.
    static let writers = [32, 256]

    func measure() throws -> Section {
        let database = try RunningMariaDB.withDefaults()
        try database.recreate(rows: 3)
        let nodeServer = try NodeServer(database)
        let contenders: [Contender] = [
            ("livery, `PUT`", try LiveryServerProcess(entries: 3).process, "/"),
            ("livery, `PUT` beside 100,000 keys", try LiveryServerProcess(entries: 100_000).process, "/"),
            ("livery, `POST /config`", try LiveryServerProcess(entries: 3).process, "/config"),
            ("Node server, `POST /config`", nodeServer.process, "/config"),
        ]
        var results: [[[Double]]] = contenders.map { _ in Self.writers.map { _ in [] } }
        for round in 0..<rounds {
            for (index, contender) in contenders.enumerated() {
                progress("  \(contender.name)")
                for (column, writers) in Self.writers.enumerated() {
                    results[index][column].append(try measure(contender, writers: writers, round: round))
                }
            }
        }
        return section(contenders.map(\.name), results.map { $0.map { $0.reduce(0, +) / Double($0.count) } })
    }

    private func measure(_ contender: Contender, writers: Int, round: Int) throws -> Double {
        let (url, name) = (contender.server.url(contender.path), "\(round).\(writers)")
        let load = Wrk(url: url, kind: "write", argument: name, connections: writers, seconds: seconds)
        let result = try load.run()
        guard result.failures == 0 else {
            throw BenchmarkFailure("\(contender.name) was refused \(result.failures) times")
        }
        return result.requestsPerSecond
    }

    private func section(_ names: [String], _ means: [[Double]]) -> Section {
        var table = Table(
            "Server",
            "32 writers, writes a second",
            "to the Node server",
            "256 writers",
            "to the Node server"
        )
        let reference = means[means.count - 1]
        for (name, means) in zip(names, means) {
            let cells = zip(means, reference).flatMap { [Int($0).grouped, ($0 / $1).text(2)] }
            table.add([name] + cells)
        }
        let isAhead = means.dropLast().allSatisfy { zip($0, reference).allSatisfy { $0 >= $1 } }
        let beside = zip(means[1], means[0]).map { $0 / $1 }.min() ?? 0
        return Section(
            title: "Writes a second: wrk, 32 and 256 connections",
            parts: [
                table,
                Goal(promise: "at least as many writes as the Node server, each on the disk", isMet: isAhead),
                Goal(
                    promise: "writes are as quick beside 100,000 keys: at least 0.7 of those beside 3",
                    figure: beside.text(2),
                    isMet: beside >= 0.7
                ),
                Goal(
                    promise: "SQLite, `PUT`: at least 15,000 a second, 32 and 256 writers",
                    before: "7,896 / –",
                    figure: means[0].map { Int($0).grouped }.joined(separator: " / "),
                    isMet: means[0].allSatisfy { $0 >= 15_000 }
                ),
            ]
        )
    }
}
