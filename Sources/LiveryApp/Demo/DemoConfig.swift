import ConfigDefinitions
import ConfigModel
import Configuration
import RemoteConfig

/// The demo's values as definitions in one repository: remote values with tweaks on top.
struct DemoConfig: Sendable {
    /// The definitions of the demo and of the showcase.
    let repository: ConfigRepository
    private let background: ConfigDefinition<RGBColor>
    private let buttonText: ConfigDefinition<String>
    private let buttonURL: ConfigDefinition<WebAddress>
    private let minimumVersion: ConfigDefinition<SemanticVersion>

    /// Defines the values over a configuration that is read elsewhere.
    init(state: ConfigState, tweaks: TweakRepository? = nil) {
        self.init(reader: ConfigReader(provider: RemoteConfigProvider(state: state)), tweaks: tweaks)
    }

    init(reader: ConfigReader, tweaks: TweakRepository? = nil) {
        background = Self.remote("app.background.color", default: RGBColor(rgb24: 0x000000))
            .tweak(category: "Demo", section: "Look", name: "Background")
        buttonText = Self.remote("app.fun_button.text", default: "Dogs are awesome!")
            .tweak(category: "Demo", section: "Button", name: "Text")
        buttonURL = Self.remote("app.fun_button.url", default: WebAddress.dogsAreAwesome)
            .tweak(category: "Demo", section: "Button", name: "URL")
        // Any version will do where none is required.
        minimumVersion = Self.remote("app.min_version", default: SemanticVersion(0, 0, 0))
        // All values are read again after each update, so no key has to be watched.
        let remote = ReaderSource(reader, watching: .never)
        repository = ConfigRepository(sources: ConfigSources(remote: remote, tweaks: tweaks))
        repository.add(background, buttonText, buttonURL, minimumVersion)
        Showcase.add(to: repository)
        tweaks?.add(
            Self.paint("demo.sky", "Paint it like the sky", background.id, "#87CEFA", tweaks),
            Self.paint("demo.blossom", "Paint it like a blossom", background.id, "#FFB6C1", tweaks)
        )
    }

    private static func remote<Value: ReaderValue>(_ key: String, default value: Value) -> ConfigDefinition<Value> {
        ConfigDefinition(key, default: value).remote(key).lastGood()
    }

    private static func paint(
        _ id: String,
        _ name: String,
        _ tweak: String,
        _ color: String,
        _ tweaks: TweakRepository?
    ) -> TweakAction {
        TweakAction(id, category: "Demo", section: "Actions", name: name) { [weak tweaks] in
            try? tweaks?.tweak(id: tweak)?.set(.string(color))
        }
    }

    /// The values at this moment.
    ///
    /// - Parameter snapshot: the remote configuration, which says where values are that cannot be used.
    func values(in snapshot: EntrySnapshot) -> DemoValues {
        DemoValues(
            background: repository[background],
            buttonText: repository[buttonText],
            buttonURL: repository[buttonURL],
            minimumVersion: repository[minimumVersion],
            problems: [
                Self.problem(with: background, in: snapshot), Self.problem(with: buttonText, in: snapshot),
                Self.problem(with: buttonURL, in: snapshot), Self.problem(with: minimumVersion, in: snapshot),
            ].compactMap(\.self)
        )
    }

    /// Why the remote value of a definition cannot be used.
    private static func problem<Value: EntryValueConvertible>(
        with definition: ConfigDefinition<Value>,
        in snapshot: EntrySnapshot
    ) -> ConfigError? {
        do throws(ConfigError) {
            _ = try snapshot.value(forKey: definition.id, as: Value.self)
            return nil
        } catch {
            return error
        }
    }
}

/// The demo's values at one moment.
struct DemoValues: Hashable, Sendable {
    var background: RGBColor
    var buttonText: String
    var buttonURL: WebAddress
    var minimumVersion: SemanticVersion
    /// What is wrong with values of the remote configuration, in the order in which the screen uses them.
    var problems: [ConfigError]
}

extension DemoValues {
    /// The values of a configuration without tweaks.
    init(of current: ConfigState.Current) {
        self = DemoConfig(state: ConfigState(current)).values(in: current.snapshot)
    }

    /// What the configuration says about the version of this program.
    var versionGate: VersionGate { VersionGate(of: .livery, minimum: minimumVersion) }

    /// The same in words.
    var versionText: String { versionGate.text(for: .livery) }
}

extension VersionGate {
    /// What the user reads about the program's version.
    ///
    /// - Parameter version: of the program.
    func text(for version: SemanticVersion) -> String {
        switch self {
        case .upToDate: "Up to date"
        case .outOfDate(let required): "Out of date: this is \(version), \(required) is required"
        case .tooNew(let newest): "Too new: this is \(version), \(newest) is the newest that will do"
        case .unsupported(let range): "Not supported: this is \(version), \(range) is required"
        }
    }
}
