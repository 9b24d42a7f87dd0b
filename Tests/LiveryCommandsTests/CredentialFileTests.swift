// SPDX-License-Identifier: Apache-2.0

import ConfigClient
import ConfigModel
import ConfigWire
import Foundation
import RemoteConfig
import TestSupport
import Testing

@testable import LiveryCommands

@Suite(.timeLimit(.minutes(5)))
struct CredentialFileTests {
    private let folder: TemporaryDirectory
    private let file: CredentialFile

    init() throws {
        folder = try TemporaryDirectory()
        file = CredentialFile(environment: ["XDG_CONFIG_HOME": folder["config"]])
    }

    @Test func storedTokensArePrivateAndFound() throws {
        #expect(try file.token(for: "http://a") == nil)
        #expect(try !file.store("secret-1", for: "http://a"))
        #expect(try !file.store("secret-2", for: "http://b:1"))
        #expect(try file.tokens() == ["http://a": "secret-1", "http://b:1": "secret-2"])
        #expect(try file.token(for: "http://a") == BearerToken("secret-1"))
        #expect(try folder.mode(of: "config/livery/credentials.json") == 0o600)
        #expect(try folder.mode(of: "config/livery") == 0o700)
        let left = try folder.contents(of: "config/livery")
        #expect(left == ["credentials.json"])
    }

    @Test(arguments: [
        ("http://h:80", "http://h"), ("https://h:443/", "https://h"), ("HTTP://H", "http://h"),
        ("http://h:443", "http://h:443"),
        ("https://h:80", "https://h:80"), ("http://h:8080", "http://h:8080"),
    ])
    func usualPortIsNoOtherServer(address: String, name: String) throws {
        #expect(try ServerAddress(address).text == name)
    }

    @Test func serversThatOnlyLookTheSameHaveTheirOwnTokens() throws {
        try file.store("one", for: "http://\u{E9}")
        try file.store("two", for: "http://e\u{301}")
        #expect(try file.token(for: "http://\u{E9}") == BearerToken("one"))
        #expect(try file.token(for: "http://e\u{301}") == BearerToken("two"))
        #expect(try file.token(for: "http://\u{212A}") == nil)
    }

    @Test func aLoginCountsForAProgramThatRuns() async throws {
        let tokens = file.tokens(for: "http://a") { _ in }
        #expect(try await tokens.token() == nil)
        try file.store("one", for: "http://a")
        #expect(try await tokens.token() == BearerToken("one"))
        try file.store("two", for: "http://a")
        #expect(try await tokens.token() == BearerToken("two"))
        try file.store(nil, for: "http://a")
        #expect(try await tokens.token() == nil)
    }

    @Test func anotherTokenTakesItsPlaceAndNoneRemovesIt() throws {
        try file.store("one", for: "http://a")
        #expect(try file.store("two", for: "http://a"))
        #expect(try file.tokens() == ["http://a": "two"])
        #expect(try file.store(nil, for: "http://a"))
        #expect(try !file.store(nil, for: "http://a"))
        #expect(try file.tokens().isEmpty)
    }

    @Test func removingAnUnknownTokenCreatesNoFile() throws {
        #expect(try !file.store(nil, for: "http://a"))
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test(arguments: ["", "{", "[]", #"{"servers": 1}"#, #"{"servers": {"http://a": {"token": 1}}}"#, "\u{0}"])
    func damagedFileIsReportedAndNotOverwritten(text: String) throws {
        try folder.write(text, to: "config/livery/credentials.json")
        chmod(file.path, 0o600)
        let error = #expect(throws: ConfigError.self) { try file.token(for: "http://a") }
        #expect(error?.description.contains("log in again") == true)
        #expect(throws: ConfigError.self) { try file.store("t", for: "http://a") }
        #expect(try folder.read("config/livery/credentials.json") == Array(text.utf8))
    }

    @Test(arguments: [0o644, 0o640, 0o604, 0o660] as [mode_t])
    func aFileThatOthersMayReadIsRefused(mode: mode_t) throws {
        try file.store("secret", for: "http://a")
        chmod(file.path, mode)
        let error = #expect(throws: ConfigError.self) { try file.token(for: "http://a") }
        #expect(error?.code == .insecure)
        #expect(error?.message.contains("chmod 600") == true)
    }

    /// A server may need none; one that does refuses the request.
    @Test func unusableFileIsAWarningAndGivesNoToken() async throws {
        try folder.makeFolder("config/livery/credentials.json")
        let warnings = Log<ConfigError.Code>()
        let tokens = file.tokens(for: "http://a") { warnings.append($0.code) }
        #expect(try await tokens.token() == nil)
        #expect(warnings.entries == [.unreadable])
        try folder.remove("config/livery/credentials.json")
        try file.store("one", for: "http://a")
        #expect(try await tokens.token() == BearerToken("one"), "a login counts")
    }

    @Test func severalProgramsAtOnceLoseNothing() async throws {
        try await withThrowingTaskGroup { group in
            for number in 0..<20 {
                group.addTask { [file] in
                    try await onDedicatedThread { _ = try file.store("t\(number)", for: "http://h\(number)") }
                }
            }
            try await group.waitForAll()
        }
        #expect(try file.tokens().count == 20)
    }
}
