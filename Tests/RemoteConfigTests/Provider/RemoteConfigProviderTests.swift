// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Configuration
import Foundation
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

@testable import RemoteConfig

@Suite(.timeLimit(.minutes(5)))
struct RemoteConfigProviderTests {
    @Test func anIntegerIsADecimalAsWell() throws {
        let provider = RemoteConfigProvider(state: try .holding(#"{"k": 3, "a": [1, 2], "m": [1, 2.5]}"#))
        #expect(try provider.content("k", .double) == .double(3))
        #expect(try provider.content("k", .int) == .int(3))
        #expect(try provider.content("a", .doubleArray) == .doubleArray([1, 2]))
        #expect(try provider.content("a", .intArray) == .intArray([1, 2]))
        #expect(try provider.content("m", .doubleArray) == .doubleArray([1, 2.5]))
    }

    @Test(arguments: [
        (ConfigType.stringArray, ConfigContent.stringArray([])), (.intArray, .intArray([])),
        (.doubleArray, .doubleArray([])), (.boolArray, .boolArray([])), (.byteChunkArray, .byteChunkArray([])),
    ])
    func anEmptyArrayIsOfEveryType(_ type: ConfigType, _ content: ConfigContent) throws {
        let provider = RemoteConfigProvider(state: try .holding(#"{"k": []}"#))
        #expect(try provider.content("k", type) == content)
    }

    @Test(arguments: [
        (#""text""#, ConfigType.int), (#""1""#, .int), (#""true""#, .bool), ("1", .string), ("1", .bool), ("1.5", .int),
        ("true", .string), ("true", .int), (#""not base64!""#, .bytes), ("[1]", .int), ("[1]", .stringArray),
        (#"["a"]"#, .string), (#"["a"]"#, .intArray), ("[1.5]", .intArray), ("[true]", .doubleArray),
        (#"["bWFnaWM=", "?"]"#, .byteChunkArray), ("[]", .string),
    ])
    func anotherTypeIsAnErrorWithItsPlace(_ json: String, _ type: ConfigType) throws {
        let provider = RemoteConfigProvider(state: try .holding(#"{"a.k": \#(json)}"#))
        let error = #expect(throws: ConfigModel.ConfigError.self) { try provider.content("a.k", type) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.key == "a.k")
        #expect(error?.source == "config.json")
        #expect(error?.location != nil)
    }

    @Test func missingValueBeforeTheRunIsLoggedOnce() async throws {
        let lines = Log<String>()
        let service = RemoteConfigService(source: TestSource(["k": 1]), logger: .noting(in: lines))
        let provider = RemoteConfigProvider(service: service)
        for _ in 0..<2 { #expect(try provider.content("k", .int) == nil) }
        #expect(lines.entries.count { $0.contains("call run()") } == 1)
        let later = Log<String>()
        let other = RemoteConfigService(source: TestSource([:]), logger: .noting(in: later))
        await other.running {
            #expect(throws: Never.self) { try RemoteConfigProvider(service: other).content("k", .int) }
        }
        #expect(!later.entries.contains { $0.contains("call run()") }, "the source lacks it")
    }

    @Test func anErrorDoesNotRepeatTheValue() throws {
        let provider = RemoteConfigProvider(state: try .holding(#"{"k": "hunter2"}"#), secrets: ["k"])
        let error = #expect(throws: ConfigModel.ConfigError.self) { try provider.content("k", .int) }
        #expect(error.map { !$0.description.contains("hunter2") } == true)
        #expect(!provider.description.contains("hunter2"))
    }

    @Test func secretsAreMarked() throws {
        let state = try ConfigState.holding(#"{"db.main.password": "x", "db.main.host": "y", "password": "z"}"#)
        let provider = RemoteConfigProvider(state: state, secrets: ["*.password"])
        func isSecret(_ key: String) throws -> Bool? {
            let key = AbsoluteConfigKey(ConfigKey(key))
            let inSnapshot = try provider.snapshot().value(forKey: key, type: .string).value?.isSecret
            let now = try provider.value(forKey: key, type: .string).value?.isSecret
            #expect(inSnapshot == now)
            return now
        }
        #expect(try isSecret("db.main.password") == true)
        #expect(try isSecret("db.main.host") == false)
        #expect(try isSecret("password") == false)
    }

    @Test(arguments: [false, true])
    func partsOfSecretsAndWholesWithSecretsAreSecret(isExact: Bool) throws {
        let values: [String: EntryValue] = [
            "db": ["main": ["host": "h", "login": ["password": "p"]]], "users": [["name": "n", "pin": 1]],
            "open": ["a": 1],
        ]
        let state = ConfigState(preview: values, isExact: isExact)
        let provider = RemoteConfigProvider(state: state, secrets: ["db.main.login", "*.pin"])
        func isSecret(_ key: String, _ type: ConfigType) throws -> Bool? {
            try provider.value(forKey: AbsoluteConfigKey(ConfigKey(key)), type: type).value?.isSecret
        }
        for key in ["db", "db.main", "db.main.login", "users"] { #expect(try isSecret(key, .bytes) == true, "\(key)") }
        #expect(try isSecret("open", .bytes) == false)
        if !isExact { #expect(try isSecret("db.main.login.password", .string) == true) }
    }

    @Test func aSnapshotStaysAsItIsWhileUpdatesHappen() async throws {
        let state = try ConfigState.holding(#"{"a": 0, "b": 0}"#)
        let provider = RemoteConfigProvider(state: state)
        let before = provider.snapshot()
        let writing = Task.detached {
            for number in 1...2000 { try state.take(#"{"a": \#(number), "b": \#(number)}"#) }
        }
        var seen = 0
        while seen < 2000 {
            let snapshot = provider.snapshot()
            let a = try snapshot.value(forKey: "a", type: .int).value?.content
            let b = try snapshot.value(forKey: "b", type: .int).value?.content
            #expect(a == b, "both are of one state")
            guard case .int(let number)? = a else { break }
            #expect(number >= seen)
            seen = number
            await Task.yield()
        }
        try await writing.value
        #expect(seen == 2000)
        #expect(try before.value(forKey: "a", type: .int).value?.content == .int(0))
    }

    @Test func aSourceThatFailsLeavesTheLastGoodValues() async throws {
        let source = FakeSource()
        let service = RemoteConfigService(source: source, notificationCenter: NotificationCenter())
        let provider = RemoteConfigProvider(service: service)
        async let first = provider.fetchValue(forKey: "k", type: .int)
        try await until("the source is read") { source.isRead }
        try source.answer(1)
        #expect(try await first.value?.content == .int(1))

        async let second = provider.fetchValue(forKey: "k", type: .int)
        try await until("the source is read") { source.isRead }
        source.answer(.failure(ConfigModel.ConfigError(.unreachable, "no network")))
        #expect(try await second.value?.content == .int(1))
        #expect(source.readCount == 2)
    }

    @Test func manyKeysAreFetchedByOneRequest() async throws {
        let server = FakeServer()
        let clock = TestClock()
        let service = RemoteConfigService(
            source: server,
            notificationCenter: NotificationCenter(),
            clock: clock
        )
        let provider = RemoteConfigProvider(service: service)
        for number in 0..<30 {
            server.publish { $0["k\(number)"] = .integer(number) }
            _ = try await provider.fetchValue(forKey: AbsoluteConfigKey(["k\(number)"]), type: .int)
        }
        #expect(server.reads.count == 1)
        clock.advance(by: .seconds(1))
        let last = try await provider.fetchValue(forKey: AbsoluteConfigKey(["k29"]), type: .int)
        #expect(last.value?.content == .int(29))
        #expect(server.reads.count == 2)

        var busy = ConfigModel.ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(60)
        let failure = busy
        server.fail { $0.reading = failure }
        for number in 0..<30 {
            clock.advance(by: .seconds(1))
            _ = try await provider.fetchValue(forKey: AbsoluteConfigKey(["k\(number)"]), type: .int)
        }
        #expect(server.reads.count == 3, "the server's wish is respected")
    }

    @Test func theContextOfAKeyDoesNotCount() throws {
        let provider = RemoteConfigProvider(state: try .holding(#"{"a.k": 1}"#))
        let key = AbsoluteConfigKey(["a", "k"], context: ["region": "eu"])
        #expect(try provider.value(forKey: key, type: .int) == LookupResult(encodedKey: "a.k", value: 1))
    }
}

extension RemoteConfigProviderTests {
    @Test(arguments: [
        ("*.password", "db.password", true), ("*.password", "a.b.password", true), ("*.password", "password", false),
        ("*.password", "db.password.old", true), ("payment.*", "payment.a.b", true), ("payment.*", "payments", false),
        ("token", "token", true), ("token", "Token", false), ("token", "token.a.b", true),
        ("token", "token-2", false), ("*token*", "my-token-2", true), ("*", "k", true),
        ("a*b*c", "a.b.b.c", true), ("a*b*c", "a.b.b", false), ("**", "", true), ("", "", true), ("", "k", false),
        ("*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa", false), ("k?", "k?", true), ("k?", "kk", false),
    ])
    func patternsNameSecrets(_ pattern: String, _ key: String, _ isSecret: Bool) {
        #expect(SecretKeys([pattern]).contains(key) == isSecret)
        #expect(SecretKeys(["other", pattern]).contains(key) == isSecret)
        #expect(!SecretKeys([]).contains(key))
    }
}
