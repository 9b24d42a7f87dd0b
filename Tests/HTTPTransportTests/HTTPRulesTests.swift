// SPDX-License-Identifier: Apache-2.0

import Basics
import Foundation
import Synchronization
import Testing

@testable import HTTPTransport

struct HTTPRulesTests {
    @Test func aLargeWriteMayTakeLonger() {
        let small = HTTPTimeouts.document
        #expect(small.writing(100_000) == small)
        let large = small.writing(1024 * 1024)
        #expect(large == HTTPTimeouts(answer: small.answer + .seconds(8), idle: small.idle, total: .seconds(68)))
        #expect(HTTPTimeouts.stream.writing(1024 * 1024).total == nil)
    }

    @Test(
        arguments: [
            ("GET", 302, "/b", "https://a/b", true), ("GET", 301, "b?c", "https://a/b?c", true),
            ("GET", 307, "https://a:443/b", "https://a:443/b", true), ("GET", 308, "//b/c", "https://b/c", false),
            ("GET", 302, "https://a:444/b", "https://a:444/b", false), ("GET", 303, "https://A/b", "https://A/b", true),
            ("GET", 302, "https://sub.a/b", "https://sub.a/b", false), ("HEAD", 301, "/b", "https://a/b", true),
            ("PUT", 307, "/b", "https://a/b", true), ("PUT", 302, "/b", nil, true), ("POST", 303, "/b", nil, true),
            ("GET", 304, "/b", nil, true), ("GET", 200, "/b", nil, true), ("GET", 300, "/b", nil, true),
        ] as [(String, Int, String, String?, Bool)]
    )
    func followsRedirects(_ method: String, _ status: Int, _ location: String, _ next: String?, _ keepsToken: Bool)
        throws
    {
        let url = try #require(URL(string: "https://a/x"))
        var request = HTTPRequest(url: url, method: method)
        request.authorization = { "Bearer t" }
        let head = HTTPResponseHead(status: status, headers: ["Location": location], url: url)
        let followed = try RedirectRule.next(after: head, to: request, count: 4)
        #expect(followed?.url.absoluteString == next)
        #expect(followed?.method == (next == nil ? nil : method))
        if next != nil { #expect((followed?.authorization != nil) == keepsToken) }
    }

    @Test func redirectBackGetsNoCredentials() async throws {
        let connector = RedirectingConnector(to: ["https://b/x", "https://a/chosen-by-b", nil])
        var settings = TransportSettings()
        settings.headers = ["X-Key": "secret"]
        settings.pinnedPublicKeys = ["sha256//AAAA"]
        settings.clientIdentity = TransportSettings.ClientIdentity(
            certificate: .file("c.pem"),
            key: .file("k.pem"),
            password: nil
        )
        let client = HTTPClient(settings: settings) { connector }
        var request = HTTPRequest(url: try #require(URL(string: "https://a/x")))
        request.authorization = { "Bearer t" }
        let response = try await client.response(to: request)
        #expect(response.head.status == 200)
        let begun = connector.begun.withLock(\.self)
        #expect(begun.map(\.request.url.absoluteString) == ["https://a/x", "https://b/x", "https://a/chosen-by-b"])
        #expect(begun.map { $0.settings.headers["X-Key"] } == ["secret", nil, nil])
        #expect(begun.map { $0.settings.clientIdentity != nil } == [true, false, false])
        #expect(begun.map { $0.request.authorization != nil } == [true, false, false])
        #expect(begun.map(\.settings.pinnedPublicKeys.count) == [1, 0, 1], "the key is that of the origin")
    }

    @Test func repeatedFieldsAreListsOrTheFirstCounts() {
        let fields = [
            "Retry-After", "ETag", "Last-Modified", "Age", "Expires", "Content-Type", "Location", "Date",
            "Livery-Max-Size",
        ]
        for name in fields {
            #expect(
                HTTPHeaders([(name: name, value: "60"), (name: name.lowercased(), value: "61")])[name] == "60",
                "\(name)"
            )
        }
        #expect(
            HTTPHeaders([(name: "Cache-Control", value: "no-cache"), (name: "cache-control", value: "a=1")])[
                "Cache-Control"
            ] == "no-cache, a=1"
        )
    }

    @Test(
        arguments: [
            ("POST", 307, "https://b/"), ("POST", 308, "//b/"), ("PUT", 308, "https://a:444/x"),
            ("PATCH", 307, "https://sub.a/x"), ("DELETE", 307, "https://b/"), ("GET", 307, "https://b/"),
        ] as [(String, Int, String)]
    )
    func noOtherOriginGetsABody(_ method: String, _ status: Int, _ location: String) throws {
        let url = try #require(URL(string: "https://a/x"))
        let body: [UInt8]? = method == "DELETE" ? nil : [1]
        let request = HTTPRequest(url: url, method: method, body: body)
        let head = HTTPResponseHead(status: status, headers: ["Location": location], url: url)
        let error = #expect(throws: OperationFailure.self) { try RedirectRule.next(after: head, to: request, count: 0) }
        #expect(error?.code == .insecure)
        let same = HTTPResponseHead(status: status, headers: ["Location": "https://A:443/y"], url: url)
        #expect(try RedirectRule.next(after: same, to: request, count: 0)?.body == body)
    }

    @Test(arguments: [
        ("http://a/b", 0, ErrorCode.insecure), ("ftp://a/b", 0, .badResponse), ("/b", 5, .badResponse),
    ])
    func refusesRedirects(_ location: String, _ count: Int, _ code: ErrorCode) throws {
        let url = try #require(URL(string: "https://a/x"))
        let head = HTTPResponseHead(status: 302, headers: ["Location": location], url: url)
        #expect { try RedirectRule.next(after: head, to: HTTPRequest(url: url), count: count) } throws: {
            ($0 as? OperationFailure)?.code == code
        }
    }

    /// Hosts to which a token may be sent without encryption.
    @Test(
        arguments: [
            ("http://127.0.0.1/", nil, nil, true), ("http://h/", nil, nil, false), ("http://h/", nil, "/run/s", true),
            ("http://127.0.0.1/", "http://127.0.0.1:1", nil, true), ("http://127.0.0.1/", "http://p:1", nil, false),
            ("http://h/", "http://127.0.0.1:1", nil, false),
        ] as [(String, String?, String?, Bool)]
    )
    func detectsTrafficThatLeavesTheMachine(_ url: String, _ proxy: String?, _ socket: String?, _ stays: Bool) throws {
        var settings = TransportSettings()
        settings.unixSocket = socket
        if let origin = proxy.flatMap({ URL(string: $0) }).flatMap(Origin.init) {
            settings.proxy = TransportSettings.HTTPProxy(origin: origin, user: nil, password: nil)
        }
        let origin = try #require(URL(string: url).flatMap(Origin.init))
        #expect(settings.staysOnThisMachine(origin) == stays)
    }

    @Test(arguments: [
        ("http://127.0.0.1/", true), ("http://127.9.9.9:80/", true), ("http://[::1]:3000/", true),
        ("http://LOCALHOST/", true),
        ("http://128.0.0.1/", false), ("http://127.0.0.1.evil.example/", false),
        ("http://localhost.evil.example/", false),
        ("http://[::2]/", false), ("http://127.0.0/", false),
    ]) func knowsThisMachine(_ text: String, _ isLoopback: Bool) throws {
        let url = try #require(URL(string: text))
        #expect(try #require(Origin(url)).isLoopback == isLoopback)
    }

    @Test(
        arguments: [
            (.seconds(3), nil), (.seconds(10), "no response from h:1 within 10 s"),
        ] as [(Duration, String?)]
    ) func waitsForTheHead(_ time: Duration, _ message: String?) {
        let start = ContinuousClock.now
        var progress = HTTPProgress(server: "h:1", timeouts: .document, limit: .pause(at: 1), start: start)
        progress.checkTime(start + time)
        #expect(progress.outcome?.failure?.message == message)
    }

    /// A slow small response has a minute; a large one over a slow line has as long as it needs.
    @Test(arguments: [(1, 60), (15 << 10, nil), (17 << 10, nil), (1 << 20, nil)])
    func aLargeAnswerHasTheTimeThatItNeeds(bytesPerSecond: Int, end: Int?) throws {
        let start = ContinuousClock.now
        let url = try #require(URL(string: "http://h:1/"))
        let limit = HTTPProgress.Limit.refuse(above: 1 << 30)
        var progress = HTTPProgress(server: "h:1", timeouts: .document, limit: limit, start: start)
        progress.received(HTTPResponseHead(status: 200, headers: [:], url: url), at: start)
        let bytes = [UInt8](repeating: 0, count: bytesPerSecond)
        var ended: Int?
        for second in 1...120 where ended == nil {
            progress.checkTime(start + .seconds(second))
            if progress.outcome != nil {
                ended = second
            } else {
                _ = progress.received(bytes, at: start + .seconds(second))
            }
        }
        #expect(ended == end)
    }

    @Test func silenceIsNotCountedWhileReaderIsBusy() throws {
        let start = ContinuousClock.now
        let url = try #require(URL(string: "http://h:1/"))
        let timeouts = HTTPTimeouts(answer: .seconds(10), idle: .seconds(25), total: nil)
        var progress = HTTPProgress(server: "h:1", timeouts: timeouts, limit: .pause(at: 2), start: start)
        progress.received(HTTPResponseHead(status: 200, headers: [:], url: url), at: start)
        _ = progress.received([1, 2], at: start + .seconds(20))
        progress.checkTime(start + .seconds(44))
        #expect(progress.outcome == nil)
        #expect(progress.received([3], at: start + .seconds(44)) == .later)
        progress.checkTime(start + .seconds(4000))
        #expect(progress.outcome == nil && progress.deadline == nil)
        #expect(progress.drainUnread(at: start + .seconds(4000)) == [1, 2])
        progress.checkTime(start + .seconds(4025))
        #expect(progress.outcome?.failure?.code == .unreachable)
    }
}

/// Answers each request with a redirect to the next of the addresses, and with 200 where it is `nil`.
private final class RedirectingConnector: HTTPConnector {
    let begun = Mutex<[(request: HTTPRequest, settings: TransportSettings)]>([])
    private let targets: [String?]

    init(to targets: [String?]) { self.targets = targets }

    func begin(_ request: HTTPRequest, by settings: TransportSettings, _ progress: HTTPProgress) -> HTTPExchange {
        let count = begun.withLock { begun in
            begun.append((request, settings))
            return begun.count
        }
        let target = targets[count - 1]
        var head = HTTPResponseHead(status: target == nil ? 200 : 302, headers: [:], url: request.url)
        head.headers["Location"] = target
        let exchange = HTTPExchange(progress) {}
        exchange.received(head, in: 0)
        exchange.end(.success(()))
        return exchange
    }

    func close() {}
}

extension Result where Success == Void, Failure == OperationFailure {
    fileprivate var failure: OperationFailure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
