// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import ConfigSchemas
import Foundation
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens
@testable import RemoteConfig

struct DemoConfigTests {
    /// The values after the source has held some documents, one after the other.
    private func values(_ documents: String...) throws -> DemoValues {
        let state = ConfigState(source: "config.json")
        let config = DemoConfig(state: state)
        var values = config.values(in: .empty)
        for json in documents {
            state.replace(with: try Demo.configuration(json, after: state.current))
            values = config.values(in: state.current.snapshot)
        }
        return values
    }

    @Test func valueIsGoodThenInvalidThenRemoved() throws {
        let good = ##"{"app.background.color": "#222222"}"##
        let bad = #"{"app.background.color": "grey"}"#
        #expect(try values(good).background == RGBColor(0x222222))
        #expect(try values(good).problems == [])

        let kept = try values(good, bad)
        #expect(kept.background == RGBColor(0x222222))
        let problem = #"config.json:1:26: app.background.color: "grey" is not a colour such as #FFB6C1"#
        #expect(kept.problems.map(\.description) == [problem])
        #expect(kept.problems.first?.code == .typeMismatch)

        #expect(try values(good, bad, "{}").background == RGBColor(0x000000))
        #expect(try values(good, bad, "{}").problems == [])
        #expect(try values(good, bad, "{}", bad).background == RGBColor(0x000000))
    }

    @Test func aTextBeyondItsLimitIsAProblemAndNotShown() throws {
        let long = String(repeating: "a", count: 1001)
        let values = try values(#"{"app.fun_button.text": "Hi"}"#, #"{"app.fun_button.text": "\#(long)"}"#)
        #expect(values.buttonText == "Hi")
        let problem = "config.json:1:25: app.fun_button.text: the string has 1001 characters, not 1000 or less"
        #expect(values.problems.map(\.description) == [problem])
    }

    @Test func defaultsSatisfyExportedSchemas() throws {
        let document = try DemoConfig(state: ConfigState(source: "none")).exported()
        let schemas = try SchemaSet(json: Array(document.utf8), source: "definitions.json")
        #expect(schemas.schemas.keys.sorted() == DemoValues.keys.sorted())
        for (key, schema) in schemas.schemas {
            guard case .object(let members) = schema.value else { continue }
            let value = try #require(members["default"])
            #expect(members["description"] != nil)
            #expect(schemas.violations(of: [(key: key, value: value)]) == [])
        }
        let wrong: [String: EntryValue] = [
            "app.background.color": "pink", "app.fun_button.text": 5, "app.fun_button.url": "javascript:alert(1)",
            "app.min_version": ">=0.9.0",
        ]
        #expect(schemas.violations(of: wrong.map { (key: $0, value: $1) }).map(\.key) == wrong.keys.sorted())
    }

    @Test func anUnreadableTweakIsAProblem() throws {
        let store = MemoryStore(["default/app.background.color": .integer(7)])
        let config = DemoConfig(state: ConfigState(source: "none"), tweaks: TweakRepository(store: store))
        let values = config.values(in: .empty)
        #expect(values.background == RGBColor(0) && values.tweaked == [])
        #expect(values.problems.map(\.key) == ["app.background.color"])
        #expect(values.problems.first?.source == "tweaks")
        store.apply([("default/app.background.color", .string("#FFB6C1"))])
        #expect(config.values(in: .empty).problems == [])
    }

    @Test func problemsComeInTheOrderOfTheScreen() throws {
        let json = #"{"app.fun_button.url": 1, "app.fun_button.text": 2, "app.background.color": 3}"#
        let keys = ["app.background.color", "app.fun_button.text", "app.fun_button.url"]
        #expect(try values(json).problems.map(\.key) == keys)
    }
}

struct UserKeysTests {
    @Test func everyCommandHasAKeyAndEveryKeyOneCommand() {
        let commands = MainScreen.Command.allCases.map { $0.declaration(.none).keys }
        let lists = ListScrolling.allCases.filter { $0 != .search }.map { $0.declaration($0, .none).keys }
        let keys = (commands + lists).joined()
        #expect((commands + lists).allSatisfy { !$0.isEmpty })
        #expect(Set(keys).count == keys.count)
        for key in keys { #expect(Key(key.description) == key) }
    }

    /// Opening a FIFO would wait for its writer.
    @Test(.timeLimit(.minutes(1))) func keysThatAreNoFileAreAnError() throws {
        let home = try TemporaryDirectory()
        let environment = ["XDG_CONFIG_HOME": home.path]
        #expect(try DemoApp.keys(environment: environment) == .none)
        try home.makeFolder("livery")
        #expect(mkfifo(home["livery/keys.json"], 0o600) == 0)
        let error = #expect(throws: ConfigError.self) { try DemoApp.keys(environment: environment) }
        #expect(error?.code == .unreadable && error?.source == home["livery/keys.json"])
    }
}
