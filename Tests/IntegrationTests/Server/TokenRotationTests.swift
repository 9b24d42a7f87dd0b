// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Tokens that are replaced, that expire, and that are taken back, by the real program on a real file.
@Suite(.dedicatedThread, .timeLimit(.minutes(5)))
struct TokenRotationTests {
    private static func tokenCommand(_ arguments: String..., in folder: TemporaryDirectory) throws -> Command.Output {
        try liveryServer(["token"] + arguments + ["--token-file", folder["tokens"]], in: folder)
    }

    private static func lines(_ folder: TemporaryDirectory) throws -> [String] {
        // By bytes: a carriage return and a line feed are one character.
        try folder.read("tokens").split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func aRotationChangesNoOtherLine() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        _ = try makeToken("ops", role: "admin", in: folder)
        _ = try makeToken("ci", role: "write", namespaces: "shop,web", in: folder)
        // By hand, in another order and with other spaces.
        let made = try Self.lines(folder)
        let odd =
            "  { \"role\":\"read\",\t\"namespaces\": [\"b\",\"a\"], \"name\" : \"odd\", \"sha256\": \"\(String(repeating: "0a", count: 32))\" }\r"
        try folder.writeSecret(["# ours", made[0], "", odd, made[1]].joined(separator: "\n"), to: "tokens")

        let output = try Self.tokenCommand("rotate", "ci", in: folder)
        #expect(output.status.isSuccess, "\(output)")
        #expect(output.standardOutput.wholeMatch(of: /livery_[0-9a-f]{64}\n/) != nil)
        let after = try Self.lines(folder)
        #expect(Array(after.prefix(4)) == ["# ours", made[0], "", odd])
        #expect(after.count == 7 && after[6].isEmpty)
        #expect(after[4].hasPrefix(made[1].dropLast(1) + #","expires_at":""#), "\(after[4])")
        #expect(
            after[5].contains(#""name":"ci""#) && after[5].contains(#""role":"write","namespaces":["shop","web"]}"#)
        )
        let table = try Self.tokenCommand("list", "--plain", in: folder).standardOutput
        let list = table.split(separator: "\n").dropFirst()
        #expect(list.count == 4)
        #expect(list.dropLast().last?.wholeMatch(of: /ci +ci +write +shop,web +[0-9-]{10} [0-9:]{8}/) != nil)
        #expect(list.last?.wholeMatch(of: /ci +ci +write +shop,web +-/) != nil)

        // Once more at once: only the newest lasts. The token before the last ends no later than it was to.
        #expect(try Self.tokenCommand("rotate", "ci", "--overlap", "0", in: folder).status.isSuccess)
        let last = try Self.lines(folder)
        #expect(last.filter { $0.contains(#""name":"ci""#) }.count == 1)
        #expect(Array(last.prefix(4)) == ["# ours", made[0], "", odd])

        #expect(try Self.tokenCommand("revoke", "ci", in: folder).status.isSuccess)
        #expect(try Self.lines(folder) == ["# ours", made[0], "", odd, ""])
    }

    /// Opening a pipe waits for its other end, and no later signal would be handled.
    @Test func aPipeInPlaceOfTheTokensDoesNotBlockTheReload() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        let token = try makeToken("old", role: "read", in: folder)
        _ = try makeToken("ops", role: "admin", in: folder)
        let server = try RunningServer(arguments: ["--token-file", "tokens"], folder: folder)
        #expect(try server.ask("GET", "/v1", token: token).status == 200)
        try folder.move("tokens", to: "good")
        try #require(mkfifo(folder["tokens"], 0o600) == 0)
        server.send(signal: SIGHUP)
        try server.waitForOutput("cannot reload the token file, keeping the current tokens: the token file tokens")
        #expect(try server.ask("GET", "/v1", token: token).status == 200)
        try folder.remove("tokens")
        try folder.move("good", to: "tokens")
        #expect(try Self.tokenCommand("revoke", "old", in: folder).status.isSuccess)
        server.send(signal: SIGHUP)
        try until("the revocation", lastState: server.output) {
            try server.ask("GET", "/v1", token: token).status == 401
        }
    }

    @Test func anExposedFileRevokesAndGivesNothing() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        let revoked = try makeToken("old", role: "read", in: folder)
        let kept = try makeToken("ops", role: "admin", in: folder)
        let server = try RunningServer(arguments: ["--token-file", "tokens"], folder: folder)
        #expect(try server.ask("GET", "/v1", token: revoked).status == 200)
        let stranger = try makeToken("stranger", role: "admin", in: folder)
        #expect(try Self.tokenCommand("revoke", "old", in: folder).status.isSuccess)
        try folder.allow(0o666, on: "tokens")
        server.send(signal: SIGHUP)
        try server.waitForOutput("insecure token file: new tokens are rejected, removed tokens are revoked: ")
        #expect(try server.ask("GET", "/v1", token: revoked).status == 401)
        #expect(try server.ask("GET", "/v1", token: stranger).status == 401)
        #expect(try server.ask("GET", "/v1", token: kept).status == 200)
    }

    @Test func failedCommandChangesNothing() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        _ = try makeToken("only", role: "admin", in: folder)
        let file = try folder.read("tokens")
        for (arguments, code, message) in [
            (["revoke", "only"], 1, "cannot remove the only token 'only'"),
            (["revoke", "nobody"], 1, "token 'nobody' not found"),
            (["rotate", "nobody"], 1, "token 'nobody' not found"),
            (["rotate", "only", "--overlap", "soon"], 64, "soon"),
            (["rotate", "only", "--overlap", "5"], 64, "5"),
            (["create", "x", "--expires-in", "99999999d"], 64, "99999999d"),
        ] {
            let output = try liveryServer(["token"] + arguments + ["--token-file", folder["tokens"]])
            #expect(output.status == .exited(Int32(code)), "\(output)")
            #expect(output.standardError.contains(message), "\(output)")
            #expect(output.standardOutput.isEmpty)
        }
        let server = try builtProduct(named: "livery-server")
        // A token that cannot be printed is not stored.
        for command in ["rotate only", "create lost"] {
            let lost = Command.shell("\(server) token \(command) --token-file \(folder["tokens"]) > /dev/full")
            #expect(try lost.run().status == .exited(74), "\(command)")
        }
        #expect(try folder.read("tokens") == file)
        #expect(try folder.contents() == ["tokens"])
    }

    /// A dry run shows no token, writes nothing, and is rejected where the command itself would be.
    @Test func dryRunReportsAndChangesNothing() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        _ = try makeToken("ci", role: "write", in: folder)
        _ = try makeToken("ops", role: "admin", in: folder)
        let file = try folder.read("tokens")
        for (arguments, message) in [
            (
                ["create", "new", "--role", "admin", "--namespaces", "b,a"],
                "would add the token 'new' to tokens: role admin, namespaces a, b, never expires; dry run, nothing was written\n"
            ),
            (["rotate", "ci", "--overlap", "0"], "would replace the token 'ci' in tokens and remove the old one; "),
            (["rotate", "ci"], "would replace the token 'ci' in tokens and let the old one expire at 20"),
            (["revoke", "ci"], "would remove the token 'ci' from tokens; dry run, nothing was written\n"),
        ] {
            let output = try liveryServer(["token"] + arguments + ["--token-file", "tokens", "--dry-run"], in: folder)
            #expect(output.status == .exited(0), "\(output)")
            #expect(output.standardOutput.isEmpty, "\(output)")
            #expect(output.standardError.hasPrefix(message), "\(output)")
        }
        for (arguments, code) in [
            (["create", "ci"], 1), (["rotate", "nobody"], 1), (["revoke", "nobody"], 1), (["create", "x\ny"], 64),
        ] {
            let output = try Self.tokenCommand(arguments[0], arguments[1], "--dry-run", in: folder)
            #expect(output.status == .exited(Int32(code)), "\(output)")
        }
        #expect(try folder.read("tokens") == file)

        try folder.write("no token", to: "broken")
        for (path, code) in [("broken", 65), ("/", 66)] {
            let arguments = ["token", "create", "x", "--dry-run", "--token-file", path]
            #expect(try liveryServer(arguments, in: folder).status == .exited(Int32(code)), "\(path)")
        }
        // Not even the folder of a new file.
        let arguments = ["token", "create", "x", "--dry-run", "--token-file", "new/tokens"]
        #expect(try liveryServer(arguments, in: folder).status == .exited(0))
        #expect(try Set(folder.contents()) == ["tokens", "broken"])
        let nowhere = try liveryServer(["token", "create", "x", "--dry-run"])
        #expect(nowhere.status == .exited(0) && nowhere.standardOutput.isEmpty)
        #expect(
            nowhere.standardError.hasPrefix("would create the token 'x': role read, all namespaces, never expires; ")
        )
    }

    /// A file that the server's user may read, through a link, as packages and secret managers lay it out.
    @Test func modeAndLinkStay() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        _ = try makeToken("a", role: "admin", in: folder, file: "real")
        _ = try makeToken("b", role: "admin", in: folder, file: "real")
        try folder.allow(0o640, on: "real")
        try folder.link("tokens", to: "real")
        #expect(try Self.tokenCommand("revoke", "a", in: folder).status.isSuccess)
        #expect(try Self.tokenCommand("rotate", "b", in: folder).status.isSuccess)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder["tokens"]) == "real")
        #expect(try folder.mode(of: "real") == 0o640)
        let table = try Self.tokenCommand("list", "--plain", in: folder).standardOutput
        #expect(table.split(separator: "\n").count == 1 + 2)
    }

    @Test func manyAtTheSameTimeLoseNothing() async throws {
        let folder = try TemporaryDirectory(prefix: "server")
        _ = try await onDedicatedThread { try makeToken("first", role: "admin", in: folder) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<12 {
                group.addTask {
                    try await onDedicatedThread {
                        _ = try makeToken("t\(number)", role: "read", in: folder)
                        if number.isMultiple(of: 3) {
                            #expect(try Self.tokenCommand("rotate", "t\(number)", in: folder).status.isSuccess)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let list = try await onDedicatedThread { try Self.tokenCommand("list", "--plain", in: folder).standardOutput }
        // The headings, the first token, twelve more, and the four that replace some of them.
        let lines = 1 + 1 + 12 + 4
        #expect(list.split(separator: "\n").count == lines)
    }

    /// Both tokens count during the overlap, with one author; then the old one ends, and its stream with it.
    @Test func anOverlapEndsByItself() throws {
        let folder = try TemporaryDirectory(prefix: "server")
        let old = try makeToken("ci", role: "write", in: folder)
        let server = try RunningServer(arguments: ["--token-file", "tokens"], folder: folder)
        let output = try Self.tokenCommand("rotate", "ci", "--overlap", "8s", in: folder)
        let new = output.standardOutput.trimmingCharacters(in: .newlines)
        server.send(signal: SIGHUP)
        try server.waitForOutput("reloaded the token file count=2")
        #expect(try server.set("a", "2", token: new) == 201)
        let stream = try WireConnection(port: server.port)
        stream.send(WireClient.request("GET", "/v1/default/events", token: old))
        #expect(try stream.response().status == 200)
        let early = try server.set("b", "1", token: old)
        try server.waitForOutput("tokens have expired names=ci streams-ended=1")
        #expect(early == 201)
        let refused = try server.ask("GET", "/v1/default/config", token: old)
        #expect(refused.status == 401)
        #expect(String(decoding: refused.body, as: UTF8.self).contains("the token expired at "))
        #expect(!String(decoding: stream.rest(), as: UTF8.self).isEmpty)
        let history = try jsonMembers(server.ask("GET", "/v1/default/history", token: new).text)
        let authors = (history["history"] as? [[String: Any]])?.compactMap { $0["author"] as? String }
        #expect(authors == ["ci", "ci"])
        #expect(try server.stop() == .exited(0))
    }
}
