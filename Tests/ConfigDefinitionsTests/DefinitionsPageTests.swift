// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Foundation
import TestSupport
import Testing

/// The example of the article on definitions, which `DefinitionsExample.swift` is.
struct DefinitionsPageTests {
    @Test func thePageShowsTheExampleThatIsCompiledHere() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
        let source = try String(contentsOf: folder.appending(path: "DefinitionsExample.swift"), encoding: .utf8)
        // Below the line of the licence.
        let example = source.split(separator: "\n\n", maxSplits: 1).last.map(String.init) ?? source
        let catalogue = "../../Sources/ConfigDefinitions/ConfigDefinitions.docc"
        let path = folder.appending(path: "\(catalogue)/DefinitionsAndTweaks.md").standardized
        let page = try String(contentsOf: path, encoding: .utf8)
        #expect(example.contains("color") && page.contains("```swift\n" + example + "```\n"))
    }

    @Test func theChainOfTheExampleIsAskedFromItsEnd() throws {
        let folder = try TemporaryDirectory()
        let reader = ConfigReader(provider: InMemoryProvider(values: ["app.background.color": "#FFB6C1"]))
        let surroundings = Surroundings(facts: .current(environment: [:]))
        let tweaks = TweakRepository(store: FileStore(path: folder.path(to: "tweaks.json")))
        let config = ConfigRepository(
            sources: ConfigSources(remote: ReaderSource(reader), tweaks: tweaks, surroundings: surroundings)
        )
        config.add(color)
        #expect(config[color] == RGBColor(rgb24: 0xFFB6C1))
        surroundings.update { $0.language = "es" }
        #expect(config[color] == RGBColor(rgb24: 0xFFC400))
        try tweaks.tweak(id: color.id)?.set(text: "#87CEFA")
        #expect(config[color] == RGBColor(rgb24: 0x87CEFA))
        #expect(config.explain(color).answeredBy == 0)
    }
}
