// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The number of evaluations per second for clients of OpenFeature's protocol, with 32 connections, and the time that a reader
/// waits beside them.
struct EvaluationMeasurement: BlockingMeasurement {
    let seconds: Int
    let rounds: Int

    private static let flags = 100

    /// A kind of request, and how often a second it was answered.
    private struct Row {
        let name: String
        let wrk: Wrk
        var rates: [Double] = []

        var mean: Double { rates.reduce(0, +) / Double(rates.count) }
    }

    func measure() throws -> Section {
        let livery = try LiveryServerProcess(entries: 0)
        let (server, path) = (livery.process, "/ofrep/v1/evaluate/flags")
        try publishRules(server.port, to: "default") { _ in RuleMeasurement.rule }
        try publishRules(server.port, to: "unlike") { key in
            RuleMeasurement.rule.replacing("10],[\"pink\",90", with: "\(key)],[\"pink\",\(Self.flags - key)")
        }
        let nginx = try Nginx(files: [
            "flag.json": try answer(server.port, path + "/group.key_0"),
            "flags.json": try answer(server.port, path),
        ])
        var rows = [
            Row(name: "livery, one flag", wrk: evaluation(server, path + "/group.key_0")),
            Row(name: "livery, all \(Self.flags) flags", wrk: evaluation(server, path)),
            Row(
                name: "livery, `GET /v1/default/config`",
                wrk: Wrk(url: server.url("/v1/default/config"), seconds: seconds)
            ),
            Row(
                name: "nginx, the answer of one flag",
                wrk: Wrk(url: nginx.process.url("/flag.json"), seconds: seconds)
            ),
            Row(name: "nginx, the answer of all", wrk: Wrk(url: nginx.process.url("/flags.json"), seconds: seconds)),
            Row(
                name: "livery, all \(Self.flags) flags, no two rules alike",
                wrk: evaluation(server, "/ns/unlike" + path)
            ),
        ]
        for _ in 0..<rounds {
            for index in rows.indices {
                let result = try rows[index].wrk.run()
                guard result.failures == 0 else {
                    throw BenchmarkFailure("\(rows[index].name): \(result.failures) answers were errors")
                }
                rows[index].rates.append(result.requestsPerSecond)
            }
        }
        let title = "OpenFeature's protocol: wrk, 32 connections"
        let parts: [Section.Part] = [table(rows)] + goals(rows)
        return Section(title: title, parts: parts + (try waits(for: server, path)))
    }

    /// How long a reader waits beside 16 connections, of which each evaluates one flag after another.
    private func waits(for server: ServerProcess, _ path: String) throws -> [Section.Part] {
        let conditions = (0..<270).map { #"{"!=":[{"var":"email"},"\#($0)"]}"# }.joined(separator: ",")
        let slow = #"{"variants":{"a":1,"b":2},"defaultVariant":"b","targeting":{"if":[{"and":[\#(conditions)]},"a"]}}"#
        try send(server.port, "PATCH", "/v1/default/entries", "{\"rules\":{\"slow\":\(slow)}}")
        let short = try wait(for: server, beside: path + "/group.key_0")
        let long = try wait(for: server, beside: path + "/slow")
        var table = Table("A reader, one connection, beside 16 that evaluate", "p99, ms")
        table.add("rules of some 15 steps", short.text(2))
        table.add("rules of some 800 steps", long.text(2))
        let promise = "rules of 800 steps from 16 connections: a reader's p99 at most 1.3 ms"
        return [table, Goal(promise: promise, before: "2.0", figure: long.text(2), isMet: long <= 1.3)]
    }

    /// - Returns: the reader's p99, in milliseconds.
    private func wait(for server: ServerProcess, beside path: String) throws -> Double {
        let reader = Wrk(url: server.url("/v1/default/config"), connections: 1, seconds: seconds * 2)
        let url = server.url("/")
        let load = Wrk(url: url, kind: "evaluate", argument: path, connections: 16, seconds: seconds * 2 + 1)
        let ended = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            _ = try? load.run()
            ended.signal()
        }
        defer { ended.wait() }
        return try reader.run().p99
    }

    private func table(_ rows: [Row]) -> Table {
        var table = Table("Request, each for another user", "a second", "to the same by nginx", "evaluations a second")
        let peers = [0: 3, 1: 4, 5: 4]
        for (index, row) in rows.enumerated() {
            let ratio = peers[index].map { (row.mean / rows[$0].mean).text(2) } ?? ""
            let evaluations = peers[index].map { _ in Int(row.mean * (index == 0 ? 1 : Double(Self.flags))).grouped }
            table.add(row.name, Int(row.mean).grouped, ratio, evaluations ?? "")
        }
        return table
    }

    private func goals(_ rows: [Row]) -> [Goal] {
        let (toRead, toNginx) = (rows[0].mean / rows[2].mean, rows[1].mean / rows[4].mean)
        return [
            Goal(
                promise: "one flag: at least 0.8 of the same server's `GET /v1/default/config`",
                before: "0.66",
                figure: toRead.text(2),
                isMet: toRead >= 0.8
            ),
            Goal(
                promise: "all \(Self.flags) flags: at least 0.25 of nginx with the same bytes",
                before: "0.09",
                figure: toNginx.text(2),
                isMet: toNginx >= 0.25
            ),
        ]
    }

    private func evaluation(_ server: ServerProcess, _ path: String) -> Wrk {
        Wrk(url: server.url("/"), kind: "evaluate", argument: path, seconds: seconds)
    }

    /// Publishes a rule with three conditions and a split for each of as many keys.
    private func publishRules(_ port: Int, to namespace: String, _ rule: (_ key: Int) -> String) throws {
        let members = (0..<Self.flags).map { "\"group.key_\($0)\":\(rule($0))" }
        try send(port, "PATCH", "/v1/\(namespace)/entries", "{\"rules\":{\(members.joined(separator: ","))}}")
    }

    private func answer(_ port: Int, _ path: String) throws -> String {
        try send(port, "POST", path, #"{"context":{"targetingKey":"user-42","region":"ES"}}"#)
    }

    @discardableResult
    private func send(_ port: Int, _ method: String, _ path: String, _ body: String) throws -> String {
        let folder = try TemporaryDirectory(prefix: "bench")
        let file = try folder.write(body, to: "body.json")
        let options = ["-X", method, "-H", "Content-Type: application/json", "--data-binary", "@\(file)"]
        return try HTTPCall(port: port, path, options).body()
    }
}
