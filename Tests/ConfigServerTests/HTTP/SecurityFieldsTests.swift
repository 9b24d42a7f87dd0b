// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigStoreTesting
import HubTestSupport
import NIOCore
import NIOHTTP1
import Testing

@testable import ConfigServer

@Suite(.timeLimit(.minutes(2)))
struct SecurityFieldsTests {
    @Test func pageHasItsOwnPolicyAndDataKeepsTheStrictOne() async throws {
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
            var page = Reply(
                headers: ["content-type": "text/html", "etag": "\"1\""],
                body: ByteBuffer(string: "<h1>Console</h1>")
            )
            page.security = SecurityFields(policy: "default-src 'self'")
            let known = try page.applying(ReadConditions([("if-none-match", "\"1\"")]))
            #expect(known.status == .notModified)
            for reply in [page, known] {
                #expect(try policies(of: reply) == ["content-security-policy: default-src 'self'"])
            }
            let strict: Substring = "content-security-policy: default-src 'none'; frame-ancestors 'none'"
            #expect(try policies(of: .json(ByteBuffer(string: "{}"))) == [strict])
            #expect(try policies(of: Problem.notReady.reply) == [strict])
        }
    }
}
