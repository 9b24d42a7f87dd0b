// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import HTTPTransport
import TestSupport
import Testing

/// What only libcurl shows.
struct CurlTransportTests {
    @Test(.timeLimit(.minutes(5)), arguments: NormalForm.names + ["\u{A0}x\u{A0}"])
    func fieldsAreBytes(text: String) async throws {
        let server = try ScriptedServer { connection, _ in
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-A:\(text)\r\nX-B: \t\(text) \r\n\r\n")
        }
        let response = try await Transport.curl.client().response(to: HTTPRequest(url: server.url()))
        for name in ["X-A", "X-B"] {
            #expect(response.head.headers[name].map { Array($0.utf8) } == Array(text.utf8), "\(name)")
        }
    }

    @Test(.timeLimit(.minutes(5))) func theNextConnectionResumesTheSession() async throws {
        let certificates = try await onDedicatedThread { try TestCertificates() }
        let server = try await onDedicatedThread { try OpenSSLServer(certificates, describesConnection: true) }
        var settings = TransportSettings()
        settings.certificateAuthority = .file(certificates.path("ca.pem"))
        let transport = Transport.curl.client(settings: settings)
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/"))
        for beginning in ["\nNew, TLS", "\nReused, TLS"] {
            let response = try await transport.response(to: HTTPRequest(url: url, timeouts: .patient))
            #expect(String(decoding: response.body, as: UTF8.self).contains(beginning))
        }
    }

    /// Head and body as they were sent: 38 bytes of head here.
    @Test(.timeLimit(.minutes(5))) func countsTheBytesThatCame() async throws {
        let stored: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        let gate = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { connection, request in
            if request.target == "/whole" { return try connection.respond("200 OK", [:], "12345") }
            if request.target == "/packed" {
                return try connection.respond("200 OK", ["Content-Encoding": "gzip"], body: stored)
            }
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n1")
            gate.wait()
            try connection.send("2")
        }
        let transport = Transport.curl.client()
        #expect(try await transport.response(to: HTTPRequest(url: server.url("/whole"))).receivedBytes == 38 + 5)
        let packed = try await transport.response(to: HTTPRequest(url: server.url("/packed")))
        #expect(packed.body.isEmpty)
        #expect(packed.receivedBytes == 39 + 24 + stored.count)
        let stream = try await transport.stream(HTTPRequest(url: server.url(), timeouts: .patient))
        #expect(try await stream.next() == Array("1".utf8))
        #expect(stream.receivedBytes == 38 + 1)
        gate.signal()
        while try await stream.next() != nil {}
        #expect(stream.receivedBytes == 38 + 2)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["br", "zstd", "gzip"])
    func aFailureKeepsItsStatusWithoutItsBody(_ encoding: String) async throws {
        let server = try ScriptedServer { connection, request in
            let status = request.target == "/busy" ? "503 Service Unavailable" : "200 OK"
            try connection.respond(status, ["Content-Encoding": encoding, "Retry-After": "7"], "no such body")
        }
        let transport = Transport.curl.client()
        let busy = try await transport.response(to: HTTPRequest(url: server.url("/busy")))
        #expect(busy.head.status == 503 && busy.head.headers["Retry-After"] == "7" && busy.body.isEmpty)
        let error = await #expect(throws: OperationFailure.self) {
            try await transport.response(to: HTTPRequest(url: server.url("/whole")))
        }
        #expect(error?.code == .badResponse)
        #expect(error?.message.contains(encoding == "gzip" ? "cannot decompress" : "'\(encoding)'") == true)
    }
}
