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

@Suite(.timeLimit(.minutes(5)), .ownContexts)
struct LastGoodTests {
    private let provider = MutableInMemoryProvider(initialValues: ["color": "#FFB6C1"])
    private let color = ConfigDefinition("color", default: RGBColor(0)).remote("color").lastGood()

    @Test func aValueThatCannotBeUsedLeavesTheLastGoodOne() {
        let config = ConfigRepository(inputs: .remote(provider))
        #expect(config[color] == RGBColor(0xFFB6C1))
        for bad: ConfigValue in ["pink", 7, true] {
            provider.setValue(bad, forKey: "color")
            #expect(config[color] == RGBColor(0xFFB6C1), "\(bad)")
        }
        provider.setValue("#87CEFA", forKey: "color")
        #expect(config[color] == RGBColor(0x87CEFA))
    }

    /// A reading that began earlier ends later.
    @Test func slowReadingDoesNotReplaceTheLastGoodValue() {
        let (level, interruption, isBad) = (Box(1), Box<(@Sendable () -> Void)?>(nil), Box(false))
        let link = InterruptedLink { () throws(ConfigModel.ConfigError) in
            if isBad.value { throw ConfigModel.ConfigError(.typeMismatch, "bad") }
            let value = level.value
            interruption.change { $0.take() }?()
            return .value(value)
        }
        let (definition, inputs) = (ConfigDefinition("level", default: 0).link(link).lastGood(), LinkInputs.empty())
        interruption.value = {
            level.value = 2
            _ = definition.value(from: inputs)
        }
        #expect(definition.value(from: inputs) == 1)
        isBad.value = true
        #expect(definition.value(from: inputs) == 2)
    }

    @Test(arguments: [ObservedReader.Watching.keys, .snapshots, .signals(KeyedSignals()), .never], [false, true])
    func lastGoodValueBelongsToAContext(_ watching: ObservedReader.Watching, isFirst: Bool) async throws {
        let source = TestSource(["color": "#FFB6C1"])
        let (service, other) = (
            RemoteConfigService(source: source), RemoteConfigService(source: TestSource(["title": "Hi"]))
        )
        for service in [service, other] { _ = await service.refreshOutcome() }
        let services = isFirst ? [service, other] : [other, service]
        let reader = ConfigReader(providers: services.map { RemoteConfigProvider(service: $0) })
        let config = ConfigRepository(inputs: LinkInputs(remote: ObservedReader(reader, watching: watching)))
        config.add(color)
        #expect(config[color] == RGBColor(0xFFB6C1))
        await source.publish(["color": "pink"])
        _ = await service.refreshOutcome()
        #expect(service.state.current.snapshot.entries["color"]?.value == "pink")
        #expect(config[color] == RGBColor(0xFFB6C1))
        let shown = Log<RGBColor>()
        let subscription = config.listen(to: color) { shown.append($0) }
        await service.setContext(EvaluationContext(targetingKey: "user-2"))
        #expect(config[color] == RGBColor(0))
        try await until("it is announced") { shown.entries == [RGBColor(0)] }
        subscription.end()
    }

    @Test func callsLeaveTheProgramsLastGoodValue() {
        let config = ConfigRepository(inputs: .remote(provider))
        let user = EvaluationContext(targetingKey: "user-2")
        #expect(config[color] == RGBColor(0xFFB6C1))
        EvaluationContext.$current.withValue(user) { #expect(config[color] == RGBColor(0xFFB6C1)) }
        provider.setValue("pink", forKey: "color")
        #expect(config[color] == RGBColor(0xFFB6C1))
        EvaluationContext.$current.withValue(EvaluationContext(targetingKey: "user-3")) {
            #expect(config[color] == RGBColor(0))
        }
    }

    /// Users whose names differ by their bytes only are different users.
    @Test func eachUserHasALastGoodValue() {
        let config = ConfigRepository(inputs: .remote(provider))
        let users = NormalForm.names.map { EvaluationContext(targetingKey: $0) }
        func value(for user: EvaluationContext) -> RGBColor {
            EvaluationContext.$current.withValue(user) { config[color] }
        }
        for (number, user) in users.enumerated() {
            provider.setValue(ConfigValue(.string("#00000\(number + 1)"), isSecret: false), forKey: "color")
            #expect(value(for: user) == RGBColor(UInt32(number + 1)))
            provider.setValue("pink", forKey: "color")
            for (other, user) in users.enumerated() {
                #expect(value(for: user) == RGBColor(other <= number ? UInt32(other + 1) : 0), "\(number) \(other)")
            }
        }
        for number in 0..<100 {
            provider.setValue("#0000FF", forKey: "color")
            _ = value(for: EvaluationContext(targetingKey: "\(number)"))
        }
        provider.setValue("pink", forKey: "color")
        #expect(value(for: EvaluationContext(targetingKey: "99")) == RGBColor(0xFF))
        #expect(value(for: users[0]) == RGBColor(0), "there is a limit")
    }

    @Test func explanationNamesTheErrorAndTheResult() {
        let inputs = LinkInputs.remote(provider)
        #expect(
            color.explain(from: inputs).description == """
                color = #FFB6C1
                → remote color: #FFB6C1
                  default: #000000
                """
        )
        provider.setValue("pink", forKey: "color")
        #expect(
            color.explain(from: inputs).description == """
                color = #FFB6C1
                → remote color: #FFB6C1, last good value (color: "pink" is not a colour such as #FFB6C1)
                  default: #000000
                """
        )
    }

    @Test func onlyTheNextLinkBelowApplies() {
        let store = MemoryStore(["color": .string("#112233")])
        var inputs = LinkInputs.remote(provider)
        inputs.store = store
        let color = ConfigDefinition("color", default: RGBColor(0))
            .stored(key: "color")
            .remote("color")
            .lastGood()
        #expect(color.value(from: inputs) == RGBColor(0xFFB6C1))
        provider.setValue(nil, forKey: "color")
        #expect(color.value(from: inputs) == RGBColor(0x112233))
        provider.setValue("pink", forKey: "color")
        #expect(color.value(from: inputs) == RGBColor(0x112233))
    }

    @Test func aLinkIsReadOnceForAValue() {
        // Good when it is read first, and bad ever after: a second read would lead to the default.
        let reads = Log<Int>()
        let color = ConfigDefinition("color", default: 0)
            .dynamic("flickering") { () -> Int? in
                reads.append(1)
                return reads.entries.count == 1 ? 7 : nil
            }
            .lastGood()
        #expect(color.value(from: LinkInputs()) == 7)
        #expect(reads.entries.count == 1)
    }

    @Test func repositoryKeepsUnreadGoodValues() async throws {
        let config = ConfigRepository(inputs: .remote(provider))
        let recorder = Log<RGBColor>()
        let subscription = config.listen(to: color, recorder.append)
        provider.setValue("#87CEFA", forKey: "color")
        try await until("a new colour") { recorder.entries == [RGBColor(0x87CEFA)] }
        provider.setValue("pink", forKey: "color")
        #expect(config[color] == RGBColor(0x87CEFA))
        subscription.end()
    }

    @Test func withoutALinkBelowItHasNoEffect() {
        #expect(ConfigDefinition("n", default: 3, remote: nil).lastGood().links.isEmpty)
    }
}

/// A link that a test looks into while it answers.
private struct InterruptedLink: ConfigLink {
    let name = "interrupted"
    let find: @Sendable () throws(ConfigModel.ConfigError) -> Override<Int>

    func answer(from inputs: LinkInputs) throws(ConfigModel.ConfigError) -> Override<Int> { try find() }
}
