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
        /// The time within which 99 % of the requests were answered, in milliseconds.
        let p99: Double
    }

    func run() throws -> Result {
        var arguments = [
            "-t\(min(2, connections))", "-c\(connections)", "-d\(seconds)s", "--timeout", "10s", "--latency",
        ]
        for header in headers { arguments += ["-H", header] }
        if kind != nil { arguments += ["-s", "Benchmarks/Load/requests.lua"] }
        arguments += [url, "--"] + (kind.map { [$0, argument] } ?? [])
        let output = try Command("wrk", arguments).run(deadline: .seconds(seconds + 30))
        guard let requests = Self.number(after: "Requests/sec:", in: output.standardOutput), requests > 0 else {
            throw BenchmarkFailure("wrk has no result: \(output.standardOutput)\(output.standardError)")
        }
        let failures = Self.number(after: "Non-2xx or 3xx responses:", in: output.standardOutput) ?? 0
        guard let p99 = Self.milliseconds(after: "99%", in: output.standardOutput) else {
            throw BenchmarkFailure("wrk has no latency: \(output.standardOutput)")
        }
        return Result(requestsPerSecond: requests, failures: Int(failures), p99: p99)
    }

    private static func number(after label: String, in text: String) -> Double? {
        word(after: label, in: text).flatMap { Double($0) }
    }

    /// A time such as `1.20ms`.
    private static func milliseconds(after label: String, in text: String) -> Double? {
        guard let word = word(after: label, in: text) else { return nil }
        let digits = word.prefix { $0.isNumber || $0 == "." }
        let units = ["us": 0.001, "ms": 1, "s": 1000]
        guard let number = Double(digits), let unit = units[String(word.dropFirst(digits.count))] else { return nil }
        return number * unit
    }

    private static func word(after label: String, in text: String) -> Substring? {
        guard let label = text.range(of: label) else { return nil }
        return text[label.upperBound...].split(whereSeparator: \.isWhitespace).first
    }
}
