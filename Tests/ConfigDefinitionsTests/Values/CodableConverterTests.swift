// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Foundation
import Testing

struct CodableConverterTests {
    struct Item: Codable, Equatable, ConfigStorable {
        var title: String
        var at: Date?
    }

    private enum Mood: String, CaseIterable, ConfigStorable { case calm, wild }

    private let menu = ConfigDefinition("app.menu", default: [Item]()).remote("app.menu")
        .tweak(category: "App", section: "Menu", name: "Items")
    private let moment = Date(timeIntervalSince1970: 1_767_323_045)

    @Test func errorNamesThePathOfTheMismatch() throws {
        let json = try EntryValue(text: #"[{"title": "a"}, {"title": 3}]"#)
        let error = #expect(throws: ConfigError.self) { try [Item].configConverter.value(of: json) }
        let message = try #require(error?.message)
        #expect(message.hasPrefix(#"[{"title":"a"},{"title":3}] is not an array of Item: at [1].title: expected"#))
        let missing = #expect(throws: ConfigError.self) { try Item?.configConverter.value(ofText: "{}") }
        #expect(missing?.message == "{} is not an optional Item: the member title is missing")
    }

    @Test("A definition made by generic code has the converter and the editor of its type")
    func genericCodeFindsTheConverter() throws {
        func value<Value: Codable & Equatable & Sendable>(
            of variable: String,
            default value: Value
        ) throws -> (Value, TweakEditor) {
            let definition = ConfigDefinition("app.value", default: value, remote: nil).environment("value")
                .stored(key: "value").tweak(category: "App", section: "Values", name: "Value")
            let inputs = LinkInputs(environment: .environment(["VALUE": variable]), tweaks: TweakRepository())
            let repository = ConfigRepository(inputs: inputs)
            repository.add(definition)
            return (repository[definition], try #require(inputs.tweaks?.tweak(id: "app.value")).editor)
        }
        let stepper = TweakEditor.stepper(range: nil, step: 1)
        // A list without brackets is not JSON.
        #expect(try value(of: "1,2", default: [0]) == ([1, 2], .array(stepper)))
        #expect(try value(of: "3", default: Int?.none) == (3, .optional(stepper)))
        #expect(try value(of: "wild", default: Mood.calm) == (.wild, Mood.tweakEditor))
        let fields = TweakEditor.object([.init("1", stepper, isOptional: true)])
        #expect(try value(of: #"{"1": 2}"#, default: ["1": 0]) == (["1": 2], fields))
    }

    @Test func aTweakOfATypeIsStoredAndEdited() throws {
        let store = MemoryStore()
        let repository = ConfigRepository(inputs: .empty(tweaks: TweakRepository(store: store)))
        repository.add(menu)
        let tweak = try #require(repository.inputs.tweaks?.tweak(id: "app.menu"))
        #expect(tweak.editor == .array(.automatic), "an empty array has no fields yet")
        try tweak.set(text: #"[{"title": "Dogs"}]"#)
        #expect(repository[menu] == [Item(title: "Dogs")])
        #expect(store.value(forKey: "default/app.menu")?.canonicalJSON == #"[{"title":"Dogs"}]"#)
        #expect(throws: ConfigError.self) { try tweak.set(text: #"[{"title": 1}]"#) }
        #expect(repository[menu] == [Item(title: "Dogs")])
    }
}
