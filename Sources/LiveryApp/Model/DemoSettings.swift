import ConfigDefinitions
import ConfigModel

/// What the demo takes from its configuration.
struct DemoSettings: Hashable, Sendable {
    var background = Setting("app.background.color", default: RGBColor(red: 0, green: 0, blue: 0))
    var buttonText = Setting("app.fun_button.text", default: "Dogs are awesome!")
    var buttonURL = Setting("app.fun_button.url", default: WebAddress.dogsAreAwesome)
    /// Every version will do where none is required.
    var minimumVersion = Setting("app.min_version", default: SemanticVersion(0, 0, 0))

    mutating func update(from snapshot: ConfigSnapshot) {
        background.update(from: snapshot)
        buttonText.update(from: snapshot)
        buttonURL.update(from: snapshot)
        minimumVersion.update(from: snapshot)
    }

    /// Takes what was set on the screen of tweaks.
    mutating func override(with items: [TweakItem]) {
        background.override = Self.override(of: background.key, in: items)
        buttonText.override = Self.override(of: buttonText.key, in: items)
        buttonURL.override = Self.override(of: buttonURL.key, in: items)
    }

    private static func override<Value: ConfigStorable>(of id: String, in items: [TweakItem]) -> Value? {
        let json = items.first { $0.id == id }?.override
        return json.flatMap { try? Value.configConverter.value(of: $0) }
    }

    /// What the configuration says about the version of this program.
    var versionGate: VersionGate { VersionGate(of: .livery, minimum: minimumVersion.value) }

    /// The same in words.
    var versionText: String { versionGate.text(for: .livery) }

    /// What is wrong with the values of the configuration, in the order in which the screen uses them.
    var problems: [ConfigError] {
        [background.problem, buttonText.problem, buttonURL.problem, minimumVersion.problem].compactMap(\.self)
    }
}
