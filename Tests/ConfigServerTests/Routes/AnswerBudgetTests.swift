// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

@testable import ConfigServer

/// The limit on responses in memory.
@Suite(.timeLimit(.minutes(5)))
struct AnswerBudgetTests {
    @Test func leasesAreTakenBeforeAndGivenBackAfter() throws {
        let budget = MemoryBudget(limit: 100)
        do {
            let large = try AnswerLease(150, of: budget)
            #expect(budget.used == 150, "alone, any answer fits")
            #expect(throws: Problem.self) { try AnswerLease(1, of: budget) }
            try large.resize(to: 40)
            let second = try AnswerLease(60, of: budget)
            #expect(budget.used == 100)
            #expect(throws: Problem.self) { try second.resize(to: 61) }
            try second.resize(to: 10)
            #expect(budget.used == 50)
        }
        #expect(budget.used == 0)
        let alone = try AnswerLease(10, of: budget)
        try alone.resize(to: 500)
        #expect(budget.used == 500)
    }

    private static func fill(_ client: WireClient, keys: Int, bytes: Int = 60_000) throws {
        let value = String(repeating: "x", count: bytes)
        for start in stride(from: 0, to: keys, by: 100) {
            let members = (start..<min(start + 100, keys)).map { #""k\#($0)":"\#(value)""# }
            let body = #"{"set":{\#(members.joined(separator: ","))}}"#
            #expect(try client.ask("PATCH", "/v1/default/entries", body: body).status == 200)
        }
    }

    /// Clients that read nothing of their answers.
    @Test(arguments: ["entries", "config?schemas=true", "config?at=1", "history?limit=1000"])
    func slowReadersStayWithinTheBudget(target: String) async throws {
        var settings = ServerSettings()
        settings.limits.allAnswerBytes = 30 << 20
        settings.limits.historyPageBytes = 4 << 20
        settings.limits.stalledSeconds = 200
        try await TestServer(settings: settings).script { client in
            // More than the system's buffers.
            try Self.fill(client, keys: 200)
            let statuses = try Self.statuses(ofSlowReaders: 12, of: target, client)
            #expect(statuses.contains(200) && statuses.contains(503), "\(statuses)")
            #expect(statuses.allSatisfy { $0 == 200 || $0 == 503 })
            // They have left.
            try until("room for another") {
                try client.ask("GET", "/v1/default/\(target)").status == 200
            }
        }
    }

    /// Clients that read only the beginning of their answers, at the same time.
    private static func statuses(ofSlowReaders count: Int, of target: String, _ client: WireClient) throws -> [Int] {
        let connections = try (0..<count).map { _ in
            let connection = try client.connection()
            connection.shrinkReceiveBuffer()
            connection.send(WireClient.request("GET", "/v1/default/\(target)"))
            return connection
        }
        let statuses = try connections.map { connection in
            // Twelve earlier states of 12 MB take minutes under the thread sanitizer.
            let start = String(decoding: try connection.bytes(within: 180) ?? [], as: UTF8.self)
            let status = Int(start.dropFirst("HTTP/1.1 ".count).prefix(3)) ?? 0
            if status == 503 {
                #expect(start.contains("too-many-answers") && start.contains("retry-after: 1"), "\(start)")
            }
            return status
        }
        // Shared responses are not rejected.
        #expect(try client.ask("HEAD", "/v1/default/config").status == 200)
        #expect(try client.ask("GET", "/v1/default/entries/k1").status == 200)
        return statuses
    }
}
