// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// A server behind real proxies.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct ProxyTests {
    #if os(Linux)
        /// With the settings of the page, over TLS: a stream, a large body, conditions, the server's own fields, kept connections,
        /// and the address of a client that claims another one.
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

            let steps = (2..<30).flatMap { [["-X", "PUT", "--data", "{\"value\":\($0)}"], ["--head"], []] }
            let statuses = try client.statuses("/v1/default/entries/a", steps)
            #expect(statuses == String(repeating: "200", count: steps.count))
            try until("the last change", lastState: String(stream.standardOutput.suffix(500))) {
                stream.standardOutput.contains(#""upserts":{"a":29}"#)
            }
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
        let output = try Command("curl", request(path, ["--dump-header", "/dev/stderr"] + arguments)).run()
        return (output.standardOutput, output.standardError)
    }

    /// The statuses of requests on one connection.
    func statuses(_ path: String, _ requests: [[String]]) throws -> String {
        let words = requests.map { request(path, $0) }.joined(separator: ["--next"])
        return try Command("curl", Array(words)).run().standardOutput
    }

    private func request(_ path: String, _ arguments: [String]) -> [String] {
        let wanted = ["--write-out", "%{http_code}", "--output", "/dev/null", "-H", "Content-Type: application/json"]
        return common + wanted + arguments + [address + path]
    }
}
