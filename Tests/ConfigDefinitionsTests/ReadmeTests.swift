import ConfigDefinitions
import ConfigModel
import Configuration
import TestSupport
import Testing

/// The README's example, as it stands there.
struct ReadmeTests {
    let color = ConfigDefinition("app.background.color", default: RGBColor(rgb24: 0))
        .remote("app.background.color")
        .when(.language("es"), return: RGBColor(rgb24: 0xFFC400))
        .tweak(category: "Look", section: "Screen", name: "Background")

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
