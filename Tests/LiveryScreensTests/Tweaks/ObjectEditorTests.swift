// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens

/// Lists in lists, down to what is stored. The fields of the menu are title, colour and URL, in this order.
@MainActor
struct ObjectEditorTests {
    nonisolated static let stored =
        ##"{"default/showcase.menu": [{"title":"A","url":"https://a.org","color":"#000000"},{"title":"B","url":"https://b.org"}]}"##

    private static func menu(_ first: String, _ second: String = #"{"title":"B","url":"https://b.org"}"#) -> String {
        "[\(first),\(second)]"
    }

    nonisolated static let byKeys: [(keys: [String], first: String)] = [
        (["Enter", "Enter", "End", "!"], ##"{"color":"#000000","title":"A!","url":"https://a.org"}"##),
        (["Enter", "Down", "d"], #"{"title":"A","url":"https://a.org"}"#),
        (["Enter", "Down", "d", "a", "Esc"], ##"{"color":"#000000","title":"A","url":"https://a.org"}"##),
        (
            ["Enter", "Down", "Enter", "Tab", "Tab", "Right"],
            ##"{"color":"#010000","title":"A","url":"https://a.org"}"##
        ),
        (
            ["Enter", "G", "Enter", "End", "x", "Esc", "g", "Space", "End", "B"],
            ##"{"color":"#000000","title":"AB","url":"https://a.orgx"}"##
        ),
        (["Enter", "d"], ##"{"color":"#000000","title":"A","url":"https://a.org"}"##),
    ]

    @Test(arguments: byKeys)
    func fieldsAreEditedByKeys(row: (keys: [String], first: String)) throws {
        for size in [Size(columns: 80, rows: 24), Size(columns: 40, rows: 12), Size(columns: 20, rows: 5)] {
            let desk = try TweakDesk(
                columns: size.columns,
                rows: size.rows,
                stored: Self.stored,
                opening: "showcase.menu"
            )
            for key in row.keys { desk.press(key) }
            #expect(desk.override("showcase.menu") == Self.menu(row.first), "\(size)")
            #expect(desk.model.view().faults == [])
        }
    }

    @Test func escapeGoesOneLevelUp() throws {
        let desk = try TweakDesk(stored: Self.stored, opening: "showcase.menu")
        desk.press("Enter", "Enter", "End", "x")
        for (shown, gone) in [("title", "Ax█"), ("1. Ax", "title  "), ("▸ Menu", "[+ Add]")] {
            desk.press("Esc")
            #expect(desk.screen.contains(shown) && !desk.screen.contains(gone), "\(desk.screen)")
        }
    }

    @Test func fieldsAreEditedByTheMouse() throws {
        let desk = try TweakDesk(stored: Self.stored, opening: "showcase.menu")
        desk.click("1. A")
        desk.click("title")
        desk.press("End", "2")
        #expect(desk.override("showcase.menu")?.contains(#""title":"A2""#) == true, "\(desk.screen)")
        desk.click("url ")
        desk.press("End", "/", "x")
        #expect(desk.override("showcase.menu")?.contains(#""https://a.org/x""#) == true, "\(desk.screen)")
        desk.click("2. B")
        desk.click("[+]")
        #expect(desk.override("showcase.menu")?.contains(##""color":"#000000","title":"B""##) == true)
        desk.press("Esc")
        desk.use(.press(button: 0), at: "[+ Add]")
        #expect(desk.override("showcase.menu")?.contains(#"{"title":"","url":"https://example.com"}"#) == true)
    }

    @Test func anElementIsAddedMovedAndRemoved() throws {
        let desk = try TweakDesk(stored: Self.stored, opening: "showcase.menu")
        desk.press("a", "Enter", "C", "Esc", "Esc", "K")
        let titles = { try EntryValue(text: desk.override("showcase.menu") ?? "null") }
        #expect(try titles().canonicalJSON.hasPrefix(#"[{"title":"C","url":"https://example.com"},{"color""#))
        desk.press("d")
        let stored = Self.menu(##"{"color":"#000000","title":"A","url":"https://a.org"}"##)
        #expect(desk.override("showcase.menu") == stored)
        desk.press("u")
        #expect(try titles().canonicalJSON.contains("example.com"))
    }

    @Test func typeErrorsAreShownBelowTheField() throws {
        let desk = try TweakDesk(stored: Self.stored, opening: "showcase.menu")
        desk.press("Enter", "G", "Enter", "Ctrl-U", "{nowhere}")
        #expect(desk.screen.contains("\"nowhere\" is not a value for url"), "\(desk.screen)")
        let unchanged = #"[{"color":"#
        #expect(desk.override("showcase.menu")?.contains("nowhere") == false)
        #expect(desk.override("showcase.menu")?.hasPrefix(unchanged) == true)
        desk.press("Esc")
        #expect(!desk.screen.contains("is not a value"))
        #expect(desk.override("showcase.menu")?.contains("https://a.org") == true, "half a value is dropped")
    }

    @Test func aDragActsOnTheSliderInAFieldInAnElement() throws {
        let desk = try TweakDesk(stored: Self.stored, opening: "showcase.menu")
        desk.press("Enter", "Down", "Enter")
        let red = try #require(desk.model.lines.firstIndex { $0.contains("Red ") })
        let knob = try #require(desk.model.lines[red].firstIndex(of: "●"))
        let column = desk.model.lines[red][..<knob].columnWidth
        desk.use(.press(button: 0), at: Point(column: column, row: red))
        for row in 0...3 { desk.use(.drag(button: 0), at: Point(column: 79, row: red + row)) }
        desk.use(.release(button: 0), at: Point(column: 79, row: red))
        #expect(desk.override("showcase.menu")?.contains(##""#FF0000""##) == true)
        desk.press("u")
        #expect(desk.override("showcase.menu")?.contains(##""#000000""##) == true, "the whole drag is one edit")
    }

    @Test func aPasteGoesIntoTheOpenField() throws {
        let desk = try TweakDesk(stored: Self.stored, opening: "showcase.menu")
        desk.paste("nothing is open")
        desk.press("Enter")
        desk.paste("only a list")
        desk.press("Enter")
        desk.paste("b\nc\n")
        #expect(desk.override("showcase.menu")?.contains(#""title":"b\nc""#) == true)
    }

    @Test func aChangeFromOutsideIsShownInTheOpenField() throws {
        let desk = try TweakDesk(stored: Self.stored, opening: "showcase.menu")
        desk.press("Enter", "Enter")
        let tweak = try #require(desk.tweaks.repository.tweak(id: "showcase.menu"))
        try tweak.set(text: #"[{"title":"Else","url":"https://e.org"},{"title":"B","url":"https://b.org"}]"#)
        desk.update()
        desk.press("End", "!")
        #expect(desk.override("showcase.menu")?.hasPrefix(#"[{"title":"Else!","url":"https://e.org"}"#) == true)
        desk.press("Esc", "Down", "Enter")
        try tweak.set(text: #"[{"title":"Less","url":"https://e.org"},{"title":"B","url":"https://b.org"}]"#)
        desk.update()
        #expect(!desk.screen.contains("Hex"), "the field is gone, and its editor with it")
    }

    @Test func aListInAListInAListIsReadableOnFortyColumns() throws {
        let leaf = TweakEditor.object([.init("title", .text), .init("size", .slider(range: 0...9))])
        let branch = TweakEditor.object([.init("title", .text), .init("children", .array(leaf))])
        let json = try EntryValue(
            text: #"[{"title":"Top","children":[{"title":"Middle and long","size":3}]}]"#
        )
        let form = ValueConverter<EntryValue>(typeName: "value", encode: { $0 }, decode: { $0 }).form
        var editor = TweakEditor.array(branch).editing(json, form: form, initial: json)
        for key in ["Enter", "Down", "Enter", "Enter", "Enter", "End", "!"] {
            #expect(editor.handle(.key(try #require(Key(key)))))
        }
        let lines = editor.lines(columns: 36, hasFocus: true)
        #expect(lines.allSatisfy { $0.columnWidth <= 36 })
        let texts = lines.map { $0.spans.map(\.text).joined() }
        #expect(texts.contains { $0.contains("title Middle and long!") }, "\(texts)")
        #expect(lines.count(where: \.isFocused) == 1)
        #expect(editor.value?.canonicalJSON == #"[{"children":[{"size":3,"title":"Middle and long!"}],"title":"Top"}]"#)
    }

    nonisolated static let openByKeys: [(keys: [String], value: EntryValue)] = [
        (["a", "b", "Enter", "4", "2", "Enter"], ["a": 1, "b": 42, "list": ["x"]]),
        (["a", "b", "Esc"], ["a": 1, "list": ["x"]]),
        (["a", "b", "Tab", "4", "Enter"], ["a": 1, "b": 4, "list": ["x"]]),
        (["Enter", "Ctrl-U", "1", "2", "x", "Esc"], ["a": 1, "list": ["x"]]),
        (["a", "b", "Enter", "[", "]", "Enter", "d"], ["a": 1, "list": ["x"]]),
        (["a", "a", "Enter", "Backspace", "7", "Enter"], ["a": 7, "list": ["x"]]),
        (["Enter", "Ctrl-T", "Ctrl-T", "Enter"], ["a": "1", "list": ["x"]]),
        (["Down", "Enter", "a", "y", "Enter"], ["a": 1, "list": ["x", "y"]]),
        (["Down", "Enter", "a", "Ctrl-T", "7", "Enter", "Esc"], ["a": 1, "list": ["x", 7]]),
    ]

    @Test(arguments: openByKeys)
    func membersOfAnOpenObjectAreAddedAndRemoved(row: (keys: [String], value: EntryValue)) throws {
        let form = ValueForm.json(editedBy: .automatic)
        let object: EntryValue = ["a": 1, "list": ["x"]]
        var editor = TweakEditor.automatic.editing(object, form: form, initial: object)
        #expect(editor.hint == "Enter opens a member, a adds one, d removes it")
        for key in row.keys { _ = editor.handle(.key(try #require(Key(key)))) }
        #expect(editor.value == row.value)
    }

    @Test func enterKeepsTextThatIsNoValueYet() throws {
        var editor = TweakEditor.automatic.editing([:], form: .json(editedBy: .automatic), initial: [:])
        for key in ["a", "b", "Enter", "[", "Enter"] { _ = editor.handle(.key(try #require(Key(key)))) }
        #expect(editor.value == nil && editor.problem?.hasPrefix("column 2: ") == true)
    }

    @Test(arguments: ["Up", "Down", "Tab", "Enter", "click"])
    func textThatIsNoValueStaysOpen(name: String) throws {
        let object: EntryValue = ["a": 1, "b": 2]
        var editor = TweakEditor.automatic.editing(object, form: .json(editedBy: .automatic), initial: object)
        for key in ["Enter", "Ctrl-U", "1", "2", "x"] { _ = editor.handle(.key(try #require(Key(key)))) }
        let isTaken = editor.handle(Key(name).map(EditorInput.key) ?? .click([1, 1], offset: 0))
        #expect(isTaken)
        #expect(editor.problem != nil && editor.value == nil)
        _ = editor.handle(.key(Key(.escape)))
        #expect(editor.value == object)
    }

    @Test func theFirstValueIsOneThatTheTypeTakes() throws {
        struct Page: Codable, Equatable, ConfigStorable {
            var count: Int
            var isOn: Bool
            var color: RGBColor
            var link: WebAddress
            var nested: [String: Int]
        }
        let editor = TweakEditor.object(
            ["count", "isOn", "color", "link", "nested"].map { TweakEditor.Field($0, .text) }
        )
        let form = Page.configConverter.form
        #expect(form.normalized(editor.firstValue(form: form)) != nil, "\(editor.firstValue(form: form).canonicalJSON)")
        #expect(TweakEditor.text.firstValue(form: Int.configConverter.form) == .integer(0))
    }
}
