// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport
import Testing

@testable import RemoteConfig

/// Authorities, pinned keys and client certificates before `openssl s_server`.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct EncryptedPeerTests {
    @Test(arguments: OptionUser.allCases) func aPrivateAuthorityIsTrusted(_ user: OptionUser) async throws {
        let certificates = try await TestCertificates.made()
        let server = try await certificates.server()
        let url = try server.url()
        for authority in [certificates.authority, .bytes(try certificates.bytes("ca.pem"))] {
            try await user.ask(url, TransportOptions(certificateAuthority: authority))
        }
        withExtendedLifetime(server) {}
    }

    @Test(arguments: OptionUser.allCases) func othersAreNotTrusted(_ user: OptionUser) async throws {
        let certificates = try await TestCertificates.made()
        let server = try await certificates.server()
        let stranger = try TransportOptions(certificateAuthority: .file(certificates.path("stranger.pem")))
        for options in [stranger, .standard] {
            await expectFailure(.insecure, "is not trusted") { try await user.ask(server.url(), options) }
        }
        let wrongHost = try #require(URL(string: "https://localhost:\(server.port)"))
        let options = try TransportOptions(certificateAuthority: certificates.authority)
        await expectFailure(.insecure, "is not trusted") { try await user.ask(wrongHost, options) }
    }

    /// A manager of certificates replaces them while programs run.
    @Test func theFileIsReadForEachConnection() async throws {
        let certificates = try await TestCertificates.made()
        let server = try await certificates.server()
        let path = try certificates.folder.write(Data(try certificates.bytes("stranger.pem")), to: "current.pem")
        let options = try TransportOptions(certificateAuthority: .file(path))
        let source = DocumentSource(url: try server.url().appending(path: "c.json"), options: options)
        await expectFailure(.insecure, "is not trusted") { _ = try await source.read() }
        try certificates.folder.write(Data(try certificates.bytes("ca.pem")), to: "current.pem")
        #expect(try await source.read().document?.entries.count == 1)
        try certificates.folder.write("", to: "current.pem")
        await expectFailure(.invalidOption, "cannot use the certificate authority") { _ = try await source.read() }
    }

    @Test(arguments: OptionUser.allCases) func aPinnedKeyHasToBeTheServers(_ user: OptionUser) async throws {
        let certificates = try await TestCertificates.made()
        let server = try await certificates.server()
        let url = try server.url()
        let (right, wrong) = (try certificates.pin("server"), try certificates.pin("other"))
        for pins in [[right], [wrong, right]] {
            try await user.ask(
                url,
                TransportOptions(certificateAuthority: certificates.authority, pinnedPublicKeys: pins)
            )
        }
        let options = try TransportOptions(certificateAuthority: certificates.authority, pinnedPublicKeys: [wrong])
        await expectFailure(.insecure, "does not match the pinned keys") { try await user.ask(url, options) }
        // A pinned key alone is not trusted.
        let pinned = try TransportOptions(pinnedPublicKeys: [right])
        await expectFailure(.insecure, "is not trusted") { try await user.ask(url, pinned) }
        withExtendedLifetime(server) {}
    }

    @Test(arguments: OptionUser.allCases) func aClientCertificateIsShown(_ user: OptionUser) async throws {
        let certificates = try await TestCertificates.made()
        let server = try await certificates.server(wantsCertificate: true)
        func file(_ name: String) -> TransportOptions.PEM { .file(certificates.path(name)) }
        let pairs: [(TransportOptions.PEM, TransportOptions.PEM?, String?)] = [
            (file("client.pem"), file("client.key"), nil), (file("client-both.pem"), nil, nil),
            (.bytes(try certificates.bytes("client-both.pem")), nil, nil),
            (.bytes(try certificates.bytes("client.pem")), file("client.key"), nil),
            (file("client.pem"), file("client-locked.key"), TestCertificates.password),
        ]
        for (certificate, key, password) in pairs {
            let options = try TransportOptions(
                certificateAuthority: certificates.authority,
                clientCertificate: certificate,
                privateKey: key,
                keyPassword: password
            )
            try await user.ask(server.url(), options)
        }
    }

    @Test func missingAndWrongClientCertificatesDiffer() async throws {
        let certificates = try await TestCertificates.made()
        let server = try await certificates.server(wantsCertificate: true)
        let authority = certificates.authority
        let none = try TransportOptions(certificateAuthority: authority)
        await expectFailure(.forbidden, "requires a valid client certificate") {
            try await OptionUser.document.ask(server.url(), none)
        }
        let unknown = try TransportOptions(
            certificateAuthority: authority,
            clientCertificate: .file(certificates.path("stranger.pem")),
            privateKey: .file(certificates.path("stranger.key"))
        )
        await expectFailure(.forbidden, "requires a valid client certificate") {
            try await OptionUser.document.ask(server.url(), unknown)
        }
        for (key, password) in [("client-locked.key", "wrong"), ("stranger.key", nil)] {
            let options = try TransportOptions(
                certificateAuthority: authority,
                clientCertificate: .file(certificates.path("client.pem")),
                privateKey: .file(certificates.path(key)),
                keyPassword: password
            )
            await expectFailure(.invalidOption, "cannot use the client certificate") {
                try await OptionUser.document.ask(server.url(), options)
            }
        }
    }

    @Test func optionsForEncryptionRequireHTTPS() async throws {
        let certificates = try await TestCertificates.made()
        let server = try ScriptedServer { try ServedFiles.answer($0, $1) }
        let pinned = try TransportOptions(pinnedPublicKeys: [try certificates.pin("server")])
        let shown = try TransportOptions(clientCertificate: .file(certificates.path("client-both.pem")))
        for options in [pinned, shown] {
            await expectFailure(.insecure, "use https") { try await OptionUser.document.ask(server.url(""), options) }
        }
        #expect(server.connectionCount == 0)
    }

    /// The other one has a key that is not pinned, and may want a certificate that is not for it.
    @Test(arguments: [false, true]) func redirectDropsPinAndCertificate(_ wantsOne: Bool)
        async throws
    {
        let certificates = try await TestCertificates.made()
        let other = try await certificates.server(as: "other", wantsCertificate: wantsOne)
        let server = try await certificates.server(wantsCertificate: true)
        let target = try other.url().appending(path: "c.json")
        try certificates.folder.write(ServedFiles.redirect(to: target), to: "away/c.json")
        let options = try TransportOptions(
            certificateAuthority: certificates.authority,
            pinnedPublicKeys: [try certificates.pin("server")],
            clientCertificate: .file(certificates.path("client-both.pem"))
        )
        let url = try server.url().appending(path: "away")
        if wantsOne {
            await expectFailure(.forbidden, "127.0.0.1:\(other.port) requires a valid client certificate") {
                try await OptionUser.document.ask(url, options)
            }
        } else {
            try await OptionUser.document.ask(url, options)
        }
    }
}
