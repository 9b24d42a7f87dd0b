// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A server behind real proxies, and before clients that would rather speak something else.
@Suite(.timeLimit(.minutes(5)))
struct ProxyTests {
    /// Fields that ask for another protocol; one that proxies know they would look at more closely.
    private static let upgrade = ["Connection: Upgrade", "Upgrade: tea"]

    @Test(arguments: RunningProxy.Kind.allCases.filter(\.isInstalled))
    func anUpgradeRequestDoesNotDisturbTheNext(
        kind: RunningProxy.Kind
    ) async throws {
        try await onDedicatedThread {
            let server = try RunningServer()
            let proxy = try RunningProxy(kind, before: server.port)
            let client = WireClient(port: proxy.port)
            for number in 0..<5 {
                let upgrade = try client.ask("GET", "/v1/default/config", Self.upgrade)
                #expect(upgrade.status == 200)
                let other = try client.connection()
                other.send(WireClient.request("GET", "/v1/default/config"))
                // A connection that had gone deaf answered after ten seconds, with a 408.
                #expect(try other.response(within: 8).status == 200)
                let write = try client.ask(
                    "PUT",
                    "/v1/default/entries/a",
                    Self.upgrade,
                    body: "{\"value\":\(number)}"
                )
                #expect(write.status == (number == 0 ? 201 : 200))
            }
        }
    }

    @Test(arguments: RunningProxy.Kind.allCases.filter(\.isInstalled))
    func readsWritesAndStreamsPassOnKeptConnections(kind: RunningProxy.Kind) async throws {
        try await onDedicatedThread {
            let server = try RunningServer()
            let proxy = try RunningProxy(kind, before: server.port)
            let client = WireClient(port: proxy.port)
            let stream = try client.connection()
            stream.send(WireClient.request("GET", "/v1/default/events"))
            #expect(try stream.response().status == 200)
            #expect(try stream.chunk().map { String(decoding: $0, as: UTF8.self) }?.contains("event: hello") == true)
            let connection = try client.connection()
            for number in 0..<50 {
                connection.send(WireClient.request("PUT", "/v1/default/entries/a", body: "{\"value\":\(number)}"))
                #expect(try connection.response().status == (number == 0 ? 201 : 200))
                connection.send(WireClient.request("GET", "/v1/default/config"))
                #expect(try connection.response().text.contains("\"a\":\(number)"))
                connection.send(WireClient.request("HEAD", "/v1/default/config"))
                #expect(try connection.response(hasBody: false).status == 200)
            }
            var heard = ""
            while !heard.contains("\"a\":49"), let chunk = try stream.chunk() {
                heard += String(decoding: chunk, as: UTF8.self)
            }
            #expect(heard.contains("\"a\":49"))
        }
    }

    @Test(
        .enabled(if: Command.isInstalled("curl"), "curl is the client"),
        arguments: ["--http2", "--http1.1", "--http1.0"]
    )
    func curlIsAnsweredWhateverVersionItOffers(version: String) async throws {
        try await onDedicatedThread {
            let server = try RunningServer()
            let body = "{\"set\":{\(server.many)}}"
            try body.write(toFile: server.folder.path(to: "body"), atomically: true, encoding: .utf8)
            // So large a body is announced with 'Expect'.
            let type = ["-H", "Content-Type: application/json"]
            let write = ["-X", "PATCH", "--data-binary", "@\(server.folder.path(to: "body"))"] + type
            #expect(try server.curl([version] + write, ["/v1/default/entries"]) == "200\n")
            let reads = ["/v1/default/config", "/v1/default/entries", "/health"]
            #expect(try server.curl([version], reads) == "200\n200\n200\n")
        }
    }
}

extension RunningServer {
    /// Members of a body of more than a megabyte.
    fileprivate var many: String {
        let text = String(repeating: "x", count: 60_000)
        return (0..<20).map { "\"k\($0)\":\"\(text)\"" }.joined(separator: ",")
    }

    /// The statuses of what curl is answered, a line each.
    fileprivate func curl(_ arguments: [String], _ targets: [String]) throws -> String {
        let addresses = targets.flatMap { ["-o", "/dev/null", "\(address)\($0)"] }
        let command = Command("curl", ["-sS", "--max-time", "60", "-w", "%{http_code}\\n"] + arguments + addresses)
        let output = try command.run(deadline: .seconds(120))
        #expect(output.status == .exited(0), "\(output)")
        return output.standardOutput
    }
}
