// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Foundation
import Testing

struct ReaderKindTests {
    private func value<Value: ConfigStorable>(
        _ provided: ConfigValue?,
        default defaultValue: Value
    ) -> Value {
        let provider = InMemoryProvider(values: provided.map { ["app.key": $0] } ?? [:])
        return ConfigDefinition("d", default: defaultValue).remote("app.key").value(from: .remote(provider))
    }

    private func array(_ content: ConfigContent) -> ConfigValue {
        ConfigValue(content, isSecret: false)
    }

    @Test func scalars() {
        #expect(value("Meow 😸", default: "") == "Meow 😸")
        #expect(value(7, default: 0) == 7)
        #expect(value(7.5, default: 0.0) == 7.5)
        #expect(value(7, default: 0.0) == 7)
        #expect(value(true, default: false))
    }

    @Test func typesThatAreWrittenAsText() throws {
        let url = try #require(URL(string: "https://example.com/?q=a,b"))
        let version = try #require(SemanticVersion("1.2.3"))
        #expect(value("#FFB6C1", default: RGBColor(0)) == RGBColor(0xFFB6C1))
        #expect(value("https://example.com/?q=a,b", default: URL(filePath: "/")) == url)
        #expect(value("2026-11-21T08:30:00Z", default: Date.distantPast) == Date("2026-11-21T08:30:00Z"))
        #expect(value("1.2.3", default: Optional<SemanticVersion>.none) == version)
        #expect(value("dark", default: Theme.light) == .dark)
        #expect(value(7, default: Level.low) == .high)
    }

    @Test func optionals() {
        #expect(value(7, default: Int?.none) == 7)
        #expect(value(nil, default: Int?.some(3)) == 3)
    }

    @Test func arrays() {
        #expect(value(array(.stringArray(["a,b", "c"])), default: [String]()) == ["a,b", "c"])
        #expect(value(array(.intArray([1, 2])), default: [Int]()) == [1, 2])
        #expect(value(array(.intArray([1, 2])), default: [Double]()) == [1, 2])
        #expect(value(array(.boolArray([true])), default: [Bool]()) == [true])
        #expect(value(array(.stringArray(["#fff"])), default: [RGBColor]()) == [RGBColor(0xFFFFFF)])
    }

    @Test(arguments: ["zzzzzz", "0x1234", "#FFB6C1FF", ""])
    func aMalformedTextIsNoOverride(_ text: String) {
        let provided = ConfigValue(.string(text), isSecret: false)
        #expect(value(provided, default: RGBColor(5)) == RGBColor(5))
        #expect(value(provided, default: Theme.light) == .light)
        #expect(value(array(.stringArray([text])), default: [RGBColor(5)]) == [RGBColor(5)])
    }

    @Test(arguments: ["2026", "inf", "nan", "2026-11-21"])
    func aNumberIsNotADate(_ text: String) {
        #expect(value(ConfigValue(.string(text), isSecret: false), default: Date.distantPast) == .distantPast)
        #expect(value(array(.stringArray([text])), default: [Date.distantPast]) == [.distantPast])
    }

    /// An environment variable has only texts, and the provider splits them at commas.
    @Test func anArrayInAnEnvironmentVariableMayBeJSON() {
        var inputs = LinkInputs.empty()
        inputs.environment = .environment(["APP_NAMES": #"["a,b","c\n"]"#, "APP_WORDS": "a,b", "APP_COUNTS": "[1, 2]"])
        let names = ConfigDefinition("names", default: [String]()).environment("app.names")
        #expect(names.value(from: inputs) == ["a,b", "c\n"])
        let words = ConfigDefinition("words", default: [String]()).environment("app.words")
        #expect(words.value(from: inputs) == ["a", "b"])
        let counts = ConfigDefinition("counts", default: [Int]()).environment("app.counts")
        #expect(counts.value(from: inputs) == [1, 2])
    }

    @Test func theKeyMayBeScoped() {
        let reader = ConfigReader(provider: InMemoryProvider(values: ["app.title": "Dogs"])).scoped(to: "app")
        let definition = ConfigDefinition("title", default: "").remote("title", in: ObservedReader(reader))
        #expect(definition.value(from: .empty()) == "Dogs")
    }
}
