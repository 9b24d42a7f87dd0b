// SPDX-License-Identifier: Apache-2.0

package import ConfigDefinitions
package import ConfigModel
import Configuration
package import RemoteConfig

/// The demo's values as definitions in one repository: remote values with tweaks on top.
package struct DemoConfig: Sendable {
    let repository: ConfigRepository

    private let background = Self.remote("app.background.color", default: RGBColor(0x000000))
        .described("The background colour; the text is black or white, depending on contrast")
        .tweak(category: "Demo", section: "Look", name: "Background")
    private let buttonText = Self.remote("app.fun_button.text", default: "Dogs are awesome!")
        .described("The text of the button")
        .limited(toLength: ...1000)
        .tweak(category: "Demo", section: "Button", name: "Text")
    private let buttonURL = Self.remote("app.fun_button.url", default: WebAddress.dogsAreAwesome)
        .described("The URL that the button opens")
        .tweak(category: "Demo", section: "Button", name: "URL")
    // Without a requirement, any version is accepted.
    private let minimumVersion = Self.remote("app.min_version", default: SemanticVersion(0, 0, 0))
        .described("The minimum supported version of livery; older versions show \"Out of date\"")

    private static func remote<Value: ConfigStorable>(_ key: String, default value: Value) -> ConfigDefinition<Value> {
        ConfigDefinition(key, default: value).lastGood()
    }

    package init(state: ConfigState, tweaks: TweakRepository? = nil) {
        self.init(reader: ConfigReader(provider: RemoteConfigProvider(state: state)), tweaks: tweaks)
    }

    init(reader: ConfigReader, tweaks: TweakRepository? = nil) {
        let remote = Self.remote(reader)
        repository = ConfigRepository(inputs: LinkInputs(remote: remote, tweaks: tweaks))
        repository.add(background, buttonText, buttonURL)
    }

    /// All values are read again after each update, so no key has to be watched.
    private static func remote(_ reader: ConfigReader) -> ObservedReader { ObservedReader(reader, watching: .never) }

    /// Adds the rows that only the tweaks screen shows, if they are missing. This is done when the screen is first opened: the
    /// runtime takes longer than a frame to instantiate so many types.
    func addShowcase() {
        guard let tweaks = repository.inputs.tweaks, tweaks.tweak(id: Showcase.toggle.id) == nil else { return }
        Showcase.add(to: repository)
        let paints = [
            ("demo.sky", "Sky background", "#87CEFA"), ("demo.blossom", "Blossom background", "#FFB6C1"),
        ]
        for (id, name, color) in paints {
            let action = TweakAction(id, category: "Demo", section: "Actions", name: name) {
                [weak tweaks, target = background.id] in
                // The store reports failed writes, and the editor accepts every colour.
                try? tweaks?.tweak(id: target)?.set(.string(color))
            }
            tweaks.add(action)
        }
    }

    /// The keys whose values the screen cannot use.
    package static func unusableKeys(in current: ConfigState.Snapshot) -> [String] {
        DemoValues(of: current).problems.compactMap(\.key)
    }

    /// Reads the cached values, which are used while those of the source cannot be.
    func readingCache(of sync: RemoteConfigService) async -> RemoteConfigService {
        await sync.loadCache()
        _ = values(in: sync.state.current.snapshot)
        return sync
    }

    /// The JSON Schemas of the demo's keys, as one document.
    package func exported() throws(ConfigError) -> String {
        // Without the showcase, which has no remote keys.
        let definitions = ConfigRepository()
        definitions.add(background, buttonText, buttonURL, minimumVersion)
        return try definitions.schemaDocument()
    }

    /// The state of the screens for one state of the remote configuration, which may have changed since, with tweaks on top.
    ///
    /// - Parameter problem: the error in the file of tweaks.
    func state(of current: ConfigState.Snapshot, problem: String? = nil) -> DemoState {
        let reader = ConfigReader(provider: RemoteConfigProvider(state: ConfigState(current)))
        return state(of: current, from: Self.remote(reader), problem: problem)
    }

    /// - Parameter remote: what the definitions read.
    func state(of current: ConfigState.Snapshot, from remote: ObservedReader?, problem: String? = nil) -> DemoState {
        var sources = repository.inputs
        sources.remote = remote ?? sources.remote
        sources = sources.snapshot()
        let tweaks = TweakState(self, in: sources, problem: problem)
        return DemoState(configuration: current, values: values(in: current.snapshot, from: sources), tweaks: tweaks)
    }

    /// - Parameters:
    ///   - snapshot: the remote configuration, with the positions of unusable values.
    ///   - sources: the snapshot that the definitions are evaluated from, the sources as they are now if it is `nil`.
    func values(in snapshot: EntrySnapshot, from sources: LinkInputs? = nil) -> DemoValues {
        // From the definitions: the repository refreshes its values only while it has listeners.
        let sources = sources ?? repository.inputs.snapshot()
        let tweaks = [background.id, buttonText.id, buttonURL.id].compactMap { id in
            sources.tweaks?.tweak(id: id).map { (id: id, reading: $0.reading(in: sources)) }
        }
        return DemoValues(
            background: background.value(from: sources),
            buttonText: buttonText.value(from: sources),
            buttonURL: buttonURL.value(from: sources),
            minimumVersion: minimumVersion.value(from: sources),
            tweaked: tweaks.filter { $0.reading.override != nil }.map(\.id),
            problems: [
                problem(with: background, in: snapshot), problem(with: buttonText, in: snapshot),
                problem(with: buttonURL, in: snapshot), problem(with: minimumVersion, in: snapshot),
            ].compactMap(\.self) + tweaks.compactMap { $0.reading.problem?.naming(source: "tweaks").naming(key: $0.id) }
        )
    }

    /// The error because of which the remote value of a definition cannot be used.
    private func problem<Value: Decodable>(
        with definition: ConfigDefinition<Value>,
        in snapshot: EntrySnapshot
    ) -> ConfigError? {
        do throws(ConfigError) {
            guard let entry = snapshot.entries[definition.id] else { return nil }
            let value = try entry.value(ofKey: definition.id, as: Value.self)
            return definition.limits.lazy.compactMap { $0.problem(with: value) }.first.map {
                entry.mismatch($0, key: definition.id)
            }
        } catch {
            return error
        }
    }
}

struct DemoValues: Hashable, Sendable {
    var background: RGBColor
    var buttonText: String
    var buttonURL: WebAddress
    var minimumVersion: SemanticVersion
    /// The keys whose values are overridden by tweaks.
    var tweaked: [String] = []
    /// The errors in remote values, in the order in which the screen uses them, and those of tweaks.
    var problems: [ConfigError]
}

extension DemoValues {
    /// The keys of the values, the background first.
    static let keys = ["app.background.color", "app.fun_button.text", "app.fun_button.url", "app.min_version"]

    /// The values of a configuration without tweaks.
    init(of current: ConfigState.Snapshot) {
        self = DemoConfig(state: ConfigState(current)).values(in: current.snapshot)
    }

    /// Whether this is a version that the configuration supports.
    var isUpToDate: Bool { minimumVersion <= .livery }

    var versionText: String {
        "\(isUpToDate ? "Up to date" : "Out of date"): this is \(SemanticVersion.livery), minimum: \(minimumVersion)"
    }
}

extension DemoValues {
    private static let defaults = DemoValues(of: ConfigState(source: "").current)

    /// The value in place of one that cannot be used, and whether it is the default.
    func replacement(forKey key: String) -> String? {
        text(forKey: key).map { ($0 == Self.defaults.text(forKey: key) ? "using the default " : "still using ") + $0 }
    }

    /// The value on the screen for a key.
    func text(forKey key: String) -> String? {
        switch key {
        case "app.background.color": background.description
        case "app.fun_button.text": buttonText
        case "app.fun_button.url": buttonURL.text
        case "app.min_version": minimumVersion.description
        default: nil
        }
    }
}

/// One definition for each editor, to try them.
enum Showcase {
    enum Mood: String, CaseIterable, ConfigStorable, Codable, CustomStringConvertible {
        case calm, curious, wild

        // The same as by reflection, which makes the runtime search the whole program first.
        var description: String { rawValue }
    }

    /// An entry of a menu: it names no editor, so that one is made from the fields of its values.
    struct MenuItem: Codable, Equatable, ConfigStorable {
        var title: String
        var url: WebAddress
        var color: RGBColor?
    }

    private static let category = "Showcase"

    static let toggle = ConfigDefinition("showcase.toggle", default: false, remote: nil)
        .tweak(category: category, section: "Switches", name: "Toggle")
    static let segmented = ConfigDefinition("showcase.segmented", default: false, remote: nil)
        .tweak(category: category, section: "Switches", name: "Segmented", editor: .segmented(off: "Cats", on: "Dogs"))
    static let stepper = ConfigDefinition("showcase.stepper", default: 3, remote: nil)
        .tweak(category: category, section: "Numbers", name: "Stepper", editor: .stepper(range: 0...10, step: 1))
    static let slider = ConfigDefinition("showcase.slider", default: 0.5, remote: nil).limited(to: 0...1)
        .tweak(category: category, section: "Numbers", name: "Slider")
    static let text = ConfigDefinition("showcase.text", default: "Grüße, 世界 👩‍👩‍👧", remote: nil)
        .tweak(category: category, section: "Texts", name: "Text field")
    static let color = ConfigDefinition("showcase.color", default: RGBColor(0x87CEFA), remote: nil)
        .tweak(category: category, section: "Colours", name: "Colour picker")
    static let mood = ConfigDefinition("showcase.mood", default: Mood.calm, remote: nil)
        .tweak(category: category, section: "Choices", name: "Option picker")
    static let speed = ConfigDefinition("showcase.speed", default: 10, remote: nil)
        .tweak(category: category, section: "Choices", name: "Options or custom", editor: speedEditor)
    static let nickname = ConfigDefinition<String?>("showcase.nickname", default: nil, remote: nil)
        .tweak(category: category, section: "Structures", name: "Optional")
    static let tags = ConfigDefinition("showcase.tags", default: ["red, green", "blue"], remote: nil)
        .tweak(category: category, section: "Structures", name: "Array")
    static let menu = ConfigDefinition("showcase.menu", default: firstMenu, remote: nil)
        .tweak(category: category, section: "Structures", name: "Menu")
    static let rating = ConfigDefinition("showcase.rating", default: 3, remote: nil)
        .tweak(category: category, section: "Structures", name: "Custom", editor: stars)

    private static let firstMenu = [
        MenuItem(title: "Home", url: .dogsAreAwesome, color: RGBColor(0xFFB6C1)),
        MenuItem(title: "Dogs", url: .dogsAreAwesome),
    ]
    private static let speedEditor = TweakEditor.pickerWithCustom(
        [TweakEditor.Option("Slow", 1), TweakEditor.Option("Normal", 10), TweakEditor.Option("Fast", 100)],
        custom: .stepper(range: 0...1000, step: 1)
    )
    private static let stars = TweakEditor.custom(name: "stars", settings: ["most": 5])

    static func add(to config: ConfigRepository) {
        config.add(toggle, segmented, stepper, slider, text, color, mood, speed, nickname, tags, menu, rating)
    }
}
