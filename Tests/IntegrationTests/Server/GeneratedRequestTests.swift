// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A server that receives malformed and hostile requests.
@Suite(.timeLimit(.minutes(30)))
struct GeneratedRequestTests {
    /// The number of requests: a million takes a minute with a release build of the server.
    private static let count =
        ProcessInfo.processInfo.environment["LIVERY_GENERATED_REQUESTS"].flatMap { Int($0) } ?? 8000
    private static let lanes = 4

    /// Sends a share of the requests on a connection at a time.
    ///
    /// - Returns: how often each status came.
    private static func attack(port: Int, seed: UInt64, count: Int) throws -> [Int: Int] {
        var generator = RequestGenerator(seed: seed)
        var connection: WireConnection?
        var statuses: [Int: Int] = [:]
        var waiting: [RequestGenerator.Request] = []
        var answered = 0
        while answered < count {
            while waiting.count < 32 { waiting.append(generator.next()) }
            let current = try connection ?? WireConnection(port: port)
            // A request that has ended the connection has its reason in the response.
            current.send(waiting.flatMap(\.bytes))
            let answers = try Self.statuses(of: waiting, on: current)
            connection = current.isEnded ? nil : current
            for status in answers {
                statuses[status, default: 0] += 1
                if status >= 500 { throw FixtureError("\(status) with the seed \(seed)") }
            }
            // A connection that ends without any answer was closed because of the first request.
            waiting.removeFirst(max(answers.count, 1))
            answered += answers.count
        }
        return statuses
    }

    /// The statuses of the first requests; fewer than there are requests if the server has ended the connection.
    private static func statuses(
        of requests: [RequestGenerator.Request],
        on connection: WireConnection
    ) throws -> [Int] {
        var statuses: [Int] = []
        do {
            for request in requests { statuses.append(try connection.response(hasBody: !request.isHead).status) }
        } catch  where connection.isEnded {}
        return statuses
    }

    @Test func generatedRequestsLoseNothing() async throws {
        let server = try await onDedicatedThread { try RunningServer(arguments: ["--log-level", "notice"]) }
        let desk = try OperatorDesk(address: server.address)
        let known = try await onDedicatedThread { try desk.run("set", "known", "untouched", "--namespace", "safe") }
        #expect(known.status.isSuccess)
        let port = server.port
        let statuses = try await withThrowingTaskGroup(of: [Int: Int].self) { group in
            for lane in 0..<Self.lanes {
                group.addTask {
                    try await onDedicatedThread {
                        try Self.attack(port: port, seed: UInt64(lane), count: Self.count / Self.lanes)
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        #expect(statuses.values.reduce(0, +) >= Self.count)
        for status in [200, 201, 204, 400, 404, 405, 409, 412, 413, 415] {
            #expect(statuses[status] ?? 0 > 0, "none was answered with \(status): \(statuses)")
        }
        let (value, memory) = try await onDedicatedThread {
            (try desk.run("get", "known", "--namespace", "safe").standardOutput, try server.usage().peakMemory ?? 0)
        }
        #expect(value == "untouched\n")
        #expect(memory < 512 << 20, "\(memory >> 20) MiB")
        #expect(
            !server.output.contains(" error ") && !server.output.contains(" critical "),
            "\(server.output.suffix(2000))"
        )
    }
}
