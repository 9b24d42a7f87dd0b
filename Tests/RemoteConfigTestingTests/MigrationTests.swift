// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigRules
import Configuration
import RemoteConfig
import RemoteConfigTesting
import Testing

/// The calls with which `Documentation/Migration.md` replaces those of other libraries.
@Suite(.timeLimit(.minutes(1)))
struct MigrationTests {
    private struct Menu: Codable, Equatable, Sendable {
        var title = "Menu"
        var count = 1
    }

    private func service(
        _ values: [String: EntryValue],
        defaults: ConfigDocument? = nil
    ) async throws -> RemoteConfigService {
        let service = RemoteConfigService(source: TestSource(values), bundledDefault: defaults)
        try await service.refresh()
        return service
    }

    // MARK: Firebase Remote Config

    @Test func defaultsApplyToEachMissingKey() async throws {
        let defaults = try ConfigDocument(values: ["welcome": "Hello", "limit": 3])
        let service = try await service(["welcome": "Hi"], defaults: defaults)
        #expect(service["welcome"] == "Hi" && service["limit"] == 3)
        let menu = try await self.service(["menu.count": 5], defaults: ConfigDocument(encoding: ["menu": Menu()]))
        #expect(menu.value(forKey: "menu", default: Menu(title: "", count: 0)) == Menu(title: "Menu", count: 5))
    }

    @Test func fetchedValuesWaitUntilTheyAreActivated() async throws {
        let service = RemoteConfigService(source: TestSource(["welcome": "Hi"]), activation: .onDemand)
        try await service.refresh()
        #expect(service["welcome"] == nil)
        _ = await service.activate()
        #expect(service["welcome"] == "Hi")
    }

    @Test func wrongTypeIsTheDefaultOrAnError() async throws {
        let service = try await service(["limit": "many"])
        #expect(service.value(forKey: "limit", default: 3) == 3)
        #expect(service.state.problems.count == 1)
        #expect(throws: ConfigError.self) { try service.value(forKey: "limit", as: Int.self) }
        let config = ConfigReader(provider: RemoteConfigProvider(service: service))
        #expect(config.int(forKey: "limit", default: 3) == 3)
        #expect(throws: (any Error).self) { try config.requiredInt(forKey: "limit") }
    }

    @Test func emptyKeyIsTheWholeConfiguration() async throws {
        let service = try await service(["title": "Lunch", "count": 2])
        #expect(service.value(forKey: "", default: Menu()) == Menu(title: "Lunch", count: 2))
    }

    // MARK: LaunchDarkly

    @Test(
        arguments: [
            ["menu": ["title": "Lunch", "count": 2]], ["menu.title": "Lunch", "menu.count": 2],
        ] as [[String: EntryValue]]
    )
    func jsonIsReadAsAnyCodableType(values: [String: EntryValue]) async throws {
        let service = try await service(values)
        let lunch = Menu(title: "Lunch", count: 2)
        #expect(service.value(forKey: "menu", default: Menu()) == lunch)
        let config = ConfigReader(provider: RemoteConfigProvider(service: service))
        #expect(config.value(forKey: "menu", default: Menu()) == lunch)
    }

    @Test func contextSelectsVariantAndExplainsIt() async throws {
        let rule: EntryValue = [
            "variants": ["on": true, "off": false],
            "targeting": ["if": [["==": [["var": "targetingKey"], "user-42"]], "on", "off"]],
        ]
        let service = RemoteConfigService(source: TestSource(rules: ["fast": rule]))
        try await service.refresh()
        await service.setContext(EvaluationContext(targetingKey: "user-42"))
        let config = ConfigReader(provider: RemoteConfigProvider(service: service))
        #expect(config.bool(forKey: "fast", default: false))
        #expect(service.state.current.explanation(forKey: "fast")?.evaluation.variant == "on")
        await service.setContext(EvaluationContext(targetingKey: "user-43"))
        #expect(!config.bool(forKey: "fast", default: true))
    }

    @Test func offlineServiceKeepsItsValues() async throws {
        let service = try await service(["welcome": "Hi"])
        await service.setOffline(true)
        #expect(service.state.current.status.isSetOffline && service["welcome"] == "Hi")
    }

    // MARK: Definitions and tweaks

    @Test func definitionIsReadThroughItsLinks() async throws {
        let service = try await service(["fast": true])
        let reader = ConfigReader(provider: RemoteConfigProvider(service: service))
        let tweaks = TweakRepository()
        let repository = ConfigRepository(remote: reader, tweaks: tweaks)
        let fast = ConfigDefinition("fast", default: false).tweak(category: "Shop", section: "Checkout", name: "Fast")
        repository.add(fast)
        #expect(repository.isOn(fast))
        try tweaks.tweak(id: fast.id)?.set(text: "false")
        #expect(repository.isOff(fast))
        try tweaks.undo()
        #expect(repository.isOn(fast))
    }

    @Test func oldVersionIsRecognized() throws {
        #expect(try SemanticVersion(1, 4, 0) < #require(SemanticVersion("1.5.0")))
        #expect(try SemanticVersion(1, 4, 0) >= #require(SemanticVersion("1.4.0")))
    }
}
