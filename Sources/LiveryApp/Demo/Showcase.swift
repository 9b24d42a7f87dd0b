import ConfigDefinitions
import ConfigModel

/// One definition for each editor, to try them.
enum Showcase {
    enum Mood: String, CaseIterable, Tweakable, Codable {
        case calm, curious, wild
    }

    private static let category = "Showcase"

    static let toggle = ConfigDefinition("showcase.toggle", default: false)
        .tweak(category: category, section: "Switches", name: "Toggle")
    static let segmented = ConfigDefinition("showcase.segmented", default: false)
        .tweak(category: category, section: "Switches", name: "Segmented", editor: .segmented(off: "Cats", on: "Dogs"))
    static let stepper = ConfigDefinition("showcase.stepper", default: 3)
        .tweak(category: category, section: "Numbers", name: "Stepper", editor: .stepper(range: 0...10, step: 1))
    static let slider = ConfigDefinition("showcase.slider", default: 0.5)
        .tweak(category: category, section: "Numbers", name: "Slider", editor: .slider(range: 0...1))
    static let text = ConfigDefinition("showcase.text", default: "Grüße, 世界 👩‍👩‍👧")
        .tweak(category: category, section: "Texts", name: "Text field")
    static let color = ConfigDefinition("showcase.color", default: RGBColor(rgb24: 0x87CEFA))
        .tweak(category: category, section: "Colours", name: "Colour picker")
    static let mood = ConfigDefinition("showcase.mood", default: Mood.calm)
        .tweak(category: category, section: "Choices", name: "Option picker")
    static let speed = ConfigDefinition("showcase.speed", default: 10)
        .tweak(category: category, section: "Choices", name: "Options or custom", editor: speedEditor)
    static let nickname = ConfigDefinition<String?>("showcase.nickname", default: nil)
        .tweak(category: category, section: "Structures", name: "Optional")
    static let tags = ConfigDefinition("showcase.tags", default: ["red, green", "blue"])
        .tweak(category: category, section: "Structures", name: "Array")
    static let rating = ConfigDefinition("showcase.rating", default: 3)
        .tweak(category: category, section: "Structures", name: "Custom", editor: stars)

    private static let speedEditor = TweakEditor.pickerWithCustom(
        [TweakEditor.Option("Slow", 1), TweakEditor.Option("Normal", 10), TweakEditor.Option("Fast", 100)],
        custom: .stepper(range: 0...1000, step: 1)
    )
    private static let stars = TweakEditor.custom(name: "stars", settings: .object(["most": .integer(5)]))

    static func add(to config: ConfigRepository) {
        config.add(toggle, segmented, stepper, slider, text, color, mood, speed, nickname, tags, rating)
    }
}
