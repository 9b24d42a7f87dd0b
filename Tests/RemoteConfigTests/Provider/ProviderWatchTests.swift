// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Configuration
import Observing
import TestSupport
import Testing

@testable import RemoteConfig

@Suite(.timeLimit(.minutes(5)))
struct ProviderWatchTests {
    private static let types: [(ConfigType, [String], [ConfigContent])] = [
        (.string, [#""a""#, #""b""#], [.string("a"), .string("b")]),
        (.int, ["1", "2"], [.int(1), .int(2)]),
        (.double, ["1.5", "2"], [.double(1.5), .double(2)]),
        (.bool, ["true", "false"], [.bool(true), .bool(false)]),
        (.bytes, [#""bWFnaWM=""#, #""bWFnaWMy""#], [.bytes(Array("magic".utf8)), .bytes(Array("magic2".utf8))]),
        (.stringArray, [#"["a"]"#, "[]"], [.stringArray(["a"]), .stringArray([])]),
        (.intArray, ["[1]", "[]"], [.intArray([1]), .intArray([])]),
        (.doubleArray, ["[1]", "[2.5]"], [.doubleArray([1]), .doubleArray([2.5])]),
        (.boolArray, ["[true]", "[false]"], [.boolArray([true]), .boolArray([false])]),
        (.byteChunkArray, [#"["bWFnaWM="]"#, "[]"], [.byteChunkArray([Array("magic".utf8)]), .byteChunkArray([])]),
    ]

    @Test(arguments: types)
    func aWatcherOfEachTypeFires(_ type: ConfigType, _ values: [String], _ contents: [ConfigContent]) async throws {
        let state = try ConfigState.holding(#"{"a.k": \#(values[0])}"#)
        let provider = RemoteConfigProvider(state: state)
        try await provider.watchValue(forKey: "a.k", type: type) { updates in
            var updates = updates.makeAsyncIterator()
            #expect(try await updates.next()?.get().value?.content == contents[0])
            try state.take(#"{"a.k": \#(values[1])}"#)
            #expect(try await updates.next()?.get().value?.content == contents[1])
            try state.take("{}")
            let missing = try #require(try await updates.next()).get()
            #expect(missing == LookupResult(encodedKey: "a.k", value: nil))
            try state.take(#"{"a.k": {}}"#.replacing("{}", with: values[0]))
            #expect(try await updates.next()?.get().value?.content == contents[0])
        }
        #expect(state.observed.observerCount == 0)
    }

    @Test func aValueOfAnotherTypeIsAnErrorAmongTheUpdates() async throws {
        let state = try ConfigState.holding(#"{"k": 1}"#)
        try await RemoteConfigProvider(state: state).watchValue(forKey: "k", type: .int) { updates in
            var updates = updates.makeAsyncIterator()
            #expect(try await updates.next()?.get().value?.content == .int(1))
            try state.take(#"{"k": "text"}"#)
            let update = try await updates.next()
            #expect(throws: ConfigModel.ConfigError.self) { try update?.get() }
            try state.take(#"{"k": 2}"#)
            #expect(try await updates.next()?.get().value?.content == .int(2))
        }
    }

    @Test func aWatcherOfSnapshotsGetsWholeStates() async throws {
        let state = try ConfigState.holding(#"{"a": 0, "b": 0}"#)
        try await RemoteConfigProvider(state: state, secrets: ["b"]).watchSnapshot { updates in
            var updates = updates.makeAsyncIterator()
            let first = try #require(try await updates.next())
            try state.take(#"{"a": 1, "b": 1}"#)
            let second = try #require(try await updates.next())
            #expect(try first.value(forKey: "a", type: .int).value?.content == .int(0))
            #expect(try second.value(forKey: "a", type: .int).value?.content == .int(1))
            #expect(try second.value(forKey: "b", type: .int).value == ConfigValue(.int(1), isSecret: true))
        }
        #expect(state.observed.observerCount == 0)
    }
}
