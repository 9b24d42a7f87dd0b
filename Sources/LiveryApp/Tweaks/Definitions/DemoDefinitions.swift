import ConfigDefinitions
import ConfigModel

/// What can be tweaked of the demo itself: remote values with tweaks on top.
struct DemoDefinitions {
    let background: ConfigDefinition<RGBColor>
    let buttonText: ConfigDefinition<String>
    let buttonURL: ConfigDefinition<WebAddress>

    init(_ settings: DemoSettings = DemoSettings()) {
        background = Self.definition(settings.background)
            .tweak(category: "Demo", section: "Look", name: "Background")
        buttonText = Self.definition(settings.buttonText)
            .tweak(category: "Demo", section: "Button", name: "Text")
        buttonURL = Self.definition(settings.buttonURL)
            .tweak(category: "Demo", section: "Button", name: "URL")
    }

    private static func definition<Value: ReaderValue>(_ setting: Setting<Value>) -> ConfigDefinition<Value> {
        let remote = ConfigDefinition(setting.key, default: setting.defaultValue).remote(setting.key)
        // Asked before the remote value whenever that is asked for, it knows the value before a mistake.
        return remote.link(LastGood(remote))
    }
}
