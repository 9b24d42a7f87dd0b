// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Foundation
import RemoteConfig
import Testing

struct ChainExplanationTests {
    private func explanation() -> ChainExplanation {
        var inputs = LinkInputs.remote(InMemoryProvider(values: ["app.color": "pink"]))
        inputs.store = MemoryStore(["color": .string("#FFB6C1")])
        return ConfigDefinition("color", default: RGBColor(0))
            .static(RGBColor(0x112233))
            .stored(key: "color")
            .remote("app.color")
            .when("it is night", return: RGBColor(1)) { false }
            .explain(from: inputs)
    }

    @Test func itShowsValuesProblemsAndSilence() {
        let explanation = explanation()
        #expect(explanation.answeredBy == 2 && explanation.typeName == "colour such as #FFB6C1")
        #expect(
            explanation.description == """
                color = #FFB6C1
                  when it is night: no override
                  remote app.color: app.color: "pink" is not a colour such as #FFB6C1
                → stored color: #FFB6C1
                  static: #112233
                  default: #000000
                """
        )
    }

    @Test func aDefaultThatDecidesIsMarked() {
        let definition = ConfigDefinition<Int?>("n", default: nil, remote: nil).dynamic { nil }
        let explanation = definition.explain(from: .empty())
        #expect(explanation.answeredBy == nil)
        #expect(explanation.description == "n = none\n  dynamic: no override\n→ default: none")
    }

    @Test func secretsStaySecret() {
        let inputs = LinkInputs.empty(store: MemoryStore(["a": .string("tell no one"), "b": .integer(1)]))
        let definition = ConfigDefinition("key", default: "hunter2", isSecret: true).stored(key: "a").stored(key: "b")
        let text = definition.explain(from: inputs).description
        #expect(!text.contains("hunter2") && !text.contains("tell no one") && !text.contains("1 is not"))
        #expect(text.contains("→ stored a: secret"))
    }

    @Test func aValueNeverReadsAsOptionalOfSomething() {
        struct Plain: Equatable, Sendable { var x = 1 }
        let texts = [
            ConfigDefinition<Int?>("n", default: 1).explain(from: .empty()).value,
            ConfigDefinition<Plain?>("n", default: Plain()).explain(from: .empty()).value,
            ConfigDefinition<[String?]>("n", default: ["a", nil]).explain(from: .empty()).value,
        ]
        #expect(texts == ["1", "Plain(x: 1)", "a, none"])
    }

    @Test func anExplanationNamesWhereAValueComesFrom() throws {
        let defaults = try ConfigDocument(values: ["app.size": 3])
        let source = CarriedSource(try ConfigDocument(values: ["app.title": "Hi"]))
        let service = RemoteConfigService(source: LayeredSource([source]), bundledDefault: defaults)
        let remote = ObservedReader(ConfigReader(provider: RemoteConfigProvider(service: service)), watching: .never)
        let inputs = LinkInputs(remote: remote)
        let title = ConfigDefinition("app.title", default: "none")
        #expect(
            title.explain(from: inputs).description == """
                app.title = Hi
                → remote app.title from override.json: Hi
                  default: none
                """
        )
        let size = ConfigDefinition("app.size", default: 1)
        #expect(size.explain(from: inputs).steps.map(\.origin) == ["bundled default"])
        #expect(size.explain(from: inputs.snapshot()).steps.map(\.origin) == ["bundled default"])
        let missing = ConfigDefinition("app.other", default: 3)
        #expect(missing.explain(from: inputs).steps.map(\.origin) == [nil])
    }
}

/// A source whose values the program itself carries.
private struct CarriedSource: ConfigSource {
    let name = "override.json"
    let delivery = SourceDelivery.watched
    let bundled: ConfigDocument?

    init(_ document: ConfigDocument) { bundled = document }

    func read(after known: SourcePosition) async throws(ConfigModel.ConfigError) -> SourceReading { .unchanged }
}
