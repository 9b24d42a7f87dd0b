// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigStoreTesting
import HubTestSupport
import NIOCore
import NIOHTTP1
import Testing

@testable import ConfigServer

struct HostFieldTests {
    @Test(
        arguments: [
            ("localhost", "localhost"), ("LOCALHOST:3000", "LOCALHOST"), ("127.0.0.1:1", "127.0.0.1"),
            ("[::1]", "[::1]"), ("[fe80::1]:65535", "[fe80::1]"), ("a.example.", "a.example."), ("", ""), ("a:", "a"),
            ("[::]:80", "[::]"), ("%41.example", "%41.example"), ("a_b~c-d!$&'()*+,;=", "a_b~c-d!$&'()*+,;="),
        ]
    )
    func hostIsParsedWithAndWithoutAPort(text: String, host: String) throws {
        #expect(try #require(HostField(text)).host == host)
    }

    @Test(arguments: [
        "a b", "a/b", "a?b", "a#b", "user@host", "a\\b", "[::1", "::1", "[::1]x", "[]", "[a%25b]:1", "[fe80::1%eth0]",
        "a:x", "a:-1", "a:65536", "a:1:2", "%4", "%zz", "é", "a\u{0}", "a,b c", "\"a\"", "<a>", "a:１",
    ])
    func invalidHostsAreRefused(text: String) {
        #expect(HostField(text) == nil)
    }
}

@Suite(.timeLimit(.minutes(2)))
struct SecurityFieldsTests {
    @Test func everyAnswerHasTheStrictPolicy() async throws {
        try await withHub(ReferenceStore()) { hub in
            let server = EmbeddedServer(hub, tokens: [])
            defer { server.stop() }
            let connection = try server.connection()
            defer { connection.close() }
            func policies(of reply: Reply) throws -> [Substring] {
                try connection.read("GET /console HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
                connection.answerRoutes(with: reply)
                let fields = try connection.written().split(separator: "\r\n")
                #expect(fields.contains("x-content-type-options: nosniff"))
                return fields.filter { $0.hasPrefix("content-security-policy: ") }
            }
            let data = Reply(headers: ["etag": "\"1\""], body: ByteBuffer(string: "{}"))
            let known = try data.applying(ReadConditions([("if-none-match", "\"1\"")]))
            #expect(known.status == .notModified)
            let strict: Substring = "content-security-policy: default-src 'none'; frame-ancestors 'none'"
            for reply in [data, known, Problem.notReady.reply] { #expect(try policies(of: reply) == [strict]) }
        }
    }
}
