// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import TestSupport
import Testing

@testable import ConfigDefinitions

/// Editors of objects, and editors that fit the values of a type.
struct FittingEditorTests {
    struct Item: Codable, Equatable, ConfigStorable {
        var title: String
        var url: URL
        var color: String?
        var size = 1
        var ratio = 0.5
        var isShown = true
        var tags: [String] = []
        var children: [Item]?
    }

    private let plain = Item(title: "Home", url: URL(filePath: "/a"))
    private let stepper = TweakEditor.stepper(range: nil, step: 1)

    private func editor<Value: ConfigStorable>(_ initial: Value) throws -> TweakEditor {
        let tweaks = TweakRepository()
        tweaks.add(TweakDefinition("t", category: "A", section: "B", name: "C", initial: initial))
        return try #require(tweaks.tweak(id: "t")).editor
    }

    @Test func aStructureHasAFieldForEachMember() throws {
        var item = plain
        item.color = "#FFB6C1"
        item.tags = ["a"]
        let expected: [TweakEditor.Field] = [
            .init("title", .text), .init("color", .color, isOptional: true), .init("isShown", .toggle),
            .init("ratio", .stepper(range: nil, step: 0.1)), .init("size", stepper), .init("tags", .array(.text)),
            .init("url", .text),
        ]
        #expect(try editor(item) == .object(expected))
        #expect(try editor([item]) == .array(.object(expected)))
        #expect(try editor(Item?.some(item)) == .optional(.object(expected)))
    }

    @Test(arguments: EquivalentNames.pairs)
    func membersThatOnlyLookTheSameHaveTheirOwnFields(_ left: String, _ right: String) throws {
        let value = try EntryValue(text: #"{"\#(left)": "x", "\#(right)": 1}"#)
        let form = ValueConverter<EntryValue>(typeName: "value", encode: { $0 }, decode: { $0 }).form
        let editor = TweakEditor.automatic.fitting([value], form: form)
        guard case .object(let fields) = editor else {
            Issue.record("\(editor)")
            return
        }
        #expect(Set(fields.map { ExactString($0.name) }) == [ExactString(left), ExactString(right)])
        #expect(fields.first { ExactString($0.name) == ExactString(left) }?.editor == .text)
        #expect(fields.first { ExactString($0.name) == ExactString(right) }?.editor == stepper)
    }

    @Test func aMemberThatSomeElementsLackMayBeMissing() throws {
        var parent = plain
        parent.children = [plain]
        guard case .array(.object(let fields)) = try editor([plain, parent]) else {
            Issue.record("no list of fields")
            return
        }
        #expect(fields.filter(\.isOptional).map(\.name) == ["children"])
        guard case .array(.object(let inner)) = fields.first(where: \.isOptional)?.editor else {
            Issue.record("no nested list of fields")
            return
        }
        #expect(inner.map(\.name) == ["title", "isShown", "ratio", "size", "tags", "url"])
    }

    @Test(arguments: [
        ("[]", TweakEditor.array(.automatic)), ("[1, 2]", .array(.stepper(range: nil, step: 1))),
        ("[1, null]", .array(.optional(.stepper(range: nil, step: 1)))), ("[1, \"a\"]", .array(.json)),
        (#"["\#("#")FFB6C1", "ffb6c1"]"#, .array(.text)), ("null", .json), ("{}", .object([])),
    ])
    func valuesOfAnyJSONHaveAnEditor(json: String, expected: TweakEditor) throws {
        let form = ValueConverter<EntryValue>(typeName: "value", encode: { $0 }, decode: { $0 }).form
        #expect(TweakEditor.automatic.fitting([try EntryValue(text: json)], form: form) == expected)
    }

    @Test func partsOfOpenValuesMayBeOfAnyType() {
        let form = ValueForm.json(editedBy: .automatic)
        let object = TweakEditor.object([.init("a", stepper, isOptional: true), .others(.automatic)])
        #expect(TweakEditor.automatic.fitting([["a": 1]], form: form) == object)
        #expect(TweakEditor.automatic.fitting([[1, "a"]], form: form) == .array(.automatic))
        #expect(form.edited(by: .text).edited(by: stepper).isText == false, "the string has become a number")
    }

    @Test func otherMembersHaveTheTypeOfTheirEditor() {
        let editor = TweakEditor.object([.init("a", .text), .others(.toggle)])
        #expect(editor.accepts(["a": "x", "b": true]) && !editor.accepts(["a": "x", "b": 1]))
        #expect(editor.preview(of: ["a": "x", "b": true], form: .json(editedBy: editor)) == "x, …")
    }

    @Test func anOtherwiseFittingValueIsNotRefused() throws {
        enum Shape: Codable, Equatable, ConfigStorable { case circle(radius: Int), square(side: Int) }
        let tweaks = TweakRepository()
        let definition = TweakDefinition("t", category: "A", section: "B", name: "C", initial: Shape.circle(radius: 1))
        tweaks.add(definition)
        let tweak = try #require(tweaks.tweak(id: "t"))
        try tweak.set(text: #"{"square": {"side": 2}}"#)
        #expect(tweaks[definition] == .square(side: 2))
        #expect(throws: ConfigError.self) { try tweak.set(text: #"{"square": {}}"#) }
    }

    @Test func anObjectIsRefusedWithTheNameOfTheField() throws {
        let editor = TweakEditor.array(
            .object([.init("title", .text), .init("size", .slider(range: 0...9), isOptional: true)])
        )
        func problem(_ text: String) throws -> String? { editor.problem(with: try EntryValue(text: text)) }
        #expect(try problem(#"[{"title": "a", "more": 1}]"#) == nil)
        #expect(try problem(#"[{"title": "a", "size": 10}]"#) == "size: 10 is not between 0 and 9")
        #expect(try problem(#"[{"size": 1}]"#) == "missing field title")
    }

    @Test func anObjectIsShownByItsFields() throws {
        let item = try EntryValue(text: #"[{"title": "Home", "on": true, "size": 3}, {"title": "Dogs", "on": false}]"#)
        let form = ValueConverter<EntryValue>(typeName: "value", encode: { $0 }, decode: { $0 }).form
        let editor = TweakEditor.array(.object([.init("title", .text), .init("on", .toggle), .init("size", stepper)]))
        #expect(editor.preview(of: item, form: form) == "Home, on, 3; Dogs, off")
        #expect(editor.preview(of: .array([]), form: form) == "empty")
    }

    @Test func partErrorBeginsAtItsPath() throws {
        let form = [Item].configConverter.form.element(editedBy: .automatic)
        let members = try #require(Item.configConverter.json(of: plain).members)
        let size = form.member("size", of: members, editedBy: stepper)
        #expect(try size.json(ofText: "7") == .integer(7))
        let error = #expect(throws: ConfigError.self) { try size.json(ofText: "1.5") }
        #expect(error?.message.hasPrefix("1.5 is not a value for size: ") == true)
        #expect(error?.message.contains("at ") == false)
        let title = form.member("title", of: members, editedBy: .text)
        #expect(try title.json(ofText: "12") == .string("12"), "a text needs no quotation marks")
        let color = form.member("color", of: members, editedBy: .optional(.color))
        #expect(color.normalized(.null) == .null)
    }
}
