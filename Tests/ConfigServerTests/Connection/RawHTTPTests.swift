// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigWire
import TestSupport
import Testing

@testable import ConfigServer

/// The behaviour of a connection, byte by byte.
@Suite(.timeLimit(.minutes(5)))
struct RawHTTPTests {
    @Test(arguments: [
        ("pipelined", RawExchange.pipelined), ("upgrades", RawExchange.upgrades),
        ("expectations", RawExchange.expectations), ("refusals", RawExchange.refusals),
        ("framing", RawExchange.framing), ("hosts", RawExchange.hosts), ("lines", RawExchange.lines),
        ("malformed", RawExchange.malformed),
    ])
    func rawRequestsGetTheExpectedAnswers(_ matter: String, exchanges: [RawExchange]) async throws {
        try await TestServer().script { client, server in
            for exchange in exchanges {
                // Only a value that differs is a change.
                _ = try client.ask("PUT", "/v1/default/entries/raw", body: #"{"value":0}"#)
                let before = server.hub.head?.revision ?? 0
                do { try perform(exchange, client) } catch { Issue.record("\(exchange.testDescription): \(error)") }
                let commits = (server.hub.head?.revision ?? 0) - before
                #expect(commits == exchange.commits, "\(exchange.testDescription)")
            }
        }
    }

    private func perform(_ exchange: RawExchange, _ client: WireClient) throws {
        let connection = try client.connection()
        for (number, step) in exchange.steps.enumerated() {
            connection.send(step.sent)
            if exchange.isHalfClosed, number == exchange.steps.count - 1 { connection.endSending() }
            for answer in step.answers {
                let response = try connection.response(hasBody: answer.hasBody)
                #expect(response.status == answer.status, "\(exchange.testDescription)")
                guard answer.status >= 400 else { continue }
                #expect(try ProblemDetails(json: response.body).status == answer.status, "\(exchange.testDescription)")
                let isEnd = exchange.state == .ended
                #expect((response["connection"] == "close") == isEnd, "\(exchange.testDescription)")
            }
        }
        switch exchange.state {
        case .goesOn:
            connection.send(RawExchange.config)
            #expect(try connection.response().status == 200, "\(exchange.testDescription)")
        case .ended: #expect(connection.rest().isEmpty && connection.isEnded, "\(exchange.testDescription)")
        case .endedStream:
            let events = String(decoding: connection.rest(), as: UTF8.self)
            #expect(events.hasSuffix("\r\n0\r\n\r\n") && connection.isEnded, "\(exchange.testDescription): \(events)")
        }
    }
}
