// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

/// Clients of the legacy protocol lost updates that fell into the millisecond, or the second, of the fetch before.
@Suite(.timeLimit(.minutes(5)))
struct LegacyClientTests {
    private static let updateCount = 400

    /// A write, by the route that it needs, or by that of publishes, which here are of two keys.
    private struct Update {
        let line: String
        let body: String
        let values: [String: String]

        init(_ number: Int, _ key: String, isNew: Bool) {
            let (value, other) = ("\(number) 😸", "other.\(number % 7)")
            if number % 5 == 2 {
                line = "PATCH /v1/default/entries"
                body = #"{"set":{"\#(key)":"\#(value)","\#(other)":"\#(value) too"}}"#
                values = [key: value, other: "\(value) too"]
            } else {
                line = isNew ? "POST /config" : "PUT /v1/default/entries/\(key)"
                body = isNew ? #"{"key":"\#(key)","value":"\#(value)"}"# : #"{"value":"\#(value)"}"#
                values = [key: value]
            }
        }
    }

    /// Inserts, changes and publishes, each with different values, up to 2 ms apart.
    private static func write(to port: Int) throws -> [String: String] {
        var random = SeededGenerator(seed: 7)
        let connection = try WireConnection(port: port)
        var values: [String: String] = [:]
        for number in 0..<updateCount {
            let key = number % 4 == 0 ? "new.\(number)" : "key.\(Int.random(in: 0..<20, using: &random))"
            let update = Update(number, key, isNew: values[key] == nil)
            connection.send(
                "\(update.line) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                    + "Content-Length: \(update.body.utf8.count)\r\n\r\n\(update.body)"
            )
            let response = try connection.response()
            guard response.status == 200 else {
                throw FixtureError("\(update.line): \(response.status) \(response.text)")
            }
            values.merge(update.values) { $1 }
            // The gap between two updates is what this is about.
            Thread.sleep(forTimeInterval: Double.random(in: 0...0.002, using: &random))
        }
        return values
    }

    @Test func nothingIsLostHoweverCloseUpdatesAre() async throws {
        let server = try await onDedicatedThread { try RunningServer() }
        let port = server.port
        let isWritten = Atomic(false)
        async let written = onDedicatedThread {
            defer { isWritten.store(true, ordering: .releasing) }
            return try Self.write(to: port)
        }
        let (values, seen, fetches) = try await onDedicatedThread {
            var client = LegacyClient(port: port)
            var fetches = 0
            var isLast = false
            while !isLast {
                isLast = isWritten.load(ordering: .acquiring)
                try client.fetch()
                fetches += 1
            }
            return (client.values, client.seen, fetches)
        }
        let expected = try await written
        #expect(values == expected)
        #expect(Set(seen).count == seen.count, "no update comes twice")
        #expect(fetches > 100, "it fetched while there were updates")
        let numbers = seen.compactMap { Int($0.prefix { $0 != " " }) }
        #expect(numbers == numbers.sorted(), "updates come in their order")
        withExtendedLifetime(server) {}
    }
}
