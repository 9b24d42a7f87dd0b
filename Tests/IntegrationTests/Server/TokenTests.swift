// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tokens in the hands of an operator: made, listed, used, replaced.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct TokenTests {
    @Test func aTokenIsPrintedOnceAndStoredHashed() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        let first = try makeToken("ci", role: "write", namespaces: "web,shop", in: folder)
        let second = try makeToken("ops", role: "admin", in: folder)
        #expect(first.wholeMatch(of: /livery_[0-9a-f]{64}/) != nil)
        #expect(first != second)

        let path = folder["tokens"]
        #expect(try folder.mode(of: "tokens") == 0o600)
        let file = String(decoding: try folder.read("tokens"), as: UTF8.self)
        #expect(file.split(separator: "\n").count == 2)
        let list = try liveryServer(["token", "list", "--plain"], environment: ["LIVERY_TOKEN_FILE": path])
        let table = """
            NAME  SUBJECT  ROLE   NAMESPACES  EXPIRES
            ci    ci       write  shop,web    -
            ops   ops      admin  *           -

            """
        #expect(list.standardOutput == table)
        for token in [first, second] {
            #expect(!file.contains(token.dropFirst(7)))
            #expect(!list.standardOutput.contains(token.dropFirst(7)))
        }

        let again = try liveryServer(["token", "create", "ci", "--token-file", path])
        #expect(again.status == .exited(1))
        #expect(again.standardOutput.isEmpty)
        let complaint = "the token 'ci' already exists; choose another name, or use 'livery-server token rotate'"
        #expect(again.standardError == "livery-server: \(path): \(complaint)\n")
        #expect(String(decoding: try folder.read("tokens"), as: UTF8.self) == file)
        for arguments in [
            ["x", "--role", "god"], [""], ["x\ny"], ["\u{1B}[31mx"], ["x\ty"], ["x\u{2028}y"],
            ["x", "--namespaces", "A B"], ["x", "--namespaces", ","],
        ] {
            #expect(try liveryServer(["token", "create"] + arguments).status == .exited(64), "\(arguments)")
        }
    }

    /// People read their own time, programs UTC; both read the same of each token.
    @Test func theListIsATableForPeopleAndJSONForPrograms() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        _ = try makeToken("ci", role: "write", namespaces: "web,shop", in: folder)
        let line = String(decoding: try folder.read("tokens"), as: UTF8.self).dropLast(2)
        try folder.writeSecret(line + #","expires_at":"2026-07-01T22:30:00Z"}"# + "\n", to: "tokens")
        _ = try makeToken("ops", role: "admin", in: folder)
        let arguments = ["token", "list", "--token-file", "tokens"]
        let zone = ["TZ": "EST5"]
        let table = try liveryServer(arguments + ["--plain"], environment: zone, in: folder).standardOutput
        #expect(table.contains("ci    ci       write  shop,web    2026-07-01 17:30:00\n"), "\(table)")
        let json = try liveryServer(arguments, environment: zone, in: folder).standardOutput
        #expect(try liveryServer(arguments + ["--json"], environment: zone, in: folder).standardOutput == json)
        let members = try jsonMembers(json)
        #expect(members["file"] as? String == "tokens")
        let tokens = try #require(members["tokens"] as? [[String: Any]])
        for token in tokens { #expect(Set(token.keys) == ["name", "subject", "role", "namespaces", "expires_at"]) }
        #expect(tokens.map { $0["namespaces"] as? [String] } == [["shop", "web"], nil])
        #expect(tokens.map { $0["namespaces"] as? String } == [nil, "*"])
        #expect(tokens.map { $0["expires_at"] as? String } == ["2026-07-01T22:30:00.000Z", nil])
        #expect(try liveryServer(arguments + ["--json", "--plain"], in: folder).status == .exited(64))

        // A name that was put into the file by hand.
        let hash = String(repeating: "a", count: 64)
        let other = #"{"name":"a\u001b[31m\tb\nc","sha256":"\#(hash)","role":"read","namespaces":"*"}"#
        try folder.writeSecret(other + "\n", to: "tokens")
        let list = try liveryServer(arguments + ["--plain"], in: folder)
        #expect(list.status == .exited(65) && list.standardOutput.isEmpty)
        let message = list.standardError
        #expect(message.contains(#"'a\u001b[31m\u0009b\u000ac'"#), "\(message)")
        #expect(message.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    }

    @Test func withoutAFileTheLineAndTheTokenAreSeparate() throws {
        let output = try liveryServer(["token", "create", "ci"])
        #expect(output.standardOutput.hasPrefix(#"{"name":"ci","sha256":""#))
        #expect(output.standardError.wholeMatch(of: /token: livery_[0-9a-f]{64}\n/) != nil)
    }

    @Test func reloadReadsTokensAndIgnoresABrokenFile() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        let old = try makeToken("old", role: "read", in: folder)
        let server = try RunningServer(arguments: ["--token-file", "tokens"], folder: folder)
        #expect(try server.ask("GET", "/v1", token: old).status == 200)

        try folder.writeSecret("{\"name\":\"x\"}\n", to: "tokens")
        server.send(signal: SIGHUP)
        try server.waitForOutput(
            "cannot reload the token file, keeping the current tokens: tokens:1:1: 'sha256' is missing"
        )
        #expect(try server.ask("GET", "/v1", token: old).status == 200)

        for contents in ["", "\n\n# nothing here\n"] {
            try folder.writeSecret(contents, to: "tokens")
            let said = server.output.split(separator: "the token file contains no tokens").count
            server.send(signal: SIGHUP)
            try until("the complaint", lastState: server.output) {
                server.output.split(separator: "the token file contains no tokens").count > said
            }
            #expect(try server.ask("GET", "/v1", token: old).status == 200)
        }
        let stream = try WireConnection(port: server.port)
        stream.send(WireClient.request("GET", "/v1/default/events", token: old))
        #expect(try stream.response().status == 200)
        let new = try makeToken("new", role: "write", in: folder)
        server.send(signal: SIGHUP)
        try server.waitForOutput("reloaded the token file count=1 file=tokens streams-ended=1")
        #expect(try server.ask("GET", "/v1", token: old).status == 401)
        #expect(try server.set("a", "1", token: new) == 201)
        #expect(!String(decoding: stream.rest(), as: UTF8.self).contains("event: change"))
        #expect(try server.stop() == .exited(0))
    }

    @Test func everyWriteIsAuditedWithoutSecrets() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        let token = try makeToken("anna", role: "admin", in: folder)
        let arguments = ["--token-file", "tokens", "--log-format", "json", "--log-level", "trace"]
        let server = try RunningServer(arguments: arguments, folder: folder)
        let writes = [
            ("PUT", "/v1/default/entries/a", #"{"value":"hush-hush"}"#, "put"),
            ("PATCH", "/v1/default/entries", #"{"set":{"b":"hush-hush","c":1}}"#, "patch"),
            ("POST", "/config", #"{"key":"d","value":"hush-hush"}"#, "insert"),
            ("DELETE", "/v1/default/entries/a", "", "delete"),
            ("POST", "/v1/default/rollback", #"{"to":1,"message":"hush-hush"}"#, "rollback"),
        ]
        for (method, target, body, _) in writes {
            let answer = try server.ask(method, target, body: body.isEmpty ? nil : body, token: token)
            #expect(200..<300 ~= answer.status, "\(method) \(target): \(answer.status)")
        }
        #expect(try server.set("a", "\"hush-hush\"", token: "livery_wrong") == 401)
        try server.stop()
        let objects = try server.output.split(separator: "\n").compactMap { try jsonMembers($0) as? [String: String] }
        let lines = objects.filter { $0["message"] == "audit" }
        #expect(lines.count == writes.count)
        for (index, line) in lines.enumerated() {
            #expect(line["action"] == writes[index].3)
            #expect(line["author"] == "anna")
            #expect(line["address"] == "127.0.0.1")
            #expect(line["namespace"] == "default")
            #expect(line["revision"] == "\(index + 1)")
            #expect(line["keys"]?.isEmpty == false)
        }
        for secret in [String(token.dropFirst(7)), "livery_wrong", "hush-hush"] {
            #expect(!server.output.contains(secret))
        }
    }
}
