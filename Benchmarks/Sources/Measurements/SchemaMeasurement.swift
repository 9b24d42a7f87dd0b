// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// The cost of schema checks for a publish of 100 keys.
struct SchemaMeasurement: BlockingMeasurement {
    let seconds: Int
    let rounds: Int

    private typealias Contender = (name: String, server: LiveryServerProcess)

    func measure() throws -> Section {
        let contenders: [Contender] = [
            ("no schemas", try LiveryServerProcess(entries: 3)),
            ("one for each branch of ten keys", try Self.server(withSchemas: (0..<10).map { "app.part\($0).*" })),
            ("one for each key", try Self.server(withSchemas: (1...100).map { "app.part\($0 % 10).key\($0)" })),
        ]
        var rates: [[Double]] = contenders.map { _ in [] }
        for round in 0..<rounds {
            for (index, contender) in contenders.enumerated() {
                progress("  \(contender.name)")
                let url = contender.server.process.url("/")
                let load = Wrk(url: url, kind: "publish", argument: "\(round)", connections: 2, seconds: seconds)
                let result = try load.run()
                guard result.failures == 0 else { throw BenchmarkFailure("\(result.failures) publishes were refused") }
                rates[index].append(result.requestsPerSecond)
            }
        }
        let times = rates.map { 1000 / Distribution($0).median }
        var table = Table("Schemas", "publishes of 100 keys a second", "ms for each", "to none")
        for (contender, time) in zip(contenders, times) {
            table.add(contender.name, Int(1000 / time).grouped, time.text(2), (time / times[0]).text(2))
        }
        let ratio = (times.max() ?? times[0]) / times[0]
        let goal = Goal(
            promise: "a publish of 100 keys with schemas takes at most 1.3 of the time of one without",
            figure: ratio.text(2),
            isMet: ratio <= 1.3
        )
        return Section(title: "Publishes with schemas: wrk, two connections, SQLite", parts: [table, goal])
    }

    private static func server(withSchemas names: [String]) throws -> LiveryServerProcess {
        let server = try LiveryServerProcess(entries: 3)
        let schema = #"{"type":"string","minLength":1,"maxLength":40,"pattern":"^[0-9.]+$"}"#
        let body = #"{"schemas":{\#(names.map { "\"\($0)\":\(schema)" }.joined(separator: ","))}}"#
        let options = ["-X", "PATCH", "-H", "Content-Type: application/json", "--data-binary", body]
        _ = try HTTPCall(port: server.process.port, "/v1/default/entries", options).body()
        return server
    }
}
