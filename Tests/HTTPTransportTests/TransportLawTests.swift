// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import HTTPTransport
import TestSupport
import Testing

/// The laws of every transport.
struct TransportLawTests {
    @Test(
        .timeLimit(.minutes(5)),
        arguments: Transport.allCases,
        ["GET", "HEAD", "DELETE", "PUT", "PATCH", "POST"].flatMap { method in
            [0, 5, 3_000_000].map { (method, $0) }
        }
    )
    func sendsMethodsAndBodies(_ transport: Transport, _ sent: (method: String, count: Int)) async throws {
        let (method, count) = sent
        let server = try ScriptedServer { connection, request in
            if request.method == "HEAD" { return try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n") }
            try connection.respond("200 OK", [:], "\(request.method) \(request.body.count)")
        }
        var request = HTTPRequest(url: server.url("/e"), method: method, headers: ["Content-Type": "application/json"])
        let isSent = !["GET", "HEAD"].contains(method)
        if isSent { request.body = [UInt8](repeating: 7, count: count) }
        let response = try await transport.client().response(to: request)
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == (method == "HEAD" ? "" : "\(method) \(isSent ? count : 0)")
        )
        #expect(server.requests.first?["content-type"] == "application/json")
        #expect(server.requests.first?["expect"] == nil)
    }

    /// On a connection that was used before, libraries send it again by themselves.
    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases, ["PUT", "PATCH", "POST", "DELETE"])
    func aWriteWithoutAnAnswerIsNotSentAgain(_ transport: Transport, _ method: String) async throws {
        let server = try ScriptedServer { connection, request in
            if request.method == "GET" { return try connection.respond("200 OK", [:], "") }
            connection.close()
        }
        let client = transport.client()
        for _ in 0..<3 { _ = try await client.response(to: HTTPRequest(url: server.url())) }
        let write = HTTPRequest(url: server.url(), method: method, body: method == "DELETE" ? nil : [1])
        let error = await #expect(throws: OperationFailure.self) { try await client.response(to: write) }
        #expect(error?.code == .unreachable)
        #expect(server.requests.count { $0.method == method } == 1)
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func aStreamArrivesBitByBit(_ transport: Transport) async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { connection, _ in
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n0")
            gate.wait()
            try connection.send("1")
            connection.close()
        }
        let stream = try await transport.client().stream(HTTPRequest(url: server.url(), timeouts: .patient))
        #expect(stream.head.status == 200)
        #expect(stream.head.headers["CONTENT-TYPE"] == "text/event-stream")
        #expect(try await stream.next() == Array("0".utf8))
        gate.signal()
        #expect(try await stream.next() == Array("1".utf8))
        #expect(try await stream.next() == nil)
        #expect(server.requests.first?["accept-encoding"] == "identity")
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func aStreamEndsAsTheServerEndsIt(_ transport: Transport) async throws {
        let server = try ScriptedServer { connection, request in
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            if request.target == "/whole" { try connection.send("0\r\n\r\n") } else { connection.close() }
        }
        let client = transport.client()
        let whole = try await client.stream(HTTPRequest(url: server.url("/whole"), timeouts: .patient))
        var bytes: [UInt8] = []
        while let chunk = try await whole.next() { bytes += chunk }
        #expect(bytes == Array("abc".utf8))
        let cut = try await client.stream(HTTPRequest(url: server.url("/cut"), timeouts: .patient))
        #expect(try await cut.next() == Array("abc".utf8))
        await #expect { try await cut.next() } throws: { ($0 as? OperationFailure)?.code == .unreachable }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func anAnswerCutAtAnyByteIsTemporary(_ transport: Transport) async throws {
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}".utf8)
        let head = answer.count - 3
        let server = try ScriptedServer { connection, request in
            try connection.send(String(decoding: answer.prefix(Int(request.target.dropFirst()) ?? 0), as: UTF8.self))
            connection.close()
        }
        let client = transport.client()
        for count in answer.indices where count == 0 || count > head || transport.survivesACutHead {
            let error = await #expect(throws: OperationFailure.self) {
                try await client.response(to: HTTPRequest(url: server.url("/\(count)")))
            }
            #expect(error?.code == .unreachable, "\(count) bytes: \(error?.description ?? "")")
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases, RudeListener.Manner.allCases)
    func aServerThatLeavesTheHandshakeIsUnreachable(
        _ transport: Transport,
        manner: RudeListener.Manner
    ) async throws {
        let listener = try RudeListener(manner)
        let url = try #require(URL(string: "https://127.0.0.1:\(listener.port)/"))
        let error = await #expect(throws: OperationFailure.self) {
            try await transport.client().response(to: HTTPRequest(url: url, timeouts: .patient))
        }
        let code = manner == .speaksPlainly ? transport.codeOfTLSFailure : .unreachable
        #expect(error?.code == code, "\(String(describing: error))")
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func aSilentStreamIsGivenUp(_ transport: Transport) async throws {
        let server = try ScriptedServer { connection, _ in
            try connection.send("HTTP/1.1 200 OK\r\n\r\n:\n")
            connection.waitForClient()
        }
        let timeouts = HTTPTimeouts(answer: .seconds(100), idle: .milliseconds(100), total: nil)
        let stream = try await transport.client().stream(HTTPRequest(url: server.url(), timeouts: timeouts))
        #expect(try await stream.next() != nil)
        await #expect { try await stream.next() } throws: {
            ($0 as? OperationFailure)?.message.contains("incomplete response") == true
        }
    }

    /// The server can send only as much as the kernel's buffers hold while the client does not read.
    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func aSlowReaderReceivesEveryByte(_ transport: Transport) async throws {
        let sent = Log<Int>()
        let megabyte = [UInt8](repeating: 65, count: 1 << 20)
        let server = try ScriptedServer { connection, _ in
            try connection.send("HTTP/1.1 200 OK\r\n\r\n")
            for index in 0..<100 {
                try connection.send(megabyte)
                sent.append(index)
            }
            connection.close()
        }
        let stream = try await transport.client().stream(HTTPRequest(url: server.url(), timeouts: .patient))
        #expect(try await stream.next() != nil)
        var looks: [Int] = []
        try await until("the server waits") {
            looks.append(sent.entries.count)
            return looks.suffix(20).count { $0 == looks.last } == 20
        }
        // The system reads ahead of URLSession's reader.
        if transport == .curl { #expect(sent.entries.count < 50) }
        var count = 0
        var largest = 0
        while let chunk = try await stream.next() {
            count += chunk.count
            largest = max(largest, chunk.count)
        }
        #expect(count > 99 << 20)
        #expect(largest <= 512 * 1024)
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases, ["/head", "/body", "/stream"])
    func cancellingIsPrompt(_ transport: Transport, _ path: String) async throws {
        let server = try ScriptedServer { connection, request in
            if request.target != "/head" { try connection.send("HTTP/1.1 200 OK\r\n\r\n:") }
            connection.waitForClient()
        }
        let client = transport.client()
        let request = HTTPRequest(url: server.url(path), timeouts: .patient)
        let reading = Task {
            guard path == "/stream" else { return _ = try await client.response(to: request) }
            let stream = try await client.stream(request)
            while try await stream.next() != nil {}
        }
        try await until("there is a request") { server.requests.count == 1 }
        reading.cancel()
        await #expect { try await reading.value } throws: { ($0 as? OperationFailure)?.code == .cancelled }
        try await until("the connection has ended") { server.openConnectionCount == 0 }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func releasedStreamIsClosed(_ transport: Transport) async throws {
        let server = try ScriptedServer { connection, _ in
            try connection.send("HTTP/1.1 200 OK\r\n\r\n:")
            connection.waitForClient()
        }
        let client = transport.client()
        var stream: HTTPStream? = try await client.stream(HTTPRequest(url: server.url(), timeouts: .patient))
        #expect(stream?.head.status == 200)
        stream = nil
        try await until("the connection has ended") { server.openConnectionCount == 0 }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func aConnectionThatDiedWhileIdleIsReplaced(_ transport: Transport) async throws {
        let server = try ScriptedServer { connection, request in
            try connection.respond("200 OK", [:], "\(request.body.count)")
            connection.close()
        }
        let client = transport.client()
        for _ in 0..<20 {
            let response = try await client.response(
                to: HTTPRequest(url: server.url(), method: "PUT", body: [1, 2, 3])
            )
            #expect(response.body == Array("3".utf8))
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func cookiesAreNotKept(_ transport: Transport) async throws {
        let server = try ScriptedServer { connection, _ in try connection.respond("200 OK", ["Set-Cookie": "a=b"], "") }
        let client = transport.client()
        for _ in 0..<2 { _ = try await client.response(to: HTTPRequest(url: server.url())) }
        #expect(server.requests.map { $0["cookie"] } == [nil, nil])
    }

    @Test(
        arguments: Transport.allCases,
        ["http://u:s3cret@127.0.0.1:9/", "file:///etc/passwd", "ftp://host/", "https:///x"]
    )
    func refusesOtherAddresses(_ transport: Transport, _ text: String) async throws {
        let url = try #require(URL(string: text))
        await #expect { try await transport.client().response(to: HTTPRequest(url: url)) } throws: { error in
            (error as? OperationFailure)?.code == .invalidSource && !"\(error)".contains("s3cret")
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func credentialsStayWithTheirOrigin(_ transport: Transport) async throws {
        let other = try ScriptedServer { connection, _ in try connection.respond("200 OK", [:], "there") }
        let target = other.url("/c").absoluteString
        let server = try ScriptedServer { connection, request in
            try connection.respond("302 Found", ["Location": request.target == "/a" ? "/b" : target], "moved")
        }
        var settings = TransportSettings(userAgent: "law/1")
        settings.headers = ["X-Key": "s3cret"]
        var request = HTTPRequest(url: server.url("/a"))
        request.authorization = { "Bearer s3cret" }
        let response = try await transport.client(settings: settings).response(to: request)
        #expect(String(decoding: response.body, as: UTF8.self) == "there")
        #expect(response.head.url == other.url("/c"))
        for name in ["authorization", "x-key"] {
            #expect(server.requests.map { $0[name]?.hasSuffix("s3cret") } == [true, true], "\(name)")
            #expect(other.requests.map { $0[name] } == [nil], "\(name)")
        }
        #expect((server.requests + other.requests).map { $0["user-agent"] } == ["law/1", "law/1", "law/1"])
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func aRedirectWithoutEndIsRefused(_ transport: Transport) async throws {
        let server = try ScriptedServer { connection, _ in
            try connection.respond("307 Temporary Redirect", ["Location": "/again"], "")
        }
        let error = await #expect(throws: OperationFailure.self) {
            try await transport.client().response(to: HTTPRequest(url: server.url()))
        }
        #expect(error?.code == .badResponse)
        #expect(server.requests.count == 6)
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases)
    func aBodyHasItsLimit(_ transport: Transport) async throws {
        let body = String(repeating: "x", count: (8 << 20) + 1)
        let server = try ScriptedServer { connection, _ in try connection.respond("200 OK", [:], body) }
        var request = HTTPRequest(url: server.url())
        let error = await #expect(throws: OperationFailure.self) {
            try await transport.client().response(to: request)
        }
        #expect(error?.code == .tooLarge)
        request.allowedSize = { _ in 9 << 20 }
        #expect(try await transport.client().response(to: request).body.count == body.utf8.count)
    }

    /// With the system's authorities, or with another one.
    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases, [nil, "stranger.pem"])
    func anUntrustedCertificateIsRefused(_ transport: Transport, _ authority: String?) async throws {
        let certificates = try await onDedicatedThread { try TestCertificates() }
        let server = try await onDedicatedThread { try OpenSSLServer(certificates) }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/ca.pem"))
        var settings = TransportSettings()
        settings.certificateAuthority = authority.map { .file(certificates.path($0)) }
        let error = await #expect(throws: OperationFailure.self) {
            let request = HTTPRequest(url: url, timeouts: .patient)
            return try await transport.client(settings: settings).response(to: request)
        }
        let code = authority == nil ? transport.codeOfTLSFailure : transport.codeOfOtherAuthority
        #expect(error?.code == code, "\(String(describing: error))")
    }

    @Test(.timeLimit(.minutes(5)), arguments: Transport.allCases, ["GET", "PUT"])
    func closingEndsAllExchanges(_ transport: Transport, _ method: String) async throws {
        let server = try ScriptedServer { connection, _ in connection.waitForClient() }
        let connector = try transport.connector()
        let exchanges = (1...3).map { _ in
            let request = HTTPRequest(url: server.url(), method: method, timeouts: .patient)
            let progress = HTTPProgress(server: "server", timeouts: .patient, limit: .refuse(above: 100))
            return connector.begin(request, by: TransportSettings(), progress)
        }
        try await until("all are sent") { server.requests.count == 3 }
        connector.close()
        try await until("all have ended") { exchanges.allSatisfy { $0.check(at: .now).isOver } }
        try await until("the connections have ended") { server.openConnectionCount == 0 }
    }

    /// No option is ignored silently.
    @Test func urlSessionRejectsUnsupportedOptions() async throws {
        let server = try ScriptedServer { connection, _ in try connection.respond("200 OK", [:], "") }
        var settings = TransportSettings()
        settings.unixSocket = "/run/livery.sock"
        let error = await #expect(throws: OperationFailure.self) {
            try await Transport.urlSession.client(settings: settings).response(to: HTTPRequest(url: server.url()))
        }
        #expect(error?.code == .invalidOption && error?.message.contains("a Unix socket") == true)
        #expect(server.connectionCount == 0)
    }
}
