// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

/// The connection options of a client, with a real server.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct ConnectionOptionTests {
    private static let files = ["--tls-certificate", "server.pem", "--tls-private-key", "server.key"]

    @Test func commandsHaveTheseOptions() throws {
        let certificates = try TestCertificates()
        let server = try RunningServer(arguments: Self.files, folder: certificates.folder)
        let trust = ["--ca-certificate", certificates.path("ca.pem")]
        let desk = try OperatorDesk(address: server.address)
        let (right, wrong) = (try certificates.pin("server"), try certificates.pin("other"))
        let listed = try desk.run("list", trust[0], trust[1], "--pinned-key", wrong, "--pinned-key", right)
        #expect(listed.status.isSuccess, "\(listed.standardError)")
        #expect(try desk.run("login", trust[0], trust[1], input: "x").standardError.contains("requires no token"))
        let refused = try desk.run("list", trust[0], trust[1], "--pinned-key", wrong)
        #expect(refused.status == .exited(77))
        #expect(refused.standardError.contains("does not match the pinned keys"))

        let document = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{\"k\": \"v\"}"
        try certificates.folder.write(document, to: "c.json")
        let strict = try OpenSSLServer(certificates, wantsCertificate: true)
        let place = "https://127.0.0.1:\(strict.port)/c.json"
        try certificates.folder.allow(0o600, on: "client-both.pem")
        let both = certificates.path("client-both.pem")
        let shown = try desk.run("--json", place, trust[0], trust[1], "--client-certificate", both)
        #expect(shown.standardOutput.contains(#""k""#), "\(shown.standardError)")

        let folder = try TemporaryDirectory(prefix: "sock")
        let socket = try ScriptedServer(socket: folder["s"]) { connection, _ in try connection.send(document) }
        let name = "http://config.example/c.json"
        let reached = try desk.run("--json", name, "--unix-socket", folder["s"])
        #expect(reached.standardOutput.contains(#""k""#), "\(reached.standardError)")
        #expect(socket.requests.first?["host"] == "config.example")
    }
}
