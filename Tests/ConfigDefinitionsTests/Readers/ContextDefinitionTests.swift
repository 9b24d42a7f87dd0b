// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigRules
import Configuration
import Observing
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

/// Definitions in the context of a task.
@Suite(.timeLimit(.minutes(5)))
struct ContextDefinitionTests {
    private static func rule(_ spanish: EntryValue) -> EntryValue {
        [
            "variants": ["es": spanish, "others": "Hello"], "defaultVariant": "others",
            "targeting": ["if": [["==": [["var": "language"], "es"]], "es"]],
        ]
    }

    private let source = TestSource(["title": "Hi"], rules: ["title": rule("Hola")])
    private let title = ConfigDefinition("title", default: "none")
    private let user = EvaluationContext(["language": "es"])

    private func running(_ body: (ConfigRepository) async throws -> Void) async throws {
        let service = RemoteConfigService(source: source, context: EvaluationContext(["language": "de"]))
        try await service.running {
            try await body(ConfigRepository(inputs: .remote(RemoteConfigProvider(service: service))))
        }
    }

    @Test func valuesFollowTheTaskContext() async throws {
        try await running { repository in
            await EvaluationContext.$current.withValue(user) {
                var values = repository.observe(title).makeAsyncIterator()
                #expect(await values.next(isolation: #isolation) == "Hola")
                await source.publish(rules: ["title": Self.rule("Buenas")])
                #expect(await values.next(isolation: #isolation) == "Buenas", "the program's own value is the same")
            }
        }
    }

    @Test func listenersGetTheValuesOfTheProgram() async throws {
        try await running { repository in
            let heard = Log<String>()
            let subscription = EvaluationContext.$current.withValue(user) {
                repository.listen(to: title, heard.append)
            }
            await source.publish(["other": 1], rules: ["title": Self.rule("Buenas")])
            await source.publish(rules: ["title": nil])
            try await until("the rule is gone") { heard.entries.last == "Hi" }
            #expect(heard.entries == ["Hi"])
            subscription.end()
        }
    }
}
