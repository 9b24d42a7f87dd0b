import Foundation
import TestSupport

/// How many writes a second each server acknowledges, each on the disk before that, with 32 connections.
struct WriteMeasurement: BlockingMeasurement {
    let seconds: Int
    let rounds: Int

    private typealias Contender = (name: String, server: ServerProcess, path: String)

    func measure() throws -> Section {
        let database = try MariaDBProcess()
        try database.recreate(rows: 3)
        let livery = try LiveryServerProcess(entries: 3)
        let nodeServer = try NodeServer(database)
        let contenders: [Contender] = [
            ("livery, `PUT`", livery.process, "/"),
            ("livery, `POST /config`", livery.process, "/config"),
            ("Node server, `POST /config`", nodeServer.process, "/config"),
        ]
        var results: [[Double]] = contenders.map { _ in [] }
        for round in 0..<rounds {
            for (index, contender) in contenders.enumerated() {
                progress("  \(contender.name)")
                results[index].append(try measure(contender, round: round))
            }
        }
        return section(contenders.map(\.name), results.map { $0.reduce(0, +) / Double($0.count) })
    }

    private func measure(_ contender: Contender, round: Int) throws -> Double {
        let url = contender.server.url(contender.path)
        let result = try Wrk(url: url, script: "write.lua", argument: "\(round)", seconds: seconds).run()
        guard result.failures == 0 else {
            throw BenchmarkFailure("\(contender.name) was refused \(result.failures) times")
        }
        return result.requestsPerSecond
    }

    private func section(_ names: [String], _ means: [Double]) -> Section {
        var table = Table("Server", "writes a second", "to the Node server")
        let reference = means[means.count - 1]
        for (name, mean) in zip(names, means) { table.add(name, Int(mean).grouped, (mean / reference).text(2)) }
        let promise = "at least as many writes as the Node server, each on the disk"
        return Section(
            title: "Writes a second: wrk, 32 connections",
            parts: [table, Goal(promise: promise, isMet: means.dropLast().allSatisfy { $0 >= reference })]
        )
    }
}
