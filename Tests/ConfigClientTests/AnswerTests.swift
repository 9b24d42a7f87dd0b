// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import Foundation
import TestSupport
import Testing

@testable import ConfigClient
@testable import HTTPTransport

struct AnswerTests {
    private static let now = Timestamp(milliseconds: 784_111_777_000)

    @Test(
        arguments: [
            ("120", nil, .seconds(120)), ("0", nil, .zero), ("-5", nil, nil), ("x", nil, nil),
            ("999999999", nil, .seconds(3600)),
            ("Sun, 06 Nov 1994 08:50:07 GMT", nil, .seconds(30)), ("Sun, 06 Nov 1994 08:00:00 GMT", nil, .zero),
            // Of a server whose clock is a day ahead, or a day behind.
            ("Mon, 07 Nov 1994 08:49:40 GMT", "Mon, 07 Nov 1994 08:49:37 GMT", .seconds(3)),
            ("Sat, 05 Nov 1994 08:49:40 GMT", "Sat, 05 Nov 1994 08:49:37 GMT", .seconds(3)),
            ("Sun, 06 Nov 1994 08:50:07 GMT", "yesterday", .seconds(30)), (nil, nil, nil),
        ] as [(String?, String?, Duration?)]
    ) func retryAfterIsSecondsOrADate(_ text: String?, _ date: String?, _ delay: Duration?) throws {
        let url = try #require(URL(string: "http://host/"))
        var head = HTTPResponseHead(status: 503, headers: [:], url: url)
        (head.headers["retry-after"], head.headers["date"]) = (text, date)
        #expect(head.problem(at: Self.now)?.retryAfter == delay)
    }

    @Test func violationsOfSchemasComeWithTheRefusal() throws {
        let url = try #require(URL(string: "http://host/"))
        let violations = [
            ViolationMessage(
                key: "app.size",
                schema: "app.*",
                pointer: "",
                limit: 9,
                found: 12,
                message: "12 is more than 9"
            )
        ]
        let details = ProblemDetails(type: "x", title: "t", status: 422, detail: "no", key: "k", violations: violations)
        let fields: HTTPHeaders = ["Content-Type": "application/problem+json"]
        for (status, expected) in [(422, violations), (401, [])] {
            let error = HTTPResponseHead(status: status, headers: fields, url: url).problem(body: details.json)
            #expect(error?.violations == expected)
            #expect(error?.code == (status == 422 ? .rejected : .unauthorized))
        }
    }

    @Test(arguments: [true, false]) func statusMapsToTheSameErrorEverywhere(isOurs: Bool) throws {
        let url = try #require(URL(string: "http://host/"))
        let fields: HTTPHeaders = isOurs ? ["Content-Type": "application/problem+json"] : ["Content-Type": "text/html"]
        let body = #"{"type":"urn:livery:problem:x","title":"t","status":400,"detail":"so it is"}"#
        for status in 300..<600 {
            var head = HTTPResponseHead(status: status, headers: fields, url: url)
            head.headers["Retry-After"] = "Sun, 06 Nov 1994 08:49:37 GMT"
            let fault = head.problem(body: Array(body.utf8))
            #expect(head.problem()?.code == fault?.code, "\(status)")
            #expect(fault?.retryAfter == .zero)
        }
    }

    @Test(arguments: [
        (404, ConfigError.Code.notFound, ConfigError.Code.badResponse), (410, .notFound, .badResponse),
        (400, .badResponse, .badResponse), (409, .badResponse, .badResponse), (501, .badResponse, .badResponse),
        (401, .unauthorized, .unauthorized), (407, .forbidden, .forbidden), (511, .forbidden, .forbidden),
        (408, .unavailable, .unavailable), (413, .tooLarge, .tooLarge), (503, .unavailable, .unavailable),
    ])
    func onlyADocumentMayBeMissingInWordsOfAnyHost(
        status: Int,
        document: ConfigError.Code,
        server: ConfigError.Code
    ) throws {
        let head = HTTPResponseHead(status: status, headers: [:], url: try #require(URL(string: "http://host/")))
        #expect(head.problem(isDocument: true)?.code == document)
        #expect(head.problem()?.code == server)
    }

    @Test(arguments: [
        // A server behind a proxy that sends HTTP/1.0, as nginx does by default.
        (426, ["(status 426)", "'proxy_http_version 1.1'"]),
        (301, ["redirected the request to https://host:443 (status 301)"]), (304, ["for an unconditional request"]),
    ])
    func messageNamesTheCause(status: Int, hints: [String]) throws {
        let url = try #require(URL(string: "http://host/flags?key=secret"))
        let headers: HTTPHeaders = status == 301 ? ["Location": "https://host/flags?key=secret"] : [:]
        let head = HTTPResponseHead(status: status, headers: headers, url: url)
        for isDocument in [true, false] {
            let error = try #require(head.problem(isDocument: isDocument))
            #expect(status == 426 || error.code == .badResponse)
            #expect(hints.allSatisfy(error.message.contains), "\(error)")
            #expect(!error.message.contains("secret") && (status == 301 || !error.message.contains("redirect")))
        }
    }

    @Test(
        arguments: [
            (nil, 8 << 20), ("", 8 << 20), ("x", 8 << 20), ("-1", 8 << 20), ("1", 8 << 20), ("67108864", 64 << 20),
            ("1073741824", 1 << 30), ("1073741825", 1 << 30), ("99999999999999999999999", 1 << 30),
        ] as [(String?, Int)]
    )
    func anAnswerMayBeAsLargeAsItsServerAnnounces(announced: String?, most: Int) throws {
        let url = try #require(URL(string: "http://h:1/"))
        for takesAnnouncedSize in [true, false] {
            let limit = HTTPProgress.Limit.refuse(
                above: 8 << 20,
                unless: takesAnnouncedSize ? AnnouncedSize.stated(in:) : nil
            )
            var progress = HTTPProgress(server: "h:1", timeouts: .document, limit: limit)
            var head = HTTPResponseHead(status: 200, headers: [:], url: url)
            head.headers["Livery-Max-Size"] = announced
            progress.received(head, at: .now)
            guard case .refuse(let allowed, _) = progress.limit else {
                Issue.record("any size is taken")
                return
            }
            #expect(allowed == (takesAnnouncedSize ? most : 8 << 20))
        }
    }
}
