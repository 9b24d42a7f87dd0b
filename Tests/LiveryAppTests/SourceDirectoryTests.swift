// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigChanges
import ConfigModel
import RemoteConfig
import TestSupport
import Testing

@testable import LiveryApp
@testable import LiveryScreens

/// Other sources than the one on the command line.
struct SourceDirectoryTests {
    private let folder: TemporaryDirectory
    private let directory: SourceDirectory

    init() throws {
        folder = try TemporaryDirectory()
        try folder.write(#"{"app.on": true}"#, to: "own.json")
        let rules = #"{"a": {"variants": {"x": 2}, "defaultVariant": "x"}}"#
        try folder.write(#"{"livery": 1, "entries": {"a": 1}, "rules": \#(rules)}"#, to: "other.json")
        directory = try SourceOptions.parse([folder["own.json"]]).directory(environment: [:])
    }

    @Test func readsTheValuesAndRulesOfAFile() async throws {
        let contents = try await directory.contents(folder["other.json"]).get().contents
        #expect(contents.values == ["a": 1] && contents.rules.keys.sorted() == ["a"])
    }

    @Test func readsTheDemo() async throws {
        let contents = try await directory.contents(DemoSource.word).get().contents
        #expect(contents.values["app.fun_button.text"] == "Livery")
    }

    @Test(arguments: ["missing.json", ""])
    func reportsWhatCannotBeRead(name: String) async {
        let path = name.isEmpty ? "" : folder[name]
        let error = await #expect(throws: ConfigError.self) { try await directory.contents(path).get() }
        #expect(error?.code == (name.isEmpty ? .invalidSource : .notFound))
    }
}
