// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TestSupport
import Testing

/// A server that is sent what no client means: it says no, and goes on.
@Suite(.timeLimit(.minutes(5)))
struct HostileRequestTests {
    @Test func injectionsFindNoName() async throws {
        try await refuse(HostileRequest.injected)
    }

    @Test func bodiesOfTheWrongSizeFormAndDepthAreRefused() async throws {
        try await refuse(HostileRequest.bodies)
    }

    /// What is not refused: so it is seen that the tests can tell.
    private static let meantWell = HostileRequest("PUT", "/v1/default/entries/kept", text: #"{"value":"as it was"}"#)

    /// Sends each request on a connection of its own; each has to be refused, with nothing written.
    private func refuse(_ requests: [HostileRequest]) async throws {
        try await onDedicatedThread {
            let server = try RunningServer(arguments: ["--log-level", "notice"])
            #expect(try server.set("kept", "\"as it was\"") == 201)
            let before = try server.ask("GET", "/v1").text
            // Another client, whose connection lives through all of it.
            let witness = try WireConnection(port: server.port)
            #expect(try complaint(about: Self.meantWell, at: server) == "200")
            for request in requests {
                if let complaint = try complaint(about: request, at: server) {
                    Issue.record("\(request): \(complaint)")
                }
                witness.send(WireClient.request("GET", "/v1/default/entries/kept"))
                #expect(try witness.response().text.contains(#""value":"as it was""#), "\(request)")
            }
            #expect(try server.ask("GET", "/v1").text == before)
            let memory = try server.usage().peakMemory ?? 0
            #expect(memory < 384 << 20, "\(memory >> 20) MiB")
            #expect(!server.output.contains(" error "), "\(server.output.suffix(2000))")
        }
    }

    /// What is wrong with how the server takes a request; `nil` if it refuses it as it should.
    private func complaint(about request: HostileRequest, at server: RunningServer) throws -> String? {
        let connection = try WireConnection(port: server.port)
        connection.send(request.bytes)
        guard let answer = try? connection.response() else {
            // What floods may be cut off before it can take in an answer.
            let isFlood = request.bytes.count > 64 << 10
            return connection.isEnded && isFlood ? nil : "there was no answer"
        }
        guard (400..<500).contains(answer.status) else { return "\(answer.status)" }
        guard answer["content-type"] == "application/problem+json",
            try ProblemDetails(json: answer.body).status == answer.status
        else { return "this is no problem: \(answer)" }
        return nil
    }
}
