import Foundation
import TestSupport
import Testing

/// TLS with a certificate of the test's own.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct EncryptionTests {
    private static let arguments = ["--tls-certificate", "cert.pem", "--tls-private-key", "key.pem"]

    private static func folder() throws -> TemporaryDirectory {
        let folder = try TemporaryDirectory(prefix: "server")
        let script = """
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout key.pem -out cert.pem \
            -days 2 -subj /CN=test -addext subjectAltName=IP:127.0.0.1
            """
        let output = try Command.shell(script, workingDirectory: folder.path).run(deadline: .seconds(60))
        guard output.status.isSuccess else { throw OperatorDesk.UnexpectedOutput(output: output) }
        return folder
    }

    private static func curl(_ server: RunningServer, _ arguments: String...) throws -> RunningCommand {
        let common = ["--silent", "--show-error", "--no-buffer", "--max-time", "90", "--noproxy", "*"]
        return try RunningCommand(Command("curl", common + arguments, workingDirectory: server.folder.path))
    }

    @Test func `whoever has the certificate is served, streams included`() async throws {
        try await onDedicatedThread { try Self.serve() }
    }

    private static func serve() throws {
        let server = try RunningServer(arguments: arguments, folder: folder())
        #expect(server.address == "https://127.0.0.1:\(server.port)")
        let target = server.address + "/v1/default/entries/a"
        let write = try curl(
            server,
            "--cacert",
            "cert.pem",
            "-X",
            "PUT",
            "--data",
            #"{"value":"x"}"#,
            target,
            "-H",
            "Content-Type: application/json"
        )
        try write.waitForExit(deadline: .seconds(60))
        #expect(write.standardOutput.contains(#""value":"x""#))

        let events = server.address + "/v1/default/events"
        let stream = try curl(server, "--cacert", "cert.pem", "--include", events)
        try eventually("the stream", deadline: .seconds(60), lastState: stream.standardOutput) {
            stream.standardOutput.contains("event: hello")
        }
        #expect(stream.standardOutput.hasPrefix("HTTP/1.1 200"))
        #expect(try server.stop() == .exited(0))
        // curl reports an end within a body as an error.
        #expect(try stream.waitForExit(deadline: .seconds(60)) == .exited(0), "\(stream.standardError)")
    }

    @Test func `others are refused cleanly`() async throws {
        try await onDedicatedThread { try Self.refuse() }
    }

    private static func refuse() throws {
        let server = try RunningServer(arguments: arguments, folder: folder())
        let stranger = try curl(server, server.address + "/health")
        #expect(try stranger.waitForExit(deadline: .seconds(60)) == .exited(60))
        let old = try curl(server, "--cacert", "cert.pem", "--tls-max", "1.1", server.address + "/health")
        #expect(try !old.waitForExit(deadline: .seconds(60)).isSuccess)

        let plain = try WireConnection(port: server.port)
        plain.send(WireClient.request("GET", "/v1/default/config"))
        #expect(!String(decoding: plain.rest(), as: UTF8.self).contains("HTTP/1.1 200"))
        #expect(plain.isEnded)

        let desk = try OperatorDesk(address: server.address)
        let output = try desk.run("list")
        #expect(output.status == .exited(77))
        #expect(output.standardError.contains("certificate"), "\(output.standardError)")
        let served = try curl(server, "--cacert", "cert.pem", server.address + "/health")
        #expect(try served.waitForExit(deadline: .seconds(60)).isSuccess)
    }

    @Test(arguments: [("key.pem", "nonsense"), ("cert.pem", ""), ("key.pem", nil)])
    func `a file that is no key or certificate is said before anything is served`(
        file: String,
        contents: String?
    ) async throws {
        let output = try await onDedicatedThread {
            let folder = try Self.folder()
            try FileManager.default.removeItem(atPath: folder.path(to: file))
            if let contents { try folder.write(contents, to: file) }
            return try liveryServer(["--address", "127.0.0.1:0"] + Self.arguments, in: folder)
        }
        #expect(output.status == .exited(1))
        #expect(output.standardError.hasPrefix("livery-server: the certificate cert.pem and its key key.pem cannot"))
        #expect(output.standardError.split(separator: "\n").count == 1)
    }
}
