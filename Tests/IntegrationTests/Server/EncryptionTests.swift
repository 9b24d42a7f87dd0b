// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// TLS with a certificate of the test's own.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct EncryptionTests {
    private static let arguments = ["--tls-certificate", "cert.pem", "--tls-private-key", "key.pem"]

    private static func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory(prefix: "server")
        try makeCertificate(in: folder)
        return folder
    }

    /// Creates a certificate and its key, and replaces the existing ones.
    private static func makeCertificate(
        in folder: TemporaryDirectory,
        key: String = "ec -pkeyopt ec_paramgen_curve:prime256v1",
        named name: String = "test"
    ) throws {
        let script = """
            openssl req -x509 -newkey \(key) -nodes -keyout key.pem -out cert.pem \
            -days 2 -subj /CN=\(name) -addext subjectAltName=IP:127.0.0.1
            """
        _ = try Command.shell(script, workingDirectory: folder.path).run().ofSuccess()
    }

    private static func curl(_ server: RunningServer, _ arguments: String...) throws -> RunningCommand {
        try curl(server, arguments)
    }

    private static func curl(_ server: RunningServer, _ arguments: [String]) throws -> RunningCommand {
        let common = ["--silent", "--show-error", "--no-buffer", "--max-time", "90", "--noproxy", "*"]
        return try RunningCommand(Command("curl", common + arguments, workingDirectory: server.folder.path))
    }

    /// Writes `"x"` to the key `a` with the first client certificate.
    @discardableResult
    private static func put(to server: RunningServer) throws -> RunningCommand {
        let body = ["-H", "Content-Type: application/json", "--data", #"{"value":"x"}"#]
        let target = server.address + "/v1/default/entries/a"
        let write = try curl(server, ["--cacert", "cert.pem", "-X", "PUT"] + body + [target])
        try write.waitForExit()
        return write
    }

    @Test func otherClientsAreRefusedCleanly() throws {
        let server = try RunningServer(arguments: Self.arguments, folder: Self.folder())
        let stranger = try Self.curl(server, server.address + "/health")
        #expect(try stranger.waitForExit() == .exited(60))
        let old = try Self.curl(server, "--cacert", "cert.pem", "--tls-max", "1.1", server.address + "/health")
        #expect(try !old.waitForExit().isSuccess)

        let plain = try WireConnection(port: server.port)
        plain.send(WireClient.request("GET", "/v1/default/config"))
        #expect(!String(decoding: plain.rest(), as: UTF8.self).contains("HTTP/1.1 200"))
        #expect(plain.isEnded)

        let desk = try OperatorDesk(address: server.address)
        let output = try desk.run("list")
        #expect(output.status == .exited(77))
        #expect(output.standardError.contains("certificate"), "\(output.standardError)")
        let served = try Self.curl(server, "--cacert", "cert.pem", server.address + "/health")
        #expect(try served.waitForExit().isSuccess)
    }

    @Test func reloadReplacesTheCertificateAndIgnoresABrokenOne() throws {
        let server = try RunningServer(arguments: Self.arguments, folder: Self.folder())
        let events = server.address + "/v1/default/events"
        let stream = try Self.curl(server, "--insecure", events)
        try stream.waitForOutput("event: hello")
        try server.folder.write("nonsense", to: "cert.pem")
        server.send(signal: SIGHUP)
        try server.waitForOutput(
            "cannot reload the certificate, keeping the current one: the certificate cert.pem is not a certificate"
        )
        #expect(try Self.subject(server) == "test")
        // Opening a pipe waits for its other end.
        try server.folder.remove("cert.pem")
        try #require(mkfifo(server.folder["cert.pem"], 0o600) == 0)
        server.send(signal: SIGHUP)
        try until("the second complaint", lastState: server.output) {
            server.output.components(separatedBy: "cannot reload the certificate, keeping the current one").count == 3
        }
        try server.folder.remove("cert.pem")

        try Self.makeCertificate(in: server.folder, named: "renewed")
        server.send(signal: SIGHUP)
        try server.waitForOutput("reloaded the certificate file=cert.pem")
        #expect(try Self.subject(server) == "renewed")
        try Self.put(to: server)
        try stream.waitForOutput("event: change")
        #expect(try server.stop() == .exited(0))
        #expect(try stream.waitForExit() == .exited(0), "\(stream.standardError)")
    }

    /// Whose certificate the server shows to a new connection.
    private static func subject(_ server: RunningServer) throws -> String? {
        let script = "openssl s_client -connect 127.0.0.1:\(server.port) </dev/null 2>&1"
        let output = try Command.shell(script).run()
        return output.standardOutput.firstMatch(of: /subject=CN ?= ?([a-z]+)/).map { String($0.1) }
    }

    @Test func tls12RequiresForwardSecrecy() throws {
        let folder = try Self.folder()
        try Self.makeCertificate(in: folder, key: "rsa:2048")
        let server = try RunningServer(arguments: Self.arguments, folder: folder)
        for (cipher, isTaken) in [
            ("ECDHE-RSA-AES128-GCM-SHA256", true), ("ECDHE-RSA-AES256-GCM-SHA384", true),
            ("ECDHE-RSA-CHACHA20-POLY1305", true), ("AES128-GCM-SHA256", false), ("AES256-GCM-SHA384", false),
            ("AES128-SHA", false), ("AES256-SHA", false), ("ECDHE-RSA-AES128-SHA", false),
        ] {
            let health = server.address + "/health"
            let asked = try Self.curl(server, "--insecure", "--tls-max", "1.2", "--ciphers", cipher, health)
            #expect(try asked.waitForExit().isSuccess == isTaken, "\(cipher)")
        }
    }
}
