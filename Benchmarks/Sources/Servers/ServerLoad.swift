// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The results of the program `ServerLoad`, which measures what wrk does not: numbers by name.
struct ServerLoad {
    private let numbers: [String: [Double]]

    /// Runs it to its end.
    static func run(
        _ arguments: [String],
        environment: [String: String] = Command.environment(),
        deadline: Duration
    ) throws -> ServerLoad {
        let program = try builtProduct(named: "ServerLoad")
        let output = try Command(program, arguments, environment: environment).run(deadline: deadline)
        guard output.status == .exited(0) else {
            throw BenchmarkFailure("ServerLoad \(arguments.joined(separator: " ")): \(output.standardError)")
        }
        return ServerLoad(lines: output.standardOutput)
    }

    private init(lines: String) {
        let pairs = lines.split(separator: "\n").compactMap { line -> (String, Double)? in
            let words = line.split(separator: " ")
            guard words.count == 2, let number = Double(words[1]) else { return nil }
            return (String(words[0]), number)
        }
        numbers = Dictionary(grouping: pairs, by: \.0).mapValues { $0.map(\.1) }
    }

    /// All numbers of this name, of which there has to be one.
    func distribution(_ name: String) throws -> Distribution {
        guard let values = numbers[name], !values.isEmpty else { throw BenchmarkFailure("ServerLoad has no \(name)") }
        return Distribution(values)
    }

    /// The one number of this name.
    func number(_ name: String) throws -> Double { try distribution(name).median }
}

/// A server whose streams are measured, and its protocol in `ServerLoad`.
struct StreamServer: Sendable {
    let name: String
    let protocolName: String
    let start: @Sendable () throws -> ServerProcess
}
