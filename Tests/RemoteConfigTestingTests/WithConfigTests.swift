// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigRules
import Configuration
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

/// A configuration of a task's own.
@Suite(.timeLimit(.minutes(5)))
struct WithConfigTests {
    private struct Banner {
        @RemoteValue("banner.text") var text = "none"
        @RemoteValue("banner.size") var size = 0
    }

    private let banner = Banner()
    private static let rule: EntryValue = [
        "variants": ["pro": "Dear customer", "free": "Hi"], "defaultVariant": "free",
        "targeting": ["if": [["==": [["var": "plan"], "pro"]], "pro"]],
    ]

    @Test func innerConfigurationsAddToOuterOnes() async {
        withConfig(["banner": ["text": "Hello", "size": 1]]) { #expect(banner.text == "Hello" && banner.size == 1) }
        withConfig(["banner.text": "Hello"], rules: ["banner.text": Self.rule]) {
            withConfig(["banner.size": 2], context: EvaluationContext(["plan": "pro"])) {
                #expect(banner.text == "Dear customer" && banner.size == 2)
            }
            #expect(banner.text == "Hello" && banner.size == 0)
        }
        #expect(banner.text == "none")
    }

    @Test func parallelTasksDoNotSeeOneAnother() async {
        await withTaskGroup { group in
            for number in 0..<1000 {
                group.addTask { [banner] in
                    await withConfig(["banner.size": .integer(number)]) {
                        #expect(banner.size == number)
                        await Task.yield()
                        async let child = banner.size
                        #expect(await child == number)
                    }
                }
            }
        }
        #expect(banner.size == 0)
    }

    @Test func listenersAreCalledBeforeAPublishReturns() async {
        let source = TestSource(["title": "Hi", "menu": ["size": 1]])
        let service = RemoteConfigService(source: source)
        let reader = ConfigReader(provider: RemoteConfigProvider(service: service))
        let remote = ObservedReader(reader, watching: .signals(service.state.changes))
        let repository = ConfigRepository(inputs: LinkInputs(remote: remote))
        let (title, menu) = (
            ConfigDefinition("title", default: "").remote("title"),
            ConfigDefinition("menu", default: [String: Int]()).remote("menu")
        )
        let heard = Log<String>()
        await service.running {
            let subscriptions = [
                repository.listen(to: title) { heard.append($0) },
                repository.listen(to: menu) { heard.append("\($0)") },
            ]
            await source.publish(["title": "Hello"])
            #expect(heard.entries == ["Hello"])
            await source.publish(["menu": ["size": 2]])
            #expect(heard.entries == ["Hello", #"["size": 2]"#])
            withExtendedLifetime(subscriptions) {}
        }
    }
}
