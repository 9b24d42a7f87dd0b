import ConfigModel
import RemoteConfig
import Testing

@testable import LiveryApp

struct DemoSettingsTests {
    private func snapshot(_ json: String, after before: ConfigSnapshot = .empty) throws -> ConfigSnapshot {
        try Demo.configuration(json, after: before).snapshot
    }

    @Test func atFirstEverySettingHasItsDefault() {
        let settings = DemoSettings()
        #expect(settings.background.value == RGBColor(rgb24: 0x000000))
        #expect(settings.buttonText.value == "Dogs are awesome!")
        #expect(settings.buttonURL.value == .dogsAreAwesome)
        #expect(settings.problems == [])
    }

    @Test func aSettingGoesThroughGoodBadAndGone() throws {
        var setting = Setting("color", default: RGBColor(rgb24: 0x111111))
        setting.update(from: try snapshot(##"{"color": "#222222"}"##))
        #expect((setting.value, setting.problem) == (RGBColor(rgb24: 0x222222), nil))

        setting.update(from: try snapshot(#"{"color": "grey"}"#))
        #expect(setting.value == RGBColor(rgb24: 0x222222))
        #expect(setting.problem?.code == .typeMismatch)
        #expect(setting.problem?.description == #"config.json:1:11: color: "grey" is no colour such as #FFB6C1"#)

        setting.update(from: try snapshot("{}"))
        #expect((setting.value, setting.problem) == (RGBColor(rgb24: 0x111111), nil))

        setting.update(from: try snapshot(#"{"color": "grey"}"#))
        #expect(setting.value == RGBColor(rgb24: 0x111111))
    }

    @Test func anEmptyTextIsAText() throws {
        var settings = DemoSettings()
        settings.update(from: try snapshot(#"{"app.fun_button.text": ""}"#))
        #expect(settings.buttonText.value == "")
        #expect(settings.problems == [])
    }

    @Test func problemsComeInTheOrderOfTheScreen() throws {
        var settings = DemoSettings()
        let json = #"{"app.fun_button.url": 1, "app.fun_button.text": 2, "app.background.color": 3}"#
        settings.update(from: try snapshot(json))
        let keys = ["app.background.color", "app.fun_button.text", "app.fun_button.url"]
        #expect(settings.problems.map(\.key) == keys)
    }
}
