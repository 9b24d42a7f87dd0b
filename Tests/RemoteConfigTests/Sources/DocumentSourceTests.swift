// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import ConfigWire
import Foundation
import HTTPTransport
import RemoteConfig
import TestSupport
import Testing

@testable import RemoteConfig

/// The results of a document source for all kinds of HTTP responses.
struct DocumentSourceTests {
    /// A response as bytes, and its result.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var answer: @Sendable (ScriptedConnection, ScriptedRequest) throws -> Void
        /// The code of the error; `nil` if the value arrives.
        var code: ConfigError.Code?
        /// A part of the message.
        var hint = ""
        var retryAfter: Duration?

        var testDescription: String { name }
    }

    private static let document = #"{"k": "v"}"#

    private static func answer(
        _ name: String,
        _ status: String,
        _ fields: [String: String] = [:],
        body: [UInt8]? = nil,
        _ code: ConfigError.Code? = nil,
        hint: String = "",
        retryAfter: Duration? = nil
    ) -> Case {
        let bytes = body ?? Array(document.utf8)
        return Case(
            name: name,
            answer: { connection, _ in try connection.respond(status, fields, body: bytes) },
            code: code,
            hint: hint,
            retryAfter: retryAfter
        )
    }

    private static func raw(_ name: String, _ text: String, _ code: ConfigError.Code?, hint: String = "") -> Case {
        let send: @Sendable (ScriptedConnection, ScriptedRequest) throws -> Void = { connection, _ in
            try connection.send(text)
            connection.close()
        }
        return Case(name: name, answer: send, code: code, hint: hint)
    }

    private static func redirect(_ status: String) -> Case {
        let send: @Sendable (ScriptedConnection, ScriptedRequest) throws -> Void = { connection, request in
            if request.target == "/there" { return try connection.respond("200 OK", [:], document) }
            try connection.respond(status, ["Location": "/there"], "moved")
        }
        return Case(name: status, answer: send)
    }

    private static let html = Array("<!doctype html><title>Log in</title>".utf8)
    private static let ok = "HTTP/1.1 200 OK\r\n"

    private static let cases: [Case] = [
        answer("200", "200 OK", ["Content-Type": "application/json; charset=utf-8"]),
        answer("200 without a type", "200 OK"),
        answer("200 as text", "200 OK", ["Content-Type": "text/plain"]),
        answer("200 as +json", "200 OK", ["Content-Type": "application/vnd.x+json"]),
        answer("200 as an image", "200 OK", ["Content-Type": "image/png"], .badResponse, hint: "image/png"),
        answer("a page", "200 OK", ["Content-Type": "text/html"], body: html, .badResponse, hint: "log in"),
        answer("JSON as a page", "200 OK", ["Content-Type": "text/html"], .badResponse, hint: "log in"),
        raw("204", "HTTP/1.1 204 No Content\r\n\r\n", .badResponse, hint: "204"),
        raw("304 without having asked", "HTTP/1.1 304 Not Modified\r\n\r\n", .badResponse, hint: "304"),
        redirect("302 Found"),
        answer("401", "401 Unauthorized", [:], .unauthorized, hint: "missing or invalid token"),
        answer(
            "429",
            "429 Too Many Requests",
            ["Retry-After": "7"],
            .rateLimited,
            hint: "429",
            retryAfter: .seconds(7)
        ),
        answer("bad JSON", "200 OK", body: Array("{\"k\": }".utf8), .syntax),
        answer(
            "an undeclared gzip file",
            "200 OK",
            ["Content-Type": "application/gzip"],
            body: [0x1F, 0x8B, 0x08],
            .badResponse,
            hint: "'Content-Encoding: gzip'"
        ),
        answer("a byte-order mark", "200 OK", body: [0xEF, 0xBB, 0xBF] + Array(document.utf8)),
        raw("no HTTP", "SSH-2.0-OpenSSH_9.2\r\n", .badResponse, hint: "is not HTTP"),
        raw("a head of 1 MB", ok + "X: " + String(repeating: "x", count: 1_000_000) + "\r\n\r\n", .unreachable),
    ]

    @Test(.timeLimit(.minutes(5)), arguments: cases) func makesOfAnAnswer(_ expected: Case) async throws {
        let server = try ScriptedServer(expected.answer)
        let source = DocumentSource(url: server.url())
        do throws(ConfigError) {
            let reading = try await source.read()
            #expect(expected.code == nil)
            #expect(reading.document?.entries["k"]?.value == .string("v"))
        } catch {
            #expect(error.code == expected.code, "\(error)")
            #expect(expected.hint.isEmpty || error.message.contains(expected.hint), "\(error)")
            #expect(error.retryAfter == expected.retryAfter)
            #expect(error.description.hasPrefix(server.url().absoluteString))
        }
    }

    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            "HTTP/1.1 503 X\r\nContent-Length: 4\r\n\r\nbusy", ok + "Content-Length: 6\r\n\r\n{\"k\": ",
            ok + "Content-Length: 100\r\n\r\n" + document,
        ]
    ) func countsBytesOfUnusableAnswers(answer: String) async throws {
        let server = try ScriptedServer { connection, _ in
            try connection.send(answer)
            connection.close()
        }
        let error = await #expect(throws: ConfigError.self) { try await DocumentSource(url: server.url()).read() }
        #expect(error?.bytesReceived == answer.utf8.count)
    }

    @Test(.timeLimit(.minutes(5))) func reportsSkippedKeys() async throws {
        let server = try ScriptedServer { connection, _ in
            try connection.respond("200 OK", ["ETag": "\"1\""], #"{"k": "v", "note": null}"#)
        }
        let reading = try await DocumentSource(url: server.url()).read()
        #expect(reading.document?.entries["k"]?.value == "v")
        #expect(reading.problem?.key == "note" && reading.problem?.location?.description == "1:20")
    }

    @Test(.timeLimit(.minutes(5))) func requestsOnlyChangedDocuments() async throws {
        let server = try ScriptedServer { connection, request in
            let marks = [
                "ETag": "\"1\"", "Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT", "Cache-Control": "max-age=60",
            ]
            if request["if-none-match"] == "\"1\"" {
                return try connection.send("HTTP/1.1 304 X\r\nCache-Control: max-age=90\r\n\r\n")
            }
            try connection.respond("200 OK", marks, Self.document)
        }
        let source = DocumentSource(url: server.url("/c.json?key=secret"))
        let first = try await source.read()
        #expect(first.nextReadAfter == .seconds(60))
        #expect(first.modifiedAt?.milliseconds == 784_111_777_000)
        let marks = SourceValidators(entityTag: "\"1\"", lastModified: "Sun, 06 Nov 1994 08:49:37 GMT")
        #expect(first.validators == marks)
        let second = try await source.read(after: SourcePosition(validators: first.validators))
        #expect(second.content == .unchanged)
        #expect(second.validators == marks)
        #expect(second.nextReadAfter == .seconds(90))
        #expect(server.requests.map { $0["if-modified-since"] } == [nil, nil])
        #expect(server.requests.allSatisfy { $0["user-agent"] == "livery/0.9.0" && $0["accept-encoding"] == "gzip" })
        #expect(server.connectionCount == 1)
        #expect(!source.name.contains("secret"))
    }

    /// An invalid document is sent once, with any validator, and another one is used at once.
    @Test(
        .timeLimit(.minutes(5)),
        arguments: [
            (["ETag": "\"bad\""], ["ETag": "W/\"bad\""]), (["ETag": "\"bad\""], [:]),
            (["Last-Modified": "Sun, 06 Nov 1994 08:49:37 GMT"], [:]),
        ] as [([String: String], [String: String])],
        [nil, "\"good\""]
    )
    func validatorOfAnInvalidDocumentIsDropped(
        _ marks: ([String: String], [String: String]),
        _ known: String?
    ) async throws {
        let state = Log<String>()
        let server = try ScriptedServer { connection, request in
            if state.entries.last == "mended" { return try connection.respond("200 OK", [:], Self.document) }
            let isKnown = request["if-none-match"]?.contains("bad") == true || request["if-modified-since"] != nil
            guard isKnown else {
                let fields = marks.0.merging(["Cache-Control": "max-age=300"]) { $1 }
                return try connection.respond("200 OK", fields, "{")
            }
            let fields = marks.1.map { "\($0.key): \($0.value)\r\n" }.joined()
            try connection.send("HTTP/1.1 304 X\r\n\(fields)\r\n")
        }
        let source = DocumentSource(url: server.url())
        // A date is ignored next to a tag, and a 304 without a tag is ambiguous after two.
        let isAmbiguous = known != nil && marks.1.isEmpty
        let position = SourcePosition(validators: known.map { SourceValidators(entityTag: $0) })
        for round in 0..<(isAmbiguous ? 2 : 4) {
            let error = await #expect(throws: ConfigError.self) { try await source.read(after: position) }
            #expect(error?.code == .syntax)
            if round == 0 { #expect(error?.freshFor == .seconds(300)) }
        }
        if !isAmbiguous {
            #expect(
                server.requests.dropFirst().allSatisfy {
                    $0["if-none-match"]?.contains("bad") == true || $0["if-modified-since"] != nil
                }
            )
        }
        state.append("mended")
        #expect(try await source.read(after: position).document?.entries.count == 1)
        _ = try await source.read()
        #expect(server.requests.last?["if-none-match"] == nil, "what was no good is forgotten")
    }

    @Test(.timeLimit(.minutes(5))) func asksByDateWhereThereIsNoTag() async throws {
        let server = try ScriptedServer { connection, request in try connection.respond("200 OK", [:], Self.document) }
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        _ = try await DocumentSource(url: server.url()).read(
            after: SourcePosition(validators: .init(lastModified: date))
        )
        #expect(server.requests.first?["if-modified-since"] == date)
    }

    @Test(.timeLimit(.minutes(5))) func nothingListensThere() async throws {
        let server = try ScriptedServer { _, _ in }
        server.stop()
        let source = DocumentSource(url: server.url("/c.json?key=secret"))
        await #expect { try await source.read() } throws: { error in
            let error = error as? ConfigError
            return error?.code == .unreachable && error?.message.contains("127.0.0.1:\(server.port)") == true
                && error?.description.contains("secret") == false
        }
    }

    @Test func aTokenDoesNotLeaveThisMachineWithoutEncryption() async throws {
        let url = try #require(URL(string: "http://192.0.2.1:9/c.json"))
        let source = DocumentSource(url: url, tokens: .fixed(try BearerToken("s3cret")))
        await #expect { try await source.read() } throws: { error in
            let error = error as? ConfigError
            return error?.code == .insecure && error?.description.contains("s3cret") == false
        }
    }

    /// 1 GiB of zeros are a few MB of gzip. Were they decompressed before anyone counts, this would take
    /// seconds and all the memory.
    @Test(.timeLimit(.minutes(5)), .enabled(if: Command.isInstalled("gzip"), "gzip makes the body"))
    func aBombIsNotUnpacked() async throws {
        let folder = try TemporaryDirectory()
        let pack = Command.shell("head -c 67108864 /dev/zero | gzip -1 > '\(folder["bomb"])'")
        _ = try await onDedicatedThread { try pack.run(deadline: .seconds(100)) }
        let bomb = try folder.read("bomb")
        let server = try ScriptedServer { connection, request in
            if request.target == "/ok" { return try connection.respond("200 OK", [:], Self.document) }
            try connection.respond("200 OK", ["Content-Encoding": "gzip"], body: bomb)
        }
        await #expect { try await DocumentSource(url: server.url()).read() } throws: {
            ($0 as? ConfigError)?.code == .tooLarge
        }
        #expect(try await DocumentSource(url: server.url("/ok")).read().document != nil)
    }
}

struct CachingRuleTests {
    private static let now = Timestamp(milliseconds: 784_111_777_000)

    @Test(
        arguments: [
            ([:], 30), (["Cache-Control": "max-age=60"], 60), (["Cache-Control": "public, Max-Age=60"], 60),
            (["Cache-Control": "max-age=\"60\""], 60), (["Cache-Control": "max-age=0"], 5),
            (["Cache-Control": "max-age=86400"], 300),
            (["Cache-Control": "max-age=99999999999999999999"], 300), (["Cache-Control": "max-age=x"], 5),
            (["Cache-Control": "max-age=-1"], 5), (["Cache-Control": "max-age"], 30),
            (["Cache-Control": "no-cache"], 5),
            (["Cache-Control": "no-store, max-age=60"], 5), (["Cache-Control": "s-maxage=60"], 30),
            (["Cache-Control": "s-maxage=9, max-age=60"], 60), (["Cache-Control": "max-age=60", "Age": "20"], 40),
            (["Cache-Control": "max-age=60", "Age": "90"], 5), (["Cache-Control": "max-age=60", "Age": "-9"], 60),
            (["Cache-Control": "max-age=60", "Age": "x"], 60), (["Age": "20"], 30),
            (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT"], 60), (["Expires": "Sun, 06 Nov 1994 08:00:00 GMT"], 5),
            (["Expires": "0"], 5), (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT", "Cache-Control": "max-age=100"], 100),
            (["Expires": "Sun, 06 Nov 1994 08:50:37 GMT", "Date": "Sun, 06 Nov 1994 08:50:27 GMT"], 10),
        ] as [([String: String], Int)]
    ) func asksAsOftenAsTheServerSuggests(_ fields: [String: String], _ seconds: Int) {
        let headers = HTTPHeaders(fields.map { (name: $0.key, value: $0.value) })
        let stated = CachingRule.statedInterval(after: headers, at: Self.now)
        #expect((stated ?? CachingRule.usual) == .seconds(seconds))
    }
}
