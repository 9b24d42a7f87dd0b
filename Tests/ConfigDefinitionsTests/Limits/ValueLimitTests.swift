// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Observing
import RemoteConfig
import RemoteConfigTesting
import TestSupport
import Testing

/// The effect of limits on the value of a definition.
struct ValueLimitTests {
    private let provider = MutableInMemoryProvider(initialValues: ["n": 7])
    private let number = ConfigDefinition("n", default: 1).stored(key: "n", in: MemoryStore(["n": .integer(3)]))

    @Test(arguments: [true, false])
    func limitsIgnoreOverridesInAnyOrder(limitComesFirst: Bool) {
        let definition = limitComesFirst ? number.limited(to: 0...5).remote("n") : number.remote("n").limited(to: 0...5)
        let inputs = LinkInputs.remote(provider)
        #expect(definition.value(from: inputs) == 3)
        #expect(
            definition.explain(from: inputs).description == """
                n = 3
                  remote n: n: 7 is not between 0 and 5
                → stored n: 3
                  default: 1
                """
        )
        provider.setValue(5, forKey: "n")
        #expect(definition.value(from: inputs) == 5)
    }

    @Test func limitAppliesToLinksOfEveryKind() {
        let inputs = LinkInputs.empty()
        #expect(number.static(9).limited(to: 0...5).value(from: inputs) == 3)
        #expect(number.limited(to: 0...5).dynamic { 9 }.value(from: inputs) == 3)
        #expect(number.limited(to: 4...5).when(return: 9) { true }.value(from: inputs) == 1, "the store has 3")
    }

    @Test(.ownContexts, arguments: [true, false])
    func theLastGoodValueIsWithinTheLimit(limitComesFirst: Bool) {
        let remote = ConfigDefinition("n", default: 1).remote("n")
        let definition = limitComesFirst ? remote.limited(to: 0...9).lastGood() : remote.lastGood().limited(to: 0...9)
        let inputs = LinkInputs.remote(provider)
        #expect(definition.value(from: inputs) == 7)
        provider.setValue(10, forKey: "n")
        #expect(definition.value(from: inputs) == 7)
        let line = "→ remote n: 7, last good value (n: 10 is not between 0 and 9)"
        #expect(definition.explain(from: inputs).description.contains(line))
        provider.setValue(nil, forKey: "n")
        #expect(definition.value(from: inputs) == 1)
    }

    /// Like a value of another type.
    @Test func aLowerLayerServesAValueWithinTheLimit() async throws {
        let layers = [TestSource(["size": 500], name: "upper"), TestSource(["size": 5], name: "lower")]
        let service = RemoteConfigService(source: LayeredSource(layers), notificationCenter: nil)
        try await service.refresh()
        let inputs = LinkInputs.remote(RemoteConfigProvider(service: service))
        let size = ConfigDefinition("size", default: 1)
        #expect(size.limited(to: 0...10).value(from: inputs) == 5)
        #expect(size.lastGood().limited(to: 0...10).value(from: inputs) == 5)
        #expect(size.limited(to: 0...4).value(from: inputs) == 1)
        await layers[0].publish(["size": 7])
        try await service.refresh()
        #expect(size.limited(to: 0...10).value(from: inputs) == 7)
    }

    @Test func listenersReceiveAValueThatComesWithinTheLimit() async throws {
        let config = ConfigRepository(inputs: .remote(provider))
        let recorder = Log<Int>()
        let definition = ConfigDefinition("n", default: 1).remote("n").limited(to: ...5)
        let subscription = config.listen(to: definition, recorder.append)
        provider.setValue(8, forKey: "n")
        provider.setValue(4, forKey: "n")
        try await until("a value within the limit") { recorder.entries == [4] }
        subscription.end()
    }

    @Test func aSecretIsNotQuoted() {
        let token = ConfigDefinition("token", default: "none", isSecret: true).limited(toLength: 1...4).static(
            "hunter2"
        )
        #expect(!token.explain(from: .empty()).description.contains("hunter2"))
        let code = ConfigDefinition("code", default: "none", isSecret: true).matching(pattern: "^n").static("hunter2")
        #expect(!code.explain(from: .empty()).description.contains("hunter2"))
    }

    @Test func numbersOutsideARangeAreNamed() {
        #expect(ValueLimit<Int>.range(0...10).problem(with: 11) == "11 is not between 0 and 10")
        #expect(ValueLimit<Int>.range(1...).problem(with: 0) == "0 is not 1 or more")
        #expect(ValueLimit<Double>.range(...0.5).problem(with: 1) == "1 is not 0.5 or less")
        #expect(ValueLimit<Double>.range(0...1).problem(with: .nan) == "nan is not between 0 and 1")
        for inside in [0.0, 0.5, 1] { #expect(ValueLimit<Double>.range(0...1).problem(with: inside) == nil) }
    }

    @Test func textsAreLimitedInLengthByScalarsAndByPatterns() {
        let length = ValueLimit.length(1...2)
        #expect(length.problem(with: "") == "the string has 0 characters, not between 1 and 2")
        #expect(length.problem(with: "e\u{301}") == nil && length.problem(with: "e\u{301}e") != nil)
        let pattern = ValueLimit.pattern("^[a-z]+$")
        #expect(pattern.problem(with: "abc") == nil)
        #expect(pattern.problem(with: "aBc") == #""aBc" does not match ^[a-z]+$"#)
    }

    @Test func optionsAreTheSameInTheirStoredForm() {
        #expect(ValueLimit.options([1, 10]).problem(with: 5) == "5 is not one of 1, 10")
        #expect(ValueLimit.options(["Slow": 1, "Fast": 10]).problem(with: 5) == "5 is not one of Slow, Fast")
        #expect(ValueLimit.options(["é"]).problem(with: "e\u{301}") != nil, "JSON Schema has two values there")
        let sky = RGBColor(0x87CEFA)
        #expect(ValueLimit.options([sky]).problem(with: sky) == nil)
        #expect(ValueLimit.options([sky]).problem(with: RGBColor(0)) == "\"#000000\" is not one of #87CEFA")
    }

    @Test func arraysAndOptionalsAreLimitedInTheirParts() {
        let count = ValueLimit<[Int]>.count(1...2)
        #expect(count.problem(with: []) == "the array has 0 elements, not between 1 and 2")
        #expect(count.problem(with: [1, 2]) == nil)
        let elements = ValueLimit<[Int]>.elements(.range(0...5))
        #expect(elements.problem(with: [1, 7]) == "at [1]: 7 is not between 0 and 5")
        #expect(elements.problem(with: []) == nil)
        let optional = ValueLimit<Int?>.unlessNil(.range(0...5))
        #expect(optional.problem(with: nil) == nil && optional.problem(with: 7) == "7 is not between 0 and 5")
    }

    @Test func limitsRejectTweaksOnScreenAndInStore() throws {
        let store = MemoryStore()
        let tweaks = TweakRepository(store: store)
        let config = ConfigRepository(inputs: .empty(tweaks: tweaks))
        let name = ConfigDefinition("name", default: "Ann").limited(toLength: 1...5)
            .tweak(category: "A", section: "B", name: "C", editor: .text)
        config.add(name)
        let tweak = try #require(tweaks.tweak(id: "name"))
        #expect(throws: ConfigError(.typeMismatch, "the string has 6 characters, not between 1 and 5", key: "name")) {
            try tweak.set(.string("Joanna"))
        }
        try tweak.set(text: "Joe")
        #expect(config[name] == "Joe")
        // As an earlier version of the program may have left it.
        store.apply([("default/name", .some(.string("Joanna")))])
        #expect(config[name] == "Ann" && tweak.problem != nil && tweak.value == .string("Ann"))
    }

    @Test func aTweakWithoutAnEditorHasThatOfItsLimits() throws {
        func editor<Value: ConfigStorable>(_ definition: ConfigDefinition<Value>) throws -> TweakEditor {
            let tweaks = TweakRepository()
            ConfigRepository(inputs: .empty(tweaks: tweaks)).add(
                definition.tweak(category: "A", section: "B", name: "C")
            )
            return try #require(tweaks.tweak(id: "d")).editor
        }
        let (whole, decimal) = (ConfigDefinition("d", default: 1), ConfigDefinition("d", default: 0.5))
        #expect(try editor(decimal.limited(to: 0...1)) == .slider(range: 0...1))
        #expect(try editor(whole.limited(to: 0...1000)) == .slider(range: 0...1000))
        #expect(try editor(whole.limited(to: 0...1001)) == .stepper(range: 0...1001, step: 1))
        #expect(try editor(decimal.limited(to: 0...1e9)) == .stepper(range: 0...1e9, step: 1))
        let most = Double(EntryValue.maximumInteger)
        #expect(try editor(whole.limited(to: 1...)) == .stepper(range: 1...most, step: 1))
        #expect(try editor(decimal.limited(to: ...1)) == .stepper(range: -most...1, step: 0.1))
        #expect(try editor(whole.oneOf([1, 10])) == .picker([.init("1", 1), .init("10", 10)]))
        #expect(try editor(whole.oneOf(["Slow": 1, "Fast": 10])) == .picker([.init("Slow", 1), .init("Fast", 10)]))
        let array = ConfigDefinition("d", default: [0.5]).limited(toCount: ...3).limited(by: .elements(.range(0...1)))
        #expect(try editor(array) == .array(.slider(range: 0...1)))
        let optional = ConfigDefinition("d", default: Int?.none).limited(by: .unlessNil(.range(0...9)))
        #expect(try editor(optional) == .optional(.slider(range: 0...9)))
        #expect(try editor(ConfigDefinition("d", default: "").limited(toLength: ...3)) == .text)
        #expect(try editor(ConfigDefinition("d", default: RGBColor(0))) == .color)
    }

    @Test func theLimitMayComeAfterTheTweakAndANamedEditorStays() throws {
        let tweaks = TweakRepository()
        let config = ConfigRepository(inputs: .empty(tweaks: tweaks))
        let plain = ConfigDefinition("plain", default: 1).tweak(category: "A", section: "B", name: "C")
        let named = ConfigDefinition("named", default: 1).tweak(category: "A", section: "B", name: "D", editor: .text)
        config.add(plain.limited(to: 0...9), named.limited(to: 0...9))
        #expect(tweaks.tweak(id: "plain")?.editor == .slider(range: 0...9))
        #expect(tweaks.tweak(id: "named")?.editor == .text)
    }
}
