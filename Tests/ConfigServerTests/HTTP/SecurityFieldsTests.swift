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
