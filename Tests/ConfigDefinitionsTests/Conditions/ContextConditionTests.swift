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

/// Conditions over the user.
@Suite(.timeLimit(.minutes(5)))
struct ContextConditionTests {
    private static let editor = ConfigDefinition("editor", default: "old")
        .when(.group("beta") && !.attribute("plan", is: "free", 0), return: "new")

    private static func user(_ groups: EntryValue, plan: EntryValue = "pro") -> EvaluationContext {
        EvaluationContext(targetingKey: "user-1", ["groups": groups, "plan": plan])
    }

    @Test(arguments: [
        (user(["alpha", "beta"]), true), (user("beta"), true), (user(["beta"], plan: 1), true), (user(["Beta"]), false),
        (user([["beta"]]), false), (user("alpha,beta"), false), (user(["beta"], plan: "free"), false),
        (user(["beta"], plan: 0), false), (EvaluationContext(targetingKey: "beta"), false),
    ])
    func taskContextDecides(_ user: EvaluationContext, _ isNew: Bool) {
        EvaluationContext.$current.withValue(user) {
            #expect(Self.editor.value(from: LinkInputs()) == (isNew ? "new" : "old"))
            #expect(ConfigCondition.attribute("targetingKey", is: "user-1", "beta").holds(in: Surroundings()))
        }
        #expect(Self.editor.value(from: LinkInputs()) == "old", "nobody is known")
        #expect(Self.editor.links.last?.name == #"when (groups include beta and not plan is "free" or 0)"#)
    }

    /// A scope does not change the request for the context.
    @Test func readersOfAScopeKnowTheUser() async throws {
        let service = RemoteConfigService(source: TestSource(["app.editor": "plain"]), context: Self.user(["beta"]))
        try await service.refresh()
        let provider = RemoteConfigProvider(service: service)
        for reader in [
            ConfigReader(provider: provider), ConfigReader(provider: provider).scoped(to: "app"),
            ConfigReader(provider: provider.prefixKeys(with: "app")),
        ] {
            #expect(Self.editor.value(from: LinkInputs(remote: ObservedReader(reader))) == "new")
        }
    }

    @Test func changedContextIsFollowed() async throws {
        let service = RemoteConfigService(source: TestSource(["title": "Hi"]), context: Self.user(["alpha"]))
        try await service.running {
            let providers: [any ConfigProvider] = [
                EnvironmentVariablesProvider(environmentVariables: [:]), RemoteConfigProvider(service: service),
            ]
            let remote = ObservedReader(ConfigReader(providers: providers))
            let repository = ConfigRepository(inputs: LinkInputs(remote: remote))
            let share = ConfigDefinition("share", default: false).when(.rollout(percent: 100, salt: "s"), return: true)
            #expect(repository[Self.editor] == "old" && repository[share], "the service's context counts")
            let seen = Log<String>()
            let subscription = repository.listen(to: Self.editor, seen.append)
            _ = await service.setContext(Self.user(["beta"]))
            try await until("the user is in the group") { seen.entries.last == "new" }
            #expect(Self.editor.value(from: repository.inputs.snapshot()) == "new")
            EvaluationContext.$current.withValue(Self.user([])) { #expect(repository[Self.editor] == "old") }
            _ = await service.setContext(nil)
            try await until("nobody is known") { seen.entries.last == "old" }
            #expect(seen.entries == ["new", "old"] && !repository[share])
            subscription.end()
        }
    }
}
