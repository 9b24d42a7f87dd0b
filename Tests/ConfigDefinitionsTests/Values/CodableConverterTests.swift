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

    @Test func aMomentInATypeIsAText() throws {
        let item = try Item.configConverter.value(ofText: #"{"title": "a", "at": "2026-01-02T03:04:05.000Z"}"#)
        #expect(item.at == moment)
        #expect(Item.configConverter.text(of: item) == #"{"at":"2026-01-02T03:04:05Z","title":"a"}"#)
    }

    @Test func aDefinitionReadsATextOfJSON() {
        let provider = EnvironmentVariablesProvider(environmentVariables: ["APP_MENU": #"[{"title": "Home"}]"#])
        #expect(menu.value(from: .remote(provider)) == [Item(title: "Home")])
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
