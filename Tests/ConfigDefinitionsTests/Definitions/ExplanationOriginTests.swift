// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import Configuration
import Testing

struct ExplanationOriginTests {
    @Test func anExplanationNamesWhereAValueComesFrom() {
        let reader = ConfigReader(provider: InMemoryProvider(values: ["app.title": "Hi"]))
        let remote = ReaderSource(reader, watching: .never) { $0 == "app.title" ? "override.json" : nil }
        let sources = ConfigSources(remote: remote)
        let title = ConfigDefinition("app.title", default: "none").remote("app.title")
        #expect(title.explain(from: sources).steps.map(\.origin) == ["override.json"])
        #expect(
            title.explain(from: sources).description == """
                app.title = Hi
                → remote app.title from override.json: Hi
                  default: none
                """
        )
        let missing = ConfigDefinition("app.size", default: 3).remote("app.size")
        #expect(missing.explain(from: sources).steps.map(\.origin) == [nil])
    }
}
