// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Behaviour that requires a separate process.
struct TransportProcessTests {
    private func probe(_ arguments: [String], _ environment: [String: String] = [:]) async throws -> String {
        let path = try builtProduct(named: "TransportProbe")
        let command = Command(path, arguments, environment: Command.environment(adding: environment))
        return try await onDedicatedThread { try command.run(deadline: .seconds(280)).standardOutput }
    }

    private static let otherLibrary = "/usr/lib/x86_64-linux-gnu/libcurl-gnutls.so.4"

    /// libcurl has one interface and many builds. A feature that this build lacks is reported, not ignored.
    @Test(.timeLimit(.minutes(5)), .enabled(if: FileManager.default.fileExists(atPath: otherLibrary)))
    func anotherLibcurlDoesTheSameOrSaysThatItCannot() async throws {
        let certificates = try await onDedicatedThread { try TestCertificates() }
        let answer = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n{\"k\": \"v\"}"
        try certificates.folder.write(answer, to: "c.json")
        let link = certificates.path("libcurl.so.4")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: Self.otherLibrary)
        let server = try await onDedicatedThread { try OpenSSLServer(certificates, wantsCertificate: true) }
        let (right, wrong) = (try certificates.pin("server"), try certificates.pin("other"))
        for (pin, form, result) in [
            (right, "file", "1\n"), (wrong, "file", "insecure "), (right, "bytes", "invalid_option "),
        ] {
            let arguments = ["options", "https://127.0.0.1:\(server.port)/c.json", certificates.folder.path, pin, form]
            let output = try await probe(arguments, ["LD_LIBRARY_PATH": certificates.folder.path])
            #expect(output.hasPrefix(result), "\(output)")
            #expect(form == "file" || output.contains("does not support client certificates"))
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["http_proxy", "all_proxy"]) func requestsGoThroughTheProxy(
        _ variable: String
    )
        async throws
    {
        let proxy = try ScriptedServer { connection, request in try connection.respond("200 OK", [:], request.target) }
        let environment = [variable: "http://127.0.0.1:\(proxy.port)"]
        #expect(
            try await probe(["get", "http://config.example/c.json"], environment)
                == "200 http://config.example/c.json\n"
        )
        #expect(proxy.requests.map { $0["host"] } == ["config.example"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["https_proxy", "HTTPS_PROXY"])
    func aProxyOfAnEncryptedConnectionSeesNoToken(_ variable: String) async throws {
        let proxy = try ScriptedServer { connection, _ in try connection.respond("403 Forbidden", [:], "") }
        let environment = [variable: "http://127.0.0.1:\(proxy.port)"]
        let output = try await probe(["get", "https://config.example/c.json", "s3cret"], environment)
        #expect(output.hasPrefix("unreachable "))
        #expect(!output.contains("s3cret"))
        #expect(proxy.requests.map(\.method) == ["CONNECT"])
        #expect(proxy.requests.map(\.target) == ["config.example:443"])
        #expect(proxy.requests.map { $0["authorization"] } == [nil])
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            ("http_proxy", "http://config.example/"), ("all_proxy", "http://config.example/"),
            ("https_proxy", "https://config.example/"),
        ]
    )
    func aDeadProxyIsBlamedAndNotTheServer(_ variable: String, _ url: String) async throws {
        let proxy = try ScriptedServer { _, _ in }
        proxy.stop()
        let output = try await probe(["get", url], [variable: "http://me:s3cret@127.0.0.1:\(proxy.port)"])
        #expect(output.hasPrefix("unreachable connection to the proxy 127.0.0.1:\(proxy.port) for config.example:"))
        #expect(!output.contains("s3cret"))
    }

    @Test(.timeLimit(.minutes(5))) func noProxyIsRespectedAndThisMachineNeedsNone() async throws {
        let proxy = try ScriptedServer { connection, _ in try connection.respond("502 Bad Gateway", [:], "") }
        let server = try ScriptedServer { connection, request in try connection.respond("200 OK", [:], "direct") }
        let environment = ["http_proxy": "http://127.0.0.1:\(proxy.port)", "no_proxy": "config.invalid"]
        #expect(try await probe(["get", server.url().absoluteString, "s3cret"], environment) == "200 direct\n")
        #expect(try await probe(["get", "http://config.invalid/"], environment).hasPrefix("unreachable "))
        #expect(proxy.connectionCount == 0)
    }
}
