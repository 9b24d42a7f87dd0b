// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport
import Testing

@testable import ConfigClient

/// Errors before any connection, and their messages.
struct TransportOptionsTests {
    private static let secret = "s3cret"

    private func refused(
        _ words: String,
        _ code: ConfigError.Code = .invalidOption,
        _ make: () throws(ConfigError) -> TransportOptions,
        at location: SourceLocation = #_sourceLocation
    ) {
        do throws(ConfigError) {
            _ = try make()
            Issue.record("nothing is wrong", sourceLocation: location)
        } catch {
            #expect(error.code == code, sourceLocation: location)
            #expect(error.description.contains(words), "\(error)", sourceLocation: location)
            #expect(!"\(error)".contains(Self.secret), sourceLocation: location)
            #expect(!error.description.contains("\n"), sourceLocation: location)
        }
    }

    @Test(
        arguments: [
            ("", "x", "invalid header name"), ("X Tenant", "x", "invalid header name"),
            ("X-Tenant:", "x", "invalid header name"), ("Xé", "x", "invalid header name"),
            ("X\r\nHost", "x", "invalid header name"), ("X-Tenant", "s3cret\r\nHost: evil", "control character"),
            ("X-Tenant", "s3cret\n", "control character"), ("X-Tenant", "s3cret\u{0}", "control character"),
            ("Authorization", "Bearer s3cret", "TokenProvider"), ("authorization", "s3cret", "TokenProvider"),
            ("Host", "s3cret", "set by the connection"), ("Connection", "close", "set by the connection"),
            ("transfer-encoding", "chunked", "set by the connection"), ("TE", "trailers", "set by the connection"),
            ("Proxy-Authorization", "Basic s3cret", "set by the connection"), ("Upgrade", "x", "set by the connection"),
            ("Content-Length", "1", "set by the connection"), ("If-None-Match", "*", "set by the connection"),
            ("Last-Event-ID", "1:1", "set by the connection"), ("livery-revision", "1:1", "set by the connection"),
            ("Range", "bytes=0-1", "set by the connection"),
        ]
    )
    func headersThatCannotBe(_ name: String, _ value: String, _ words: String) {
        refused(words) { () throws(ConfigError) in try TransportOptions(headers: [name: value]) }
    }

    @Test func aHeaderIsThereOnce() {
        refused("duplicate header") { () throws(ConfigError) in
            try TransportOptions(headers: ["X-A": "1", "x-a": "2"])
        }
    }

    @Test(arguments: [
        "", "sha256//", "rmX0sXkkSYzTbcTHvuLdZwvR1PrFx4gjpZ0DN9WLpRk=",
        "sha256/rmX0sXkkSYzTbcTHvuLdZwvR1PrFx4gjpZ0DN9WLpRk=",
        "sha256//rmX0sXkkSYzTbcTHvuLdZwvR1PrFx4gjpZ0DN9WL", "/etc/passwd", "sha1//rmX0sXkkSYzTbcTHvuLdZwvR1Po=",
    ]) func pinsThatCannotBe(_ pin: String) {
        refused("32 bytes in Base64") { () throws(ConfigError) in
            try TransportOptions(pinnedPublicKeys: ["sha256//rmX0sXkkSYzTbcTHvuLdZwvR1PrFx4gjpZ0DN9WLpRk=", pin])
        }
    }

    @Test(arguments: [
        "", "proxy.example:3128", "https://me:s3cret@proxy.example", "socks5://me:s3cret@proxy.example",
        "http://", "http://me:s3cret@", "http://proxy.example/path", "http://proxy.example:99999", "http://h?s3cret",
    ]) func proxiesThatCannotBe(_ address: String) {
        refused("http://proxy.example.org:3128") { () throws(ConfigError) in try TransportOptions(proxy: address) }
    }

    @Test func socketsThatCannotBe() {
        for path in ["", "livery.sock", "http://x", "/run/\n", "/run/\u{0}x"] {
            refused("must be absolute") { () throws(ConfigError) in try TransportOptions(unixSocket: path) }
        }
        let long = "/" + String(repeating: "x", count: 110)
        refused("has 111 bytes") { () throws(ConfigError) in try TransportOptions(unixSocket: long) }
        refused("mutually exclusive") { () throws(ConfigError) in
            try TransportOptions(proxy: "http://127.0.0.1:1", unixSocket: "/run/x")
        }
    }

    @Test(arguments: [
        "", "s3cret", "-----BEGIN CERTIFICATE-----\ns3cret", "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\n?s3cret?\n-----END CERTIFICATE-----\n",
        "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    ]) func certificatesThatCannotBe(_ text: String) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(text, to: "ca.pem")
        let bytes = Array(text.utf8)
        refused("-----BEGIN CERTIFICATE-----") { () throws(ConfigError) in
            try TransportOptions(certificateAuthority: .bytes(bytes))
        }
        refused("ca.pem: the certificate authority") { () throws(ConfigError) in
            try TransportOptions(certificateAuthority: .file(path))
        }
        refused("the client certificate is not in PEM format") { () throws(ConfigError) in
            try TransportOptions(clientCertificate: .bytes(bytes))
        }
    }

    @Test func filesThatAreNotThere() {
        refused("cannot read the certificate authority", .unreadable) { () throws(ConfigError) in
            try TransportOptions(certificateAuthority: .file("/nowhere/ca.pem"))
        }
        refused("larger than 1 MiB") { () throws(ConfigError) in
            try TransportOptions(certificateAuthority: .bytes(Array(repeating: 65, count: (1 << 20) + 1)))
        }
    }

    private static func block(_ label: String, _ text: String = "AAAA") -> String {
        "-----BEGIN \(label)-----\r\n\(text)\r\n-----END \(label)-----\r\n"
    }

    @Test(
        arguments: [
            (block("CERTIFICATE"), nil, "-----BEGIN PRIVATE KEY-----"),
            (block("ENCRYPTED PRIVATE KEY"), nil, "set its password"),
            (block("EC PRIVATE KEY", "Proc-Type: 4,ENCRYPTED\n\nAAAA"), nil, "set its password"),
            (block("ENCRYPTED PRIVATE KEY"), "s3cret", nil), (block("RSA PRIVATE KEY"), nil, nil),
        ] as [(String, String?, String?)]
    )
    func keys(_ key: String, _ password: String?, _ words: String?) throws {
        func options() throws(ConfigError) -> TransportOptions {
            try TransportOptions(
                clientCertificate: .bytes(Array(Self.block("CERTIFICATE").utf8)),
                privateKey: .bytes(Array(key.utf8)),
                keyPassword: password
            )
        }
        if let words {
            refused(words) { () throws(ConfigError) in try options() }
        } else {
            let options = try options()
            #expect(!"\(options) \(String(reflecting: options))".contains("s3cret"))
        }
        refused("needs its client certificate") { () throws(ConfigError) in
            try TransportOptions(privateKey: .bytes(Array(key.utf8)), keyPassword: password)
        }
    }

    @Test func descriptionsContainNoSecrets() throws {
        let options = try TransportOptions(
            proxy: "http://s3cret:s3cret@proxy.example:3128",
            headers: ["X-Key": "s3cret", "X-Tenant": "s3cret"]
        )
        var dumped = ""
        dump(options, to: &dumped)
        for text in ["\(options)", String(reflecting: options), dumped] {
            #expect(text.contains("proxy.example:3128") && text.contains("x-tenant"))
            #expect(!text.contains("s3cret"))
        }
    }
}
