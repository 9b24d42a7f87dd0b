// SPDX-License-Identifier: Apache-2.0

import ConfigHub
import ConfigModel
import ConfigStore
import ConfigStoreTesting
import ConfigWire
import Logging
import NIOCore
import NIOHTTP1
import Synchronization
import TestSupport
import Testing

@testable import ConfigServer

@Suite(.timeLimit(.minutes(5)))
struct AccessTests {
    private static let holders = ["none", "wrong", "read", "write", "admin"]

    /// The status that each holder gets, for the own namespace and for another; `nil` is neither 401 nor 403.
    private static func expected(_ access: Access, _ holder: String, isOwn: Bool) -> Int? {
        if access == .open { return nil }
        if holder == "none" || holder == "wrong" { return 401 }
        guard case .namespace(let role) = access else { return nil }
        guard let own = Role(rawValue: holder), own >= role else { return 403 }
        return isOwn ? nil : 403
    }

    /// The effective one would depend on the parser, so all are rejected.
    @Test func aRequestWithTwoTokensHasNone() async throws {
        let (text, token) = AccessToken.random(name: "reader", role: .read, namespaces: nil)
        try await TestServer(tokens: [token]).script { client in
            for target in ["/v1/default/config", "/v1/default/events", "/v1/default/entries", "/v1"] {
                let second = "Authorization: Bearer \(text)"
                let (one, two) = (
                    try client.ask("HEAD", target, token: text),
                    try client.ask("HEAD", target, [second], token: text)
                )
                #expect(one.status != 401 && two.status == 401, "\(target)")
            }
        }
    }

    @Test func everyRouteRequiresItsRole() async throws {
        var (texts, tokens) = (["wrong": "livery_wrong"], [AccessToken]())
        for role in Role.allCases {
            for namespace in ["default", "other"] {
                let (text, token) = AccessToken.random(
                    name: "\(role)-\(namespace)",
                    role: role,
                    namespaces: [namespace]
                )
                texts["\(role)-\(namespace)"] = text
                tokens.append(token)
            }
        }
        let known = texts
        try await TestServer(tokens: tokens, failedAttemptsPerMinute: 10_000).script { client in
            for route in Route.declarations {
                for holder in Self.holders {
                    for (tokenNamespace, isOwn) in [("default", true), ("other", false)] {
                        let text = known[holder] ?? known["\(holder)-\(tokenNamespace)"]
                        let body = ["PUT", "PATCH", "POST"].contains(route.method) ? "{}" : nil
                        let answer = try client.ask(route.method, route.exampleTarget, body: body, token: text)
                        let wanted = Self.expected(route.access, holder, isOwn: isOwn)
                        if let wanted {
                            #expect(answer.status == wanted, "\(route.name) \(holder) own: \(isOwn)")
                            #expect(wanted != 401 || answer["www-authenticate"]?.hasPrefix("Bearer") == true)
                        } else {
                            #expect(![401, 403].contains(answer.status), "\(route.name) \(holder) own: \(isOwn)")
                        }
                    }
                }
            }
        }
    }

    @Test func theListShowsTheTokensNamespaces() async throws {
        let all = AccessToken.random(name: "all", role: .write, namespaces: nil)
        let one = AccessToken.random(name: "one", role: .read, namespaces: ["shop"])
        try await TestServer(tokens: [all.token, one.token]).script { client in
            for namespace in ["shop", "secret"] {
                let target = "/v1/\(namespace)/entries/a"
                #expect(try client.ask("PUT", target, body: #"{"value":1}"#, token: all.text).status == 201)
            }
            for (token, names) in [(all.text, ["secret", "shop"]), (one.text, ["shop"])] {
                let answer = try client.ask("GET", "/v1", token: token)
                #expect(try ServerInfo(json: answer.body).namespaces.map(\.name) == names)
            }
        }
    }

    @Test func validTokensAreNeverThrottled() throws {
        let (text, token) = AccessToken.random(name: "t", role: .read, namespaces: ["own"])
        let policy = AccessPolicy(tokens: TokenTable(checked: [token]), failedAttemptsPerMinute: 1)
        let client = ClientAddress(IPAddress("192.0.2.1"))
        func status(_ authorization: String?, _ namespace: String = "own") -> UInt? {
            do throws(Problem) {
                _ = try policy.authorize(
                    .namespace(.read),
                    namespace: namespace,
                    authorization: { authorization },
                    client: { client }
                )
                return nil
            } catch {
                return error.status.code
            }
        }
        for _ in 0..<5 {
            #expect(status("Bearer \(text)") == nil)
            #expect(status("Bearer \(text)", "other") == 403)
            #expect(status(nil) == 401)
        }
        #expect(status("Bearer no") == 401 && status("Bearer no") == 429 && status("Bearer \(text)") == nil)
    }

    @Test func withoutTokensOnlyLoopbackIsServed() {
        var settings = ServerSettings()
        settings.address.host = "0.0.0.0"
        let error = #expect(throws: ConfigError.self) {
            _ = try ServerApplication(
                store: ReferenceStore(),
                policy: AccessPolicy(tokens: nil),
                settings: settings,
                logger: .init(label: "test")
            )
        }
        #expect(error?.source == "tokens")
    }

    @Test func aTokenEndsItsStreamsAtEachServerOfThePolicy() async throws {
        /// The identity of a server.
        final class Server {}
        let policy = AccessPolicy(tokens: TokenTable(checked: []))
        let servers = [Server(), Server()]
        for (number, server) in servers.enumerated() { policy.onReplace(at: server) { number + 1 } }
        let table = TokenTable(checked: [AccessToken.random(name: "n", role: .read, namespaces: nil).token])
        #expect(try await policy.replace(with: table) == 3)
        policy.onReplace(at: servers[0], nil)
        #expect(try await policy.replace(with: table) == 2)
        // As in a file that is being written.
        await #expect(throws: ConfigError.self) { try await policy.replace(with: TokenTable(checked: [])) }
        #expect(policy.tokens == table)
    }

    @Test func failedAttemptsExpireAndAreBounded() {
        func client(_ text: String) -> ClientAddress { ClientAddress(IPAddress(text)) }
        let (a, b) = (client("192.0.2.1"), client("192.0.2.2"))
        var none = FailedAttempts(perMinute: 0)
        none.record(a, at: 0)
        #expect(none.delay(for: a, at: 0) == 60)
        var attempts = FailedAttempts(perMinute: 2, networks: 8)
        for _ in 0..<2 { attempts.record(a, at: 0) }
        #expect(attempts.delay(for: a, at: 0) == 30)
        #expect(attempts.delay(for: client("::ffff:192.0.2.1"), at: 0) == 30)
        #expect(attempts.delay(for: b, at: 0) == nil)
        #expect(attempts.delay(for: a, at: 30) == nil)
        for number in 0..<8 { attempts.record(client("198.51.100.\(number)"), at: 0.1) }
        #expect(attempts.delay(for: a, at: 0.1) == nil)
        for number in 0..<2 { attempts.record(client("2001:db8::\(number)"), at: 1) }
        #expect(attempts.delay(for: client("2001:db8::ffff:0:0:1"), at: 1) == 30)
        #expect(attempts.delay(for: client("2001:db8:0:1::1"), at: 1) == nil)
    }

    @Test(arguments: [
        (#"{"name":"n","sha256":"00","role":"read","namespaces":"*"}"#, "64 hexadecimal"),
        (#"{"name":"n","role":"read","namespaces":"*"}"#, "'sha256' is missing"),
        (#"{"name":"n","secret":"x"}"#, "secret"), ("nonsense", "1:1"),
    ])
    func aBrokenTokenFileIsRefusedWithItsLine(line: String, message: String) {
        let error = #expect(throws: ConfigError.self) {
            _ = try TokenTable(file: Array("# tokens\n\(line)\n".utf8), named: "t.jsonl")
        }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("t.jsonl:2:") && (text.contains(message) || message == "1:1"), "\(text)")
    }

    @Test func ofTokensWithOneNameAllButOneExpire() throws {
        func line(_ digit: String, _ end: String?) -> String {
            let member = end.map { #","expires_at":"\#($0)""# } ?? ""
            let hash = String(repeating: digit, count: 64)
            return #"{"name":"ci","sha256":"\#(hash)","role":"read","namespaces":"*"\#(member)}"#
        }
        let end = "2026-01-31T12:00:00.000Z"
        let good = [line("1", end), line("2", nil), line("3", end)].joined(separator: "\n")
        let tokens = try TokenTable(file: Array(good.utf8), named: "t").tokens
        #expect(tokens.map(\.expiresAt) == [Timestamp(end), nil, Timestamp(end)])
        #expect(try TokenTable(file: tokens[0].json, named: "t").tokens == [tokens[0]])
        #expect(throws: ConfigError.self) {
            _ = try TokenTable(file: Array([line("1", nil), line("2", nil)].joined(separator: "\n").utf8), named: "t")
        }
        for wrong in ["soon", "", "2026-01-31", "2026-13-01T00:00:00Z"] {
            #expect(throws: ConfigError.self, "\(wrong)") {
                _ = try TokenTable(file: Array(line("1", wrong).utf8), named: "t")
            }
        }
    }

    /// Tokens that a program makes keep the rules of those in files.
    @Test func tableTakesOnlyTokensThatFileMayHave() throws {
        func token(
            _ name: String,
            in namespaces: Set<String>? = nil,
            until end: Timestamp? = nil,
            of subject: String? = nil
        ) -> AccessToken {
            AccessToken.random(name: name, role: .read, namespaces: namespaces, expiresAt: end, subject: subject).token
        }
        let end = Timestamp(milliseconds: 1)
        let tokens = [token("a"), token("a", until: end), token("ci \"1\"", in: ["shop", "b"])]
        #expect(try TokenTable(tokens: tokens).tokens == tokens)
        let file = Array(tokens.map(\.json).joined(separator: "\n\n".utf8))
        #expect(try TokenTable(file: file, named: "t").tokens == tokens)
        for wrong in [
            [token("")], [token(String(repeating: "n", count: 129))], [token("a", in: ["Shop!"])],
            [token("a"), token("a")], [token("-")], [token("a\u{202E}b")], [token("a\u{7}")], [token("a\u{2028}")],
            [token("a\u{200B}")], [token(" a")], [token("a", of: "")], [token("a", of: "ann\u{200B}")],
        ] {
            #expect(throws: ConfigError.self, "\(wrong)") { try TokenTable(tokens: wrong) }
        }
    }

    @Test func aSecretHasOneName() throws {
        let line = #""sha256":"\#(String(repeating: "1", count: 64))","role":"read","namespaces":"*"}"#
        let file = #"{"name":"a",\#(line)\#n# Later:\#n{"name":"b",\#(line)\#n"#
        let error = #expect(throws: ConfigError.self) { _ = try TokenTable(file: Array(file.utf8), named: "t") }
        #expect(error?.description.hasPrefix("t:3:1: the tokens 'a' and 'b' have the same secret") == true)
    }

    @Test func aRestrictedTokenHasTheRightsThatBothFilesGive() throws {
        func table(_ rights: String) throws -> TokenTable {
            let hash = String(repeating: "1", count: 64)
            return try TokenTable(file: Array(#"{"name":"n","sha256":"\#(hash)",\#(rights)}"#.utf8), named: "t")
        }
        let wide = try table(#""role":"admin","namespaces":"*""#)
        for rights in [
            #""role":"read","namespaces":"*""#, #""role":"admin","namespaces":["a"]"#,
            #""role":"admin","namespaces":"*","expires_at":"2026-01-31T12:00:00.000Z""#,
        ] {
            let narrow = try table(rights)
            #expect(wide.restricted(to: narrow) == narrow && narrow.restricted(to: wide) == narrow, "\(rights)")
        }
        #expect(wide.restricted(to: TokenTable(checked: [])).tokens.isEmpty)
    }

    /// An expired token gives no access, and repeated use of it locks out no client.
    @Test func aTokenExpiresByTheClock() async throws {
        let clock = Mutex(Timestamp(milliseconds: 1000))
        let end = Timestamp(milliseconds: 2000)
        let (text, token) = AccessToken.random(name: "t", role: .read, namespaces: nil, expiresAt: end)
        let other = AccessToken.random(name: "other", role: .read, namespaces: nil).token
        let policy = AccessPolicy(tokens: TokenTable(checked: [token, other]), failedAttemptsPerMinute: 1) {
            clock.withLock(\.self)
        }
        let ticket = StreamTicket(for: token, "default", at: 1)
        func problems() -> [String] {
            let client = ClientAddress(IPAddress("192.0.2.1"))
            var found: [String] = []
            do throws(Problem) {
                let role = Access.namespace(.read)
                let field = "Bearer \(text)"
                _ = try policy.authorize(role, namespace: "default", authorization: { field }, client: { client })
            } catch { found.append(String(buffer: error.reply.body)) }
            do throws(Problem) {
                _ = try policy.admit(ticket.text, to: "default", at: 1, client: { client })
            } catch { found.append(String(buffer: error.reply.body)) }
            return found
        }
        #expect(problems().isEmpty)
        #expect(await policy.endExpired() == nil)
        let before = policy.version.load(ordering: .relaxed)
        clock.withLock { $0 = end }
        for _ in 0..<5 {
            #expect(problems().count == 2)
            #expect(problems().allSatisfy { $0.contains("the token expired at 1970-01-01T00:00:02.000Z") })
        }
        #expect(policy.tokens?.readingRule(at: end)(Principal(token: token), "default") == false)
        #expect(policy.tokens?.readingRule(at: end)(Principal(token: other), "default") == true)
        let ended = await policy.endExpired()
        #expect(ended?.names == ["t"])
        #expect(policy.version.load(ordering: .relaxed) > before)
        #expect(await policy.endExpired() == nil)
    }
}
