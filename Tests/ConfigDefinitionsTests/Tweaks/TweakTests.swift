// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Foundation
import Observing
import TestSupport
import Testing

/// A tweak as a screen sees it, without its type.
struct TweakTests {
    private let tweaks = TweakRepository()

    private func tweak<Value: ConfigStorable>(
        _ initial: Value,
        editor: TweakEditor = Value.tweakEditor
    ) throws -> Tweak {
        tweaks.add(TweakDefinition("t", category: "A", section: "B", name: "C", initial: initial, editor: editor))
        return try #require(tweaks.tweak(id: "t"))
    }

    @Test func typesHaveTheirEditors() throws {
        #expect(try tweak(true).editor == .toggle)
        #expect(try tweak(1).editor == .stepper(range: nil, step: 1))
        #expect(try tweak("").editor == .text)
        #expect(try tweak(RGBColor(0)).editor == .color)
        #expect(try tweak([Int?]()).editor == .array(.optional(.stepper(range: nil, step: 1))))
        let cases = [("light", "light"), ("dark", "dark"), ("highContrast", "high contrast")]
        #expect(try tweak(Appearance.dark).editor == .picker(cases.map { TweakEditor.Option($0.0, .string($0.1)) }))
    }

    @Test func aTweakIsShownEditedAndReset() throws {
        let tweak = try tweak(RGBColor(0xFFB6C1))
        #expect(tweak.preview == "#FFB6C1" && !tweak.hasOverride && tweak.form.typeName == "colour such as #FFB6C1")
        try tweak.set(text: "87cefa")
        #expect(tweak.text == "#87CEFA" && tweak.hasOverride && tweak.initialPreview == "#FFB6C1")
        #expect(tweak.value == .string("#87CEFA"))
        try tweak.reset()
        #expect(tweak.text == "#FFB6C1" && !tweak.hasOverride)
    }

    @Test func aMalformedTextIsRefusedWithAReason() throws {
        let tweak = try tweak(RGBColor(0))
        #expect(throws: ConfigError(.typeMismatch, "\"pink\" is not a colour such as #FFB6C1")) {
            try tweak.set(text: "pink")
        }
        #expect(!tweak.hasOverride)
    }

    @Test(arguments: [TweakEditor.slider(range: 0...10), .stepper(range: 0...10, step: 2)])
    func aNumberStaysInItsRange(_ editor: TweakEditor) throws {
        let tweak = try tweak(5, editor: editor)
        #expect(throws: ConfigError(.typeMismatch, "11 is not between 0 and 10", key: "t")) {
            try tweak.set(text: "11")
        }
        try tweak.set(try #require(editor.stepped(.integer(9), by: 3)))
        #expect(tweak.value == .integer(10))
    }

    @Test func stepsAreTaken() {
        let stepper = TweakEditor.stepper(range: -1...1, step: 0.25)
        #expect(stepper.stepped(.double(0.5), by: 1) == .double(0.75))
        #expect(stepper.stepped(.double(0.5), by: -100) == .double(-1))
        #expect(TweakEditor.slider(range: 0...50).stepped(.double(10), by: 2) == .double(11))
        #expect(TweakEditor.slider(range: 0...50).stepped(.integer(10), by: 1) == .integer(11))
        let unlimited = TweakEditor.stepper(range: nil, step: 1)
        #expect(unlimited.stepped(.integer(.max), by: 1) == nil && unlimited.stepped(.integer(.min), by: -1) == nil)
        #expect(unlimited.stepped(.integer(.max), by: -1) == .integer(.max - 1), "no Double is between the two")
        #expect(unlimited.stepped(.integer(9_007_199_254_740_993), by: 1) == .integer(9_007_199_254_740_994))
        #expect(TweakEditor.stepper(range: nil, step: 1e300).stepped(.integer(1), by: 1) == nil)
        #expect(TweakEditor.stepper(range: nil, step: 1e308).stepped(.double(1e308), by: 10) == nil)
        #expect(TweakEditor.text.stepped(.integer(1), by: 1) == nil)
    }

    @Test(arguments: [
        (TweakEditor.stepper(range: nil, step: 0.1), 0.1, 2, "0.3"), (.stepper(range: nil, step: 0.1), 0, -3, "-0.3"),
        (.stepper(range: nil, step: 0.1), 0.30000000000000004, 1, "0.4"),
        (.stepper(range: nil, step: 1e-9), 0, 3, "3e-09"),
        (.stepper(range: 0...1, step: 0.35), 0.7, 1, "1.0"), (.stepper(range: nil, step: 0.1), 1e22, 1, "1e+22"),
        (.stepper(range: nil, step: 1e-20), 1e-20, 1, "2e-20"), (.stepper(range: nil, step: 2.5), 0.125, 1, "2.625"),
        (.slider(range: 0...1), 0.28, 1, "0.29"), (.slider(range: 0.1...0.7), 0.1, 3, "0.118"),
    ])
    func stepsAreDecimal(editor: TweakEditor, start: Double, steps: Int, expected: String) throws {
        let value = try #require(editor.stepped(.double(start), by: steps))
        guard case .double(let number) = value else { return #expect(Bool(false), "\(value)") }
        #expect(number.description == expected)
    }

    @Test func segmentsAndOptionsAreShownByTheirNames() throws {
        #expect(try tweak(true, editor: .segmented(off: "left", on: "right")).preview == "right")
        #expect(try tweak(true).preview == "on")
        let options = [TweakEditor.Option("slow", 1), TweakEditor.Option("fast", 9)]
        let picker = try tweak(1, editor: .picker(options))
        #expect(picker.preview == "slow")
        #expect(throws: ConfigError(.typeMismatch, "5 is not one of slow, fast", key: "t")) {
            try picker.set(.integer(5))
        }
        let custom = try tweak(1, editor: .pickerWithCustom(options, custom: .slider(range: 0...20)))
        try custom.set(.integer(5))
        #expect(custom.preview == "5")
        #expect(throws: ConfigError.self) { try custom.set(.integer(21)) }
    }

    @Test func anOptionalIsSwitchedOnAndThenEdited() throws {
        let tweak = try tweak(Int?.some(3))
        try tweak.set(.null)
        #expect(tweak.preview == "none" && tweak.hasOverride)
        let content = try #require(tweak.form.content)
        try tweak.set(try content.json(ofText: "8"))
        #expect(tweak.preview == "8")
    }

    @Test func anArrayIsEditedElementByElement() throws {
        let tweak = try tweak(["a,b"])
        let element = try #require(tweak.form.content)
        guard case .array(var elements) = tweak.value else { return }
        elements.append(try element.json(ofText: "\"c\"\n"))
        elements.swapAt(0, 1)
        try tweak.set(.array(elements))
        #expect(tweaks.tweak(id: "t")?.value == .array([.string("\"c\"\n"), .string("a,b")]))
        #expect(throws: ConfigError.self) { try tweak.set(.array([.integer(1)])) }
    }

    @Test func anOverrideOfAnotherTypeIsAProblemAndNotUsed() throws {
        let store = MemoryStore(["default/t": .string("from another version")])
        let tweaks = TweakRepository(store: store)
        let definition = TweakDefinition("t", category: "A", section: "B", name: "C", initial: 5)
        tweaks.add(definition)
        let tweak = try #require(tweaks.tweak(id: "t"))
        #expect(tweaks[definition] == 5 && tweak.value == .integer(5) && !tweak.hasOverride)
        #expect(tweak.problem?.message == "\"from another version\" is not an integer")
        try tweak.reset()
        #expect(tweak.problem == nil && store.value(forKey: "default/t") == nil)
    }

    // MARK: As a link of a definition

    @Test func aDefinitionsTweakAppearsOnceItIsAddedAndOverrides() throws {
        let repository = ConfigRepository(inputs: .empty(tweaks: tweaks))
        let title = ConfigDefinition("title", default: "Dogs").tweak(category: "Look", section: "Text", name: "Title")
        let recorder = Log<String>()
        let subscription = repository.listen(to: title, recorder.append)
        let tweak = try #require(tweaks.tweak(id: "title"))
        #expect(tweak.category == "Look" && tweak.section == "Text" && tweak.name == "Title")
        try tweak.set(text: "Cats")
        #expect(repository[title] == "Cats")
        try tweak.reset()
        #expect(recorder.entries == ["Cats", "Dogs"])
        subscription.end()
    }

    /// D's flaw: the initial value is frozen when the tweak is built.
    @Test func initialValueFollowsTheLinksBelow() throws {
        let store = MemoryStore()
        let repository = ConfigRepository(inputs: .empty(store: store, tweaks: tweaks))
        let title = ConfigDefinition("title", default: "Dogs").stored(key: "title")
            .tweak(category: "Look", section: "Text", name: "Title").dynamic { nil }
        repository.add(title)
        let tweak = try #require(tweaks.tweak(id: "title"))
        let changes = Box(0)
        let subscription = tweaks.changes.subscribe { changes.value += 1 }
        #expect(tweak.initialPreview == "Dogs")
        try store.set("Cats", forKey: "title")
        #expect(tweak.initialPreview == "Cats" && tweak.preview == "Cats" && changes.value == 1)
        try tweak.set(text: "Cows")
        try store.set("Birds", forKey: "title")
        #expect(tweak.initialPreview == "Birds" && tweak.preview == "Cows" && repository[title] == "Cows")
        subscription.end()
    }

    @Test func nothingKeepsRepositoriesAlive() {
        var tweaks: TweakRepository? = TweakRepository()
        weak let released = tweaks
        var repository: ConfigRepository? = ConfigRepository(inputs: .empty(tweaks: tweaks))
        repository?.add(ConfigDefinition("t", default: 1).tweak(category: "A", section: "B", name: "C"))
        let tweak = tweaks?.tweak(id: "t")
        repository = nil
        tweaks = nil
        #expect(released == nil)
        #expect(tweak?.value == .integer(1))
    }
}
