// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules
import Foundation
import RemoteConfig
import RemoteConfigTesting
import Testing

@testable import CommandSource

/// A source of one's own has what every source has: the cache, layers, rules and the state.
@Suite(.timeLimit(.minutes(1)))
struct CommandSourceTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private let clock = TestClock()
    private var file: URL { folder.appending(path: "values.json") }
    private var source: CommandSource { CommandSource(["/bin/cat", file.path()], every: .seconds(10)) }
    private var cache: ConfigCache {
        ConfigCache(app: "org.example.app", version: "1", folder: folder.path() + "cache")
    }

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try write(#"{"title": "Hi", "limit": 3}"#)
    }

    private func write(_ json: String) throws { try Data(json.utf8).write(to: file) }

    @Test func changedOutputIsShownWithTheNextPoll() async throws {
        let service = RemoteConfigService(source: source, clock: clock)
        try await service.running {
            #expect(service.state.current.status.phase == .polling)
            #expect(service["title"] == "Hi")
            try write(#"{"title": "Hello", "limit": 3}"#)
            await clock.passing {
                for await title in service.state.observe("title", as: String.self) where title == "Hello" {
                    break
                }
            }
            #expect(service.entry(forKey: "title")?.source == source.name)
        }
    }

    @Test func failingCommandKeepsTheCachedValues() async throws {
        let first = RemoteConfigService(source: source, cache: cache, clock: clock)
        #expect(try await first.refresh() == ["limit", "title"])
        try FileManager.default.removeItem(at: file)

        let second = RemoteConfigService(source: source, cache: cache, clock: clock)
        #expect(second["title"] == "Hi")
        let error = await #expect(throws: ConfigError.self) { try await second.refresh() }
        #expect(error?.code == .unavailable && error?.message.contains("status 1") == true)
        let status = second.state.current.status
        #expect(status.origin == .cache && status.phase == .offline && status.problem == error)
    }

    @Test func commandIsALayerAmongOthers() async throws {
        let lower = TestSource(["title": "Untitled", "color": "#87CEFA"])
        let service = RemoteConfigService(source: LayeredSource([source, lower]), clock: clock)
        #expect(try await service.refresh() == ["color", "limit", "title"])
        #expect(service.entry(forKey: "title")?.source == source.name)
        #expect(service.entry(forKey: "color")?.source == lower.name)
    }

    @Test func rulesOfTheOutputSelectTheValue() async throws {
        let targeting = #"{"if": [{"==": [{"var": "role"}, "tester"]}, "beta"]}"#
        let rule = #"{"variants": {"beta": "Hi, tester"}, "targeting": \#(targeting)}"#
        try write(#"{"livery": 1, "entries": {"title": "Hi"}, "rules": {"title": \#(rule)}}"#)
        let service = RemoteConfigService(
            source: source,
            context: EvaluationContext(targetingKey: "ada", ["role": "tester"]),
            clock: clock
        )
        #expect(try await service.refresh() == ["title"])
        #expect(service["title"] == "Hi, tester")
        #expect(service.state.current.explanation(forKey: "title") != nil)
        #expect(await service.setContext(EvaluationContext(targetingKey: "bob")) == ["title"])
        #expect(service["title"] == "Hi")
    }
}
