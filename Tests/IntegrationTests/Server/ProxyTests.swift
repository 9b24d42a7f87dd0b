// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A server behind real proxies, with clients that prefer other protocols.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct ProxyTests {
    @Test(arguments: RunningProxy.Kind.allCases.filter(\.isInstalled))
    func readsWritesAndStreamsPassOnKeptConnections(kind: RunningProxy.Kind) throws {
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

    #if os(Linux)
        /// With the settings of the page, over TLS: a stream, a large body, conditions, the server's own fields, and the address
        /// of a client that claims another one.
        @Test(arguments: PageSettings.allCases.filter(\.isInstalled))
        func settingsOfThePageServeClients(settings: PageSettings) throws {
            let folder = try TemporaryDirectory(prefix: "server")
            let token = try makeToken("deploy", role: "write", in: folder)
            let arguments = ["--token-file", folder["tokens"], "--trusted-proxy", "127.0.0.1"]
            let server = try RunningServer(arguments: arguments, folder: folder)
            let certificates = try TestCertificates()
            let proxy = try RunningProxy(settings, before: server.port, certificates)
            let client = ProxiedClient(port: proxy.port, token: token, certificates)

            let stream = try client.start("/v1/default/events")
            try stream.waitForOutput("event: hello")
            let text = String(repeating: "x", count: 60_000)
            let members = (0..<30).map { #""big.key\#($0)":"\#(text)""# }
            let body = try folder.write(#"{"set":{\#(members.joined(separator: ","))}}"#, to: "body")
            let forged = ["-H", "X-Forwarded-For: 10.9.9.9", "-H", "Forwarded: for=10.9.9.9"]
            let written = try client.ask("/v1/default/entries", ["-X", "PATCH", "--data-binary", "@\(body)"] + forged)
            #expect(written.status == "200", "\(written)")
            // The log is written behind the answer.
            try until("the audit", lastState: server.output) { server.output.contains("address=127.0.0.2 ") }
            #expect(!server.output.contains("10.9.9.9"), "\(server.output)")

            let set = ["-X", "PUT", "--data", #"{"value":1}"#]
            #expect(try client.ask("/v1/default/entries/a", set).status == "201")
            try until("the change", lastState: String(stream.standardOutput.suffix(500))) {
                stream.standardOutput.contains(#""upserts":{"a":1}"#)
            }
            let head = try client.ask("/v1/default/entries/a").head
            for field in ["x-content-type-options: nosniff", "content-security-policy: default-src 'none'"] {
                #expect(head.lowercased().contains(field), "\(head)")
            }
            let tag = try #require(head.firstMatch(of: /(?i)etag: ("[^"]*")/)).1
            #expect(try client.ask("/v1/default/entries/a", ["-H", "If-None-Match: \(tag)"]).status == "304")
        }
    #endif
}

/// curl as a client of a proxy, at another address than the proxy's own.
private struct ProxiedClient {
    private let address: String
    private let common: [String]

    init(port: Int, token: String, _ certificates: TestCertificates) {
        address = "https://config.example:\(port)"
        common = [
            "--silent", "--show-error", "--no-buffer", "--max-time", "90", "--noproxy", "*", "--interface", "127.0.0.2",
            "--resolve", "config.example:\(port):127.0.0.1", "--cacert", certificates.path("ca.pem"),
            "-H", "Authorization: Bearer \(token)",
        ]
    }

    func start(_ path: String) throws -> RunningCommand {
        try RunningCommand(Command("curl", common + [address + path]))
    }

    func ask(_ path: String, _ arguments: [String] = []) throws -> (status: String, head: String) {
        let wanted = ["--write-out", "%{http_code}", "--output", "/dev/null", "--dump-header", "/dev/stderr"]
        let type = ["-H", "Content-Type: application/json"]
        let output = try Command("curl", common + wanted + type + arguments + [address + path]).run(
            deadline: .seconds(90)
        )
        return (output.standardOutput, output.standardError)
    }
}
