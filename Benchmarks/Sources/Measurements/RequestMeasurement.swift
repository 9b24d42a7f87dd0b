// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The number of reads per second that each server answers, with 32 connections.
struct RequestMeasurement: BlockingMeasurement {
    let seconds: Int
    /// The number of measurements of each, in turns, so that a moment of load affects all.
    let rounds: Int

    /// One kind of request, and its servers.
    private struct Row {
        let name: String
        let livery: Load
        var nginx: Load?
        var nodeServer: Load?
        /// The goal, as a minimum ratio.
        var toNginx: Double?
        var toNodeServer: Double?
    }

    private struct Load {
        let url: String
        var headers: [String] = []
    }

    private struct Figures {
        let name: String
        let livery: Double
        let nginx: Double?
        let nodeServer: Double?
        let row: Row
    }

    func measure() throws -> Section {
        let database = try RunningMariaDB.withDefaults()
        var figures: [Figures] = []
        var memory = Table("Server, after that load on 3 keys", "peak resident memory, MiB")
        for count in [3, 1000, 100_000] {
            progress("  \(count.grouped) keys")
            try database.recreate(rows: count)
            let livery = try LiveryServerProcess(entries: count)
            let nodeServer = try NodeServer(database)
            let body = try HTTPCall(port: livery.process.port, "/v1/default/config").body()
            let nginx = try Nginx(files: ["config.json": body])
            let rows = try rows(count, livery, nodeServer.process, nginx.process)
            for row in rows { figures.append(try measure(row)) }
            guard count == 3 else { continue }
            memory.add("livery-server", try livery.process.usage().mebibytes)
            memory.add("Node server", try nodeServer.process.usage().mebibytes)
            memory.add("its MariaDB", try database.usage().mebibytes)
        }
        return Section(title: "Reads a second: wrk, 32 connections", parts: parts(figures) + [memory])
    }

    private func rows(
        _ count: Int,
        _ livery: LiveryServerProcess,
        _ nodeServer: ServerProcess,
        _ nginx: ServerProcess
    ) throws -> [Row] {
        let keys = "\(count.grouped) keys"
        let server = livery.process
        let delta = Row(
            name: "empty delta, \(keys)",
            livery: Load(url: server.url(try livery.emptyDelta())),
            nodeServer: Load(url: nodeServer.url("/config/2038-01-01T00:00:00.000Z")),
            toNodeServer: 10
        )
        guard count <= 1000 else { return [delta] }
        let tags = try [
            HTTPCall(port: server.port, "/v1/default/config"), HTTPCall(port: nginx.port, "/config.json"),
            HTTPCall(port: nodeServer.port, "/config"),
        ].map { ["If-None-Match: \(try $0.field("etag"))"] }
        let list = Load(url: nodeServer.url("/config"))
        return [
            Row(
                name: "everything, \(keys)",
                livery: Load(url: server.url("/v1/default/config")),
                nginx: Load(url: nginx.url("/config.json")),
                nodeServer: list,
                toNginx: count == 3 ? 0.85 : nil,
                toNodeServer: count == 3 ? 10 : 100
            ),
            Row(
                name: "not modified (304), \(keys)",
                livery: Load(url: server.url("/v1/default/config"), headers: tags[0]),
                nginx: Load(url: nginx.url("/config.json"), headers: tags[1]),
                nodeServer: Load(url: list.url, headers: tags[2])
            ),
            delta,
            Row(name: "`GET /config`, \(keys)", livery: Load(url: server.url("/config")), nodeServer: list),
        ]
    }

    private func measure(_ row: Row) throws -> Figures {
        let loads = [row.livery, row.nginx, row.nodeServer]
        var results: [[Double]] = loads.map { _ in [] }
        for _ in 0..<rounds {
            for (index, load) in loads.enumerated() {
                guard let load else { continue }
                let result = try Wrk(url: load.url, headers: load.headers, seconds: seconds).run()
                guard result.failures == 0 else {
                    throw BenchmarkFailure("\(load.url) was answered with errors \(result.failures) times")
                }
                results[index].append(result.requestsPerSecond)
            }
        }
        let means = results.map { $0.isEmpty ? nil : $0.reduce(0, +) / Double($0.count) }
        return Figures(name: row.name, livery: means[0] ?? 0, nginx: means[1], nodeServer: means[2], row: row)
    }

    private func parts(_ figures: [Figures]) -> [any CustomStringConvertible & Sendable] {
        var table = Table("Request", "livery", "nginx", "Node server", "livery / nginx", "livery / Node server")
        var goals: [any CustomStringConvertible & Sendable] = []
        for figure in figures {
            let toNginx = figure.nginx.map { figure.livery / $0 }
            let toNodeServer = figure.nodeServer.map { figure.livery / $0 }
            table.add(
                figure.name,
                Int(figure.livery).grouped,
                figure.nginx.map { Int($0).grouped } ?? "",
                figure.nodeServer.map { Int($0).grouped } ?? "",
                toNginx?.text(2) ?? "",
                toNodeServer?.text(1) ?? ""
            )
            if let ratio = toNginx, let least = figure.row.toNginx {
                let promise = "\(figure.name): at least \(least) of nginx"
                goals.append(Goal(promise: promise, before: "0.60", figure: ratio.text(2), isMet: ratio >= least))
            }
            if let ratio = toNodeServer, let least = figure.row.toNodeServer {
                let promise = "\(figure.name): at least \(Int(least)) times the Node server"
                goals.append(Goal(promise: promise, figure: ratio.text(0), isMet: ratio >= least))
            }
        }
        goals.append(flatness(figures))
        return [table] + goals
    }

    /// Whether the empty delta costs the same with many keys as with few.
    private func flatness(_ figures: [Figures]) -> Goal {
        let deltas = figures.filter { $0.name.hasPrefix("empty delta") }.map(\.livery)
        let ratio = (deltas.min() ?? 0) / (deltas.max() ?? 1)
        let promise = "the empty delta is as quick with 100,000 keys as with 3: slowest / quickest at least 0.8"
        return Goal(promise: promise, figure: ratio.text(2), isMet: ratio >= 0.8)
    }
}

extension ProcessUsage {
    /// The peak of the memory.
    var mebibytes: String { peakMemory.map { (Double($0) / 1_048_576).text(1) } ?? "unknown" }
}
