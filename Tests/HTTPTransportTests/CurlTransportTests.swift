// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import HTTPTransport
import TestSupport
import Testing

struct CurlTransportTests {
    @Test(.timeLimit(.minutes(5)), arguments: ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"], [0, 5, 3_000_000])
    func sendsMethodsAndBodies(_ method: String, _ count: Int) async throws {
        let server = try ScriptedServer { connection, request in
            if request.method == "HEAD" { return try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n") }
            try connection.respond("200 OK", [:], "\(request.method) \(request.body.count)")
        }
        var request = HTTPRequest(url: server.url("/e"), method: method, headers: ["Content-Type": "application/json"])
        let isSent = !["GET", "HEAD"].contains(method)
        if isSent { request.body = [UInt8](repeating: 7, count: count) }
        let response = try await CurlTransport().response(to: request)
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == (method == "HEAD" ? "" : "\(method) \(isSent ? count : 0)")
        )
        #expect(server.requests.first?["content-type"] == "application/json")
        #expect(server.requests.first?["expect"] == nil)
    }

    /// On a connection that was used before, libcurl would send it anew by itself.
    @Test(.timeLimit(.minutes(5)), arguments: ["PUT", "PATCH", "POST", "DELETE"])
    func aWriteWithoutAnAnswerIsNotSentAgain(_ method: String) async throws {
        let server = try ScriptedServer { connection, request in
            if request.method == "GET" { return try connection.respond("200 OK", [:], "") }
            connection.close()
        }
        let transport = CurlTransport()
        for _ in 0..<3 { _ = try await transport.response(to: HTTPRequest(url: server.url())) }
        let write = HTTPRequest(url: server.url(), method: method, body: method == "DELETE" ? nil : [1])
        let error = await #expect(throws: OperationFailure.self) { try await transport.response(to: write) }
        #expect(error?.code == .unreachable)
        #expect(server.requests.count { $0.method == method } == 1)
    }

    @Test(.timeLimit(.minutes(5))) func aStreamArrivesBitByBit() async throws {
        let gate = DispatchSemaphore(value: 0)
        let server = try ScriptedServer { connection, _ in
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n0")
            gate.wait()
            try connection.send("1")
            connection.close()
        }
        let stream = try await CurlTransport().stream(HTTPRequest(url: server.url(), timeouts: .patient))
        #expect(stream.head.status == 200)
        #expect(stream.head.headers["CONTENT-TYPE"] == "text/event-stream")
        #expect(try await stream.next() == Array("0".utf8))
        gate.signal()
        #expect(try await stream.next() == Array("1".utf8))
        #expect(try await stream.next() == nil)
        #expect(server.requests.first?["accept-encoding"] == "identity")
    }

    @Test(.timeLimit(.minutes(5)), arguments: NormalForm.names + ["\u{A0}x\u{A0}"])
    func fieldsAreBytes(text: String) async throws {
        let server = try ScriptedServer { connection, _ in
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-A:\(text)\r\nX-B: \t\(text) \r\n\r\n")
        }
        let response = try await CurlTransport().response(to: HTTPRequest(url: server.url()))
        for name in ["X-A", "X-B"] {
            #expect(response.head.headers[name].map { Array($0.utf8) } == Array(text.utf8), "\(name)")
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
        let transport = CurlTransport()
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
        let transport = CurlTransport()
        let busy = try await transport.response(to: HTTPRequest(url: server.url("/busy")))
        #expect(busy.head.status == 503 && busy.head.headers["Retry-After"] == "7" && busy.body.isEmpty)
        let error = await #expect(throws: OperationFailure.self) {
            try await transport.response(to: HTTPRequest(url: server.url("/whole")))
        }
        #expect(error?.code == .badResponse)
        #expect(error?.message.contains(encoding == "gzip" ? "cannot be decompressed" : "'\(encoding)'") == true)
    }

    @Test(.timeLimit(.minutes(5))) func aStreamEndsAsTheServerEndsIt() async throws {
        let server = try ScriptedServer { connection, request in
            try connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n")
            if request.target == "/whole" { try connection.send("0\r\n\r\n") } else { connection.close() }
        }
        let transport = CurlTransport()
        let whole = try await transport.stream(HTTPRequest(url: server.url("/whole"), timeouts: .patient))
        var bytes: [UInt8] = []
        while let chunk = try await whole.next() { bytes += chunk }
        #expect(bytes == Array("abc".utf8))
        let cut = try await transport.stream(HTTPRequest(url: server.url("/cut"), timeouts: .patient))
        #expect(try await cut.next() == Array("abc".utf8))
        await #expect { try await cut.next() } throws: { ($0 as? OperationFailure)?.code == .unreachable }
    }

    @Test(.timeLimit(.minutes(5))) func anAnswerCutAtAnyByteIsTemporary() async throws {
        let answer = Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}".utf8)
        let server = try ScriptedServer { connection, request in
            try connection.send(String(decoding: answer.prefix(Int(request.target.dropFirst()) ?? 0), as: UTF8.self))
            connection.close()
        }
        let transport = CurlTransport()
        for count in answer.indices {
            let error = await #expect(throws: OperationFailure.self) {
                try await transport.response(to: HTTPRequest(url: server.url("/\(count)")))
            }
            #expect(error?.code == .unreachable, "\(count) bytes: \(error?.description ?? "")")
        }
    }

    @Test(.timeLimit(.minutes(5)), arguments: RudeListener.Manner.allCases)
    func whoeverGoesAwayBeforeTheConnectionIsEncryptedIsNotThere(manner: RudeListener.Manner) async throws {
        let listener = try RudeListener(manner)
        let url = try #require(URL(string: "https://127.0.0.1:\(listener.port)/"))
        let error = await #expect(throws: OperationFailure.self) {
            try await CurlTransport().response(to: HTTPRequest(url: url, timeouts: .patient))
        }
        #expect(error?.code == (manner == .speaksPlainly ? .insecure : .unreachable), "\(String(describing: error))")
    }

    @Test(.timeLimit(.minutes(5))) func aSilentStreamIsGivenUp() async throws {
        let server = try ScriptedServer { connection, _ in
            try connection.send("HTTP/1.1 200 OK\r\n\r\n:\n")
            connection.waitForClient()
        }
        let timeouts = HTTPTimeouts(answer: .seconds(100), idle: .milliseconds(100), total: nil)
        let stream = try await CurlTransport().stream(HTTPRequest(url: server.url(), timeouts: timeouts))
        #expect(try await stream.next() != nil)
        await #expect { try await stream.next() } throws: {
            ($0 as? OperationFailure)?.message.contains("fallen silent") == true
        }
    }

    /// The server can send only as much as the kernel's buffers hold while nobody reads.
    @Test(.timeLimit(.minutes(5))) func aFastServerWaitsForASlowReader() async throws {
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
        let stream = try await CurlTransport().stream(HTTPRequest(url: server.url(), timeouts: .patient))
        #expect(try await stream.next() != nil)
        var looks: [Int] = []
        try await until("the server waits") {
            looks.append(sent.entries.count)
            return looks.suffix(20).count { $0 == looks.last } == 20
        }
        #expect(sent.entries.count < 50)
        var count = 0
        var largest = 0
        while let chunk = try await stream.next() {
            count += chunk.count
            largest = max(largest, chunk.count)
        }
        #expect(count > 99 << 20)
        #expect(largest <= 512 * 1024)
    }

    @Test(.timeLimit(.minutes(5)), arguments: ["/head", "/body", "/stream"]) func cancellingIsPrompt(_ path: String)
        async throws
    {
        let server = try ScriptedServer { connection, request in
            if request.target != "/head" { try connection.send("HTTP/1.1 200 OK\r\n\r\n:") }
            connection.waitForClient()
        }
        let transport = CurlTransport()
        let request = HTTPRequest(url: server.url(path), timeouts: .patient)
        let reading = Task {
            guard path == "/stream" else { return _ = try await transport.response(to: request) }
            let stream = try await transport.stream(request)
            while try await stream.next() != nil {}
        }
        try await until("there is a request") { server.requests.count == 1 }
        reading.cancel()
        await #expect { try await reading.value } throws: { ($0 as? OperationFailure)?.code == .cancelled }
        try await until("the connection has ended") { server.openConnectionCount == 0 }
    }

    @Test(.timeLimit(.minutes(5))) func aStreamThatNobodyHoldsIsClosed() async throws {
        let server = try ScriptedServer { connection, _ in
            try connection.send("HTTP/1.1 200 OK\r\n\r\n:")
            connection.waitForClient()
        }
        let transport = CurlTransport()
        var stream: HTTPStream? = try await transport.stream(HTTPRequest(url: server.url(), timeouts: .patient))
        #expect(stream?.head.status == 200)
        stream = nil
        try await until("the connection has ended") { server.openConnectionCount == 0 }
    }

    @Test(.timeLimit(.minutes(5))) func aConnectionThatDiedWhileIdleIsReplaced() async throws {
        let server = try ScriptedServer { connection, request in
            try connection.respond("200 OK", [:], "\(request.body.count)")
            connection.close()
        }
        let transport = CurlTransport()
        for _ in 0..<20 {
            let response = try await transport.response(
                to: HTTPRequest(url: server.url(), method: "PUT", body: [1, 2, 3])
            )
            #expect(response.body == Array("3".utf8))
        }
    }

    @Test(.timeLimit(.minutes(5))) func cookiesAreNotKept() async throws {
        let server = try ScriptedServer { connection, _ in try connection.respond("200 OK", ["Set-Cookie": "a=b"], "") }
        let transport = CurlTransport()
        for _ in 0..<2 { _ = try await transport.response(to: HTTPRequest(url: server.url())) }
        #expect(server.requests.map { $0["cookie"] } == [nil, nil])
    }

    @Test(arguments: ["http://u:s3cret@127.0.0.1:9/", "file:///etc/passwd", "ftp://host/", "https:///x"])
    func refusesOtherAddresses(_ text: String) async throws {
        let url = try #require(URL(string: text))
        await #expect { try await CurlTransport().response(to: HTTPRequest(url: url)) } throws: { error in
            (error as? OperationFailure)?.code == .invalidSource && !"\(error)".contains("s3cret")
        }
    }
}

/// A listener that takes what a client says first, and does anything but answer by TLS.
final class RudeListener: Sendable {
    enum Manner: CaseIterable, Sendable { case closes, resets, speaksPlainly }

    let port: UInt16
    private let descriptor: Int32

    init(_ manner: Manner) throws {
        #if canImport(Glibc)
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        #else
            descriptor = socket(AF_INET, SOCK_STREAM, 0)
        #endif
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (listener, length) = (descriptor, size)
        try withUnsafeMutablePointer(to: &address) {
            try $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                try check(bind(listener, $0, length))
                try check(listen(listener, 5))
                try check(getsockname(listener, $0, &size))
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { Self.serve(listener, manner) }
    }

    deinit { shutdown(descriptor, Int32(SHUT_RDWR)) }

    private static func serve(_ listener: Int32, _ manner: Manner) {
        while true {
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { break }
            var bytes = [UInt8](repeating: 0, count: 65_536)
            _ = recv(connection, &bytes, bytes.count, 0)
            if manner == .speaksPlainly {
                let answer = Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n".utf8)
                _ = send(connection, answer, answer.count, 0)
            }
            // Closed with nothing to wait for, a connection is reset.
            var choice = linger(l_onoff: manner == .resets ? 1 : 0, l_linger: 0)
            setsockopt(connection, SOL_SOCKET, SO_LINGER, &choice, socklen_t(MemoryLayout<linger>.size))
            close(connection)
        }
        close(listener)
    }
}

extension HTTPTimeouts {
    /// For tests that are not about time, on a machine that has other things to do.
    static let patient = HTTPTimeouts(answer: .seconds(100), idle: .seconds(100), total: nil)
}
