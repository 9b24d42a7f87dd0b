import ConfigDefinitions
import ConfigModel

/// What can be tweaked of the demo itself: remote values with tweaks on top.
enum DemoDefinitions {
    private static let standard = DemoSettings()

    static let background = definition(standard.background)
        .tweak(category: "Demo", section: "Look", name: "Background")
    static let buttonText = definition(standard.buttonText)
        .tweak(category: "Demo", section: "Button", name: "Text")
    static let buttonURL = definition(standard.buttonURL)
        .tweak(category: "Demo", section: "Button", name: "URL")

    private static func definition<Value: ReaderValue>(_ setting: Setting<Value>) -> ConfigDefinition<Value> {
        ConfigDefinition(setting.key, default: setting.defaultValue).remote(setting.key)
    }
}
