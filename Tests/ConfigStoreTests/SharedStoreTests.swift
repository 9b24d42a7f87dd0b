// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import Foundation
import TestSupport
import Testing

struct StorePasswordTests {
    @Test func aPasswordShowsItselfNowhere() {
        let password = StorePassword("hunter2")
        var dumped = ""
        dump(["\(password)", String(reflecting: password)], to: &dumped)
        dump(password, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }

    @Test(arguments: [("hunter2\n", "hunter2"), ("hunter2\r\nmore", "hunter2"), (" p w ", " p w ")])
    func readsAPasswordsFile(contents: String, password: String) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(contents, to: "password")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect(try StorePassword(file: path) == StorePassword(password))
    }

    @Test(arguments: [
        (0o644, "secret", "accessible to all users"), (0o602, "secret", "accessible to all users"),
        (0o600, "\n", "is empty"),
        (0o600, "", "is empty"),
    ])
    func refusesAPasswordsFile(mode: Int, contents: String, reason: String) throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(contents, to: "password")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        let error = #expect(throws: ConfigError.self) { try StorePassword(file: path) }
        #expect(error?.message.contains(reason) == true)
        #expect(error?.description.contains("secret") == false)
        #expect(throws: ConfigError.self) { try StorePassword(file: folder["none"]) }
    }
}

struct HostAndPortTests {
    @Test(arguments: [
        ("127.0.0.1:3000", "127.0.0.1", 3000), ("[::1]:0", "::1", 0), ("db.example:65535", "db.example", 65_535),
    ])
    func addressesAreParsedAndPrinted(text: String, host: String, port: Int) {
        #expect(HostAndPort(text) == HostAndPort(host: host, port: port))
        #expect(HostAndPort(host: host, port: port).description == text)
    }

    @Test(arguments: ["", "host", "host:", ":1", "[]:1", "::1:1", "host:65536", "host:-1", "host:1x"])
    func invalidInputIsRefused(text: String) {
        #expect(HostAndPort(text) == nil)
    }

    @Test(arguments: [
        ("localhost", true), ("127.0.0.1", true), ("127.255.1.2", true), ("::1", true), ("0:0:0:0:0:0:0:1", true),
        ("::ffff:127.0.0.1", true), ("0.0.0.0", false), ("::", false), ("10.0.0.1", false), ("::ffff:10.0.0.1", false),
        ("1::1", false), ("127.1", false), ("127.0.0.1.example", false), ("127.0.0.1\0x", false), ("", false),
    ])
    func loopbackAddressesAreRecognised(host: String, isLoopback: Bool) {
        #expect(HostAndPort(host: host, port: 1).isLoopback == isLoopback)
    }

    /// Another user may have put a pipe there, where a reader would wait forever.
    @Test(.timeLimit(.minutes(1)), arguments: ["ca", "cert", "key"])
    func refusesAPipeInsteadOfACertificate(option: String) throws {
        let folder = try TemporaryDirectory()
        try folder.write("", to: "file")
        let (file, pipe) = (folder["file"], folder["pipe"])
        try #require(mkfifo(pipe, 0o600) == 0)
        let identity = StoreTLS.Identity(
            certificate: option == "cert" ? pipe : file,
            privateKey: option == "key" ? pipe : file
        )
        let tls = StoreTLS(mode: .on, authorities: option == "ca" ? pipe : file, identity: identity)
        let error = #expect(throws: StoreError.self) { try tls.checkFiles() }
        #expect(error?.reason == .certificate)
        #expect(error?.message == "cannot read \(pipe): not a regular file; check the TLS setting \(option)")
    }

    /// The store reads the key again for each connection, long after the start has checked it.
    @Test func rejectsAKeyThatBecameWorldReadable() throws {
        let folder = try TemporaryDirectory()
        let key = try folder.write("", to: "key")
        let tls = StoreTLS(mode: .on, identity: .init(certificate: key, privateKey: key))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: key)
        try tls.checkFiles()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        let error = #expect(throws: StoreError.self) { try tls.checkFiles() }
        #expect(error?.reason == .certificate)
        #expect(error?.message == "the private key \(key) is accessible to all users; run chmod o= \(key)")
    }
}
