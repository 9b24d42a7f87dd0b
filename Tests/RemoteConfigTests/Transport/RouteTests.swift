// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

/// Headers, proxies and Unix sockets with servers that record their requests.
@Suite(.timeLimit(.minutes(5)))
struct RouteTests {
    // Headers.

    @Test(arguments: OptionUser.allCases) func headersAreSentWithEachRequest(_ user: OptionUser) async throws {
        let server = try ScriptedServer { try ServedFiles.answer($0, $1) }
        let options = try TransportOptions(headers: ["X-Tenant": " shop ", "X-Empty": "", "User-Agent": "shop/1"])
        try await user.ask(server.url(""), options)
        let request = try #require(server.requests.first)
        #expect(request["x-tenant"] == "shop")
        #expect(request["x-empty"] == "")
        #expect(request["user-agent"] == "shop/1")
    }

    // Proxies.

    @Test(arguments: OptionUser.allCases, ["me", nil])
    func requestsGoThroughTheProxy(_ user: OptionUser, _ name: String?) async throws {
        let server = try ScriptedServer { try ServedFiles.answer($0, $1) }
        let proxy = try ForwardProxy(login: name.map { "\($0):s3cret word" })
        let login = name.map { "\($0):s3cret%20word@" } ?? ""
        let options = try TransportOptions(proxy: "http://\(login)127.0.0.1:\(proxy.port)")
        // The name is known to the proxy alone.
        try await user.ask(try #require(URL(string: "http://config.example:\(server.port)")), options)
        #expect(server.requests.count == 1)
        #expect(server.requests.first?["host"] == "config.example:\(server.port)")
        #expect(server.requests.first?["proxy-authorization"] == nil)
        #expect(proxy.requests.allSatisfy { $0.target.hasPrefix("http://config.example:\(server.port)/") })
        // The one who is named is for this machine as well, where the variables' proxy is not.
        try await user.ask(server.url(""), options)
        #expect(proxy.requests.contains { $0.target.hasPrefix("http://127.0.0.1:\(server.port)/") })
    }

    /// The proxy opens a way, and everything else is the server's.
    @Test(arguments: OptionUser.allCases) func encryptionReachesThroughAProxy(_ user: OptionUser) async throws {
        let certificates = try await TestCertificates.made()
        let server = try await certificates.server(wantsCertificate: true)
        let proxy = try ForwardProxy(login: "me:s3cret")
        let options = try TransportOptions(
            certificateAuthority: certificates.authority,
            pinnedPublicKeys: [try certificates.pin("server")],
            clientCertificate: .file(certificates.path("client-both.pem")),
            proxy: "http://me:s3cret@127.0.0.1:\(proxy.port)",
            headers: ["X-Key": "s3cret"]
        )
        let tokens = TokenProvider.fixed(try BearerToken("s3cret"))
        try await user.ask(server.url(host: "config.example"), options, tokens: tokens)
        #expect(Set(proxy.requests.map(\.method)) == ["CONNECT"])
        #expect(Set(proxy.requests.map(\.target)) == ["config.example:\(server.port)"])
        #expect(proxy.requests.allSatisfy { $0["x-key"] == nil && $0["authorization"] == nil })
    }

    @Test func aProxyThatRefusesOrDoesNotAnswerIsNamed() async throws {
        let proxy = try ForwardProxy(login: "me:right")
        let address = "http://me:s3cret@127.0.0.1:\(proxy.port)"
        let options = try TransportOptions(proxy: address)
        let (plain, encrypted) = ("http://config.example:1", "https://config.example:1")
        await expectFailure(.forbidden, "requires authentication") {
            try await OptionUser.document.ask(try #require(URL(string: plain)), options)
        }
        await expectFailure(.unreachable, "the proxy 127.0.0.1:\(proxy.port) requires valid credentials") {
            try await OptionUser.document.ask(try #require(URL(string: encrypted)), options)
        }
        proxy.stop()
        for url in [plain, encrypted] {
            await expectFailure(.unreachable, "failed; check the proxy URL") {
                try await OptionUser.document.ask(try #require(URL(string: url)), options)
            }
        }
    }

    /// Neither at once nor after a refusal.
    @Test func aTokenDoesNotGoByAProxyWithoutEncryption() async throws {
        let proxy = try ScriptedServer { connection, _ in try connection.respond("401 Unauthorized", [:], "") }
        let options = try TransportOptions(proxy: "http://127.0.0.1:\(proxy.port)")
        let url = try #require(URL(string: "http://config.example"))
        let token = try BearerToken("s3cret")
        await expectFailure(.insecure, "without encryption") {
            try await OptionUser.document.ask(url, options, tokens: .fixed(token))
        }
        #expect(proxy.requests.isEmpty)
        let tokens = TokenProvider { _ throws(ConfigError) in proxy.requests.isEmpty ? nil : token }
        await expectFailure(.insecure, "without encryption") {
            try await OptionUser.document.ask(url, options, tokens: tokens)
        }
        #expect(proxy.requests.map { $0["authorization"] } == [nil])
    }

    // Unix sockets.

    @Test(arguments: OptionUser.allCases) func aSocketIsConnectedTo(_ user: OptionUser) async throws {
        let folder = try TemporaryDirectory(prefix: "sock")
        let server = try ScriptedServer(socket: folder["s"]) { try ServedFiles.answer($0, $1) }
        let options = try TransportOptions(headers: ["X-Tenant": "shop"], unixSocket: folder["s"])
        let url = try #require(URL(string: "http://config.example"))
        try await user.ask(url, options, tokens: .fixed(try BearerToken("s3cret")))
        let request = try #require(server.requests.first)
        #expect(request["host"] == "config.example")
        #expect(request["authorization"] == "Bearer s3cret")
        #expect(request["x-tenant"] == "shop")
    }

    @Test func aRedirectToAnotherOriginLeavesTheSocket() async throws {
        let folder = try TemporaryDirectory(prefix: "sock")
        let other = try ScriptedServer { try ServedFiles.answer($0, $1) }
        let target = other.url("/c.json").absoluteString
        let server = try ScriptedServer(socket: folder["s"]) { connection, _ in
            try connection.respond("302 Found", ["Location": target], "")
        }
        let options = try TransportOptions(headers: ["X-Key": "s3cret"], unixSocket: folder["s"])
        let url = try #require(URL(string: "http://config.example"))
        try await OptionUser.document.ask(url, options, tokens: .fixed(try BearerToken("s3cret")))
        #expect(server.requests.map { $0["x-key"] } == ["s3cret"])
        #expect(other.requests.map { $0["x-key"] } == [nil])
        #expect(other.requests.map { $0["authorization"] } == [nil])
    }

    @Test func unservedSocketIsNamed() async throws {
        let folder = try TemporaryDirectory(prefix: "sock")
        let options = try TransportOptions(unixSocket: folder["s"])
        await expectFailure(.unreachable, "connection to the socket \(folder["s"]) refused") {
            try await OptionUser.document.ask(try #require(URL(string: "http://config.example")), options)
        }
    }

    @Test func behindEachSocketIsAnotherSource() throws {
        let url = try #require(URL(string: "http://config.example"))
        let options = try TransportOptions(unixSocket: "/run/a")
        #expect(try ServerSource(url: url, options: options).identity == "/run/a http://config.example/v1/default")
        #expect(try ServerSource(url: url).identity == "http://config.example/v1/default")
        #expect(DocumentSource(url: url, options: options).identity == "/run/a http://config.example")
        let tenants = try ["a", "b"].map {
            try ServerSource(url: url, options: TransportOptions(headers: ["X-Tenant": $0]))
        }
        #expect(tenants[0].identity != tenants[1].identity, "they would share a cache")
        #expect(!tenants[0].identity.contains("X-Tenant"))
        let accounts = try ["a", "b"].map { name in
            let tokens: [TokenProvider] = [.fixed(try BearerToken(name)), TokenProvider(account: name) { _ in nil }]
            return tokens.map { DocumentSource(url: url, tokens: $0).identity }
        }
        #expect(Set(accounts.joined()).count == 4, "a server may give each account other values")
        #expect(DocumentSource(url: url, options: options).name == "http://config.example")
    }
}
