// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// Load by wrk: 2 threads, 32 connections unless stated.
struct Wrk {
    let url: String
    var headers: [String] = []
    /// The kind of requests, of `Benchmarks/Load/requests.lua`; `nil` requests the URL.
    var kind: String?
    /// The argument of the kind.
    var argument = "0"
    var connections = 32
    let seconds: Int

    /// The outcome.
    struct Result {
        let requestsPerSecond: Double
        /// The answers that were not of success or of redirection (304 is).
        let failures: Int
    }

    func run() throws -> Result {
        var arguments = ["-t2", "-c\(connections)", "-d\(seconds)s", "--timeout", "10s"]
        for header in headers { arguments += ["-H", header] }
        if kind != nil { arguments += ["-s", "Benchmarks/Load/requests.lua"] }
        arguments += [url, "--"] + (kind.map { [$0, argument] } ?? [])
        let output = try Command("wrk", arguments).run(deadline: .seconds(seconds + 30))
        guard let requests = Self.number(after: "Requests/sec:", in: output.standardOutput), requests > 0 else {
            throw BenchmarkFailure("wrk has no result: \(output.standardOutput)\(output.standardError)")
        }
        let failures = Self.number(after: "Non-2xx or 3xx responses:", in: output.standardOutput) ?? 0
        return Result(requestsPerSecond: requests, failures: Int(failures))
    }

    private static func number(after label: String, in text: String) -> Double? {
        guard let label = text.range(of: label) else { return nil }
        return text[label.upperBound...].split(whereSeparator: \.isWhitespace).first.flatMap { Double($0) }
    }
}
