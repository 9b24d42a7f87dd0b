// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens

/// From a key to a new revision: editor, review, write, undo.
struct EditScreenTests {
    private static let contents = EditDesk.sample

    private func desk(on key: String, _ contents: NamespaceContents = contents) async throws -> EditDesk {
        try await EditDesk.inspecting(key, contents)
    }

    @Test(
        arguments: [
            // A colour is typed over; a number is stepped; an option is chosen; a switch is toggled.
            ("app.background.color", [], "#87CEFA", "#87CEFA"), ("app.limit", ["Up", "Up"], "", 22),
            ("app.mode", ["Down"], "", "curious"), ("app.on", ["Space"], "", false),
            ("app.tags", ["d", "Ctrl-D"], "", ["b"]),
        ] as [(String, [String], String, EntryValue)]
    )
    func editorFitsTheKey(key: String, keys: [String], text: String, expected: EntryValue) async throws {
        var desk = try await desk(on: key)
        try await desk.press("e")
        for key in keys { try await desk.press(key) }
        try await desk.press("{\(text)}")
        if keys.last != "Ctrl-D" { try await desk.press("Enter") }
        #expect(desk.screen.contains("✔ Valid") && desk.writes == 0, "\(desk.screen)")
        try await desk.press("Tab", "{Monday}", "Ctrl-S")
        #expect(desk.values[key] == expected)
        #expect(desk.source.current.messages == ["Monday"])
        #expect(desk.top == .inspector && desk.screen.contains("Published \(key) as revision 2"), "\(desk.screen)")
    }

    /// The click closes the part that is open above it.
    @Test func aClickedLineStaysUnderThePointer() async throws {
        let colors = EntryValue.array((0..<30).map { $0 % 2 == 0 ? "#FF0000" : "#00FF00" })
        let list = NamespaceContents(values: ["app.list": colors], schemas: ["app.list": ["type": "array"]])
        var desk = try await desk(on: "app.list", list)
        try await desk.press("e", "Down", "Enter")
        func use(_ action: MouseEvent.Action, row: Int) {
            desk.send(.input(.mouse(MouseEvent(action, at: Point(column: 40, row: row)))))
        }
        for _ in 0..<6 { use(.scroll(1), row: 20) }
        let row = try #require(desk.model.lines.firstIndex { $0.contains("14. ") })
        use(.press(button: 0), row: row)
        use(.release(button: 0), row: row)
        #expect(desk.model.lines[row].contains("14. "), "\(desk.screen)")
        #expect(desk.screen.contains("Light."), "the clicked element is open")
    }

    @Test func keysBeforeTheFactsReachTheEditor() async throws {
        var desk = try await desk(on: "app.mode")
        for key in ["e", "Down", "Enter"] { desk.send(key) }
        try await desk.answer()
        #expect(desk.screen.contains("\"curious\""), "\(desk.screen)")
    }

    @Test func chordsBeforeTheFactsReachTheField() async throws {
        var desk = try await desk(on: "app.background.color")
        for key in ["e", "Ctrl-U", "{#87CEFA}"] { desk.send(key) }
        try await desk.press("Enter")
        #expect(desk.screen.contains("✔ Valid") && desk.screen.contains("#87CEFA"), "\(desk.screen)")
    }

    @Test func escapeLeavesEachStepWithoutAWrite() async throws {
        var desk = try await desk(on: "app.limit")
        desk.send("e")
        desk.send("Esc")
        #expect(desk.top == .inspector && desk.requests.isEmpty)
        try await desk.press("e", "Up")
        desk.send("Enter")
        #expect(desk.screen.contains("Checking…"))
        desk.send("Esc")
        #expect(desk.screen.contains("Edit app.limit") && desk.requests.isEmpty)
        try await desk.press("Enter", "Esc", "Esc")
        #expect(desk.top == .inspector)
        #expect(desk.writes == 0)
    }

    @Test func cancelledWriteIsReportedAsUncertain() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Enter")
        desk.send("y")
        #expect(desk.screen.contains("Publishing…"))
        desk.send("Esc")
        #expect(desk.screen.contains("Cancelled during the write"), "\(desk.screen)")
        #expect(desk.requests.isEmpty && desk.writes == 0)
    }

    @Test func invalidValueIsNotReviewed() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "2", "0", "0", "Enter")
        #expect(desk.screen.contains("is not between 1 and 100"), "\(desk.screen)")
        #expect(desk.screen.contains("Edit app.limit"))
    }

    @Test func failureStaysOnTheScreenUntilARetry() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up")
        desk.source.change { $0.failure = ConfigError(.unreachable, "no route to host") }
        try await desk.press("Enter")
        #expect(desk.screen.contains("✖ no route to host"), "\(desk.screen)")
        desk.source.change { $0.failure = nil }
        try await desk.press("r", "y")
        #expect(desk.values["app.limit"] == 21)
    }

    @Test func undoRestoresThisRevisionAlone() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Enter", "y")
        desk.source.write(ConfigDiff([KeyChange(key: "app.on", old: true, new: false)]), by: "bob")
        try await desk.press("u")
        #expect(desk.screen.contains("Undo revision 2") && desk.writes == 2, "\(desk.screen)")
        try await desk.press("y")
        #expect(desk.values["app.limit"] == 20 && desk.values["app.on"] == false)
        #expect(desk.screen.contains("Undone as revision 4; u redoes it"), "\(desk.screen)")
    }

    /// The first letter replaces a proposed message, unless an arrow has kept it; later visits continue what was typed.
    @Test(arguments: [([], "a b"), (["Right"], "Undo revision 2a b")] as [([String], String)])
    func proposedMessageIsReplacedByTyping(keys: [String], message: String) async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Enter", "y", "u", "Tab")
        for key in keys { try await desk.press(key) }
        try await desk.press("{a}", "Esc", "Tab", "{ b}", "Ctrl-S")
        #expect(desk.source.current.messages.last == message)
    }

    @Test func undoRestoresTheRuleOfARemovedKey() async throws {
        var contents = Self.contents
        contents.rules["app.limit"] = ["variants": ["a": 1, "b": 2], "defaultVariant": "a"]
        var desk = try await desk(on: "app.limit", contents)
        try await desk.press("d")
        #expect(desk.screen.contains("rule app.limit"), "\(desk.screen)")
        try await desk.press("y")
        #expect(desk.values["app.limit"] == nil && desk.source.current.contents.rules.isEmpty)
        #expect(desk.screen.contains("Removed app.limit as revision 2; u restores it"), "\(desk.screen)")
        try await desk.press("u", "y")
        #expect(desk.source.current.contents.rules == contents.rules && desk.values["app.limit"] == 20)
    }

    @Test func reviewWithoutAHistoryHasNoMessage() async throws {
        var desk = try EditDesk(Self.contents)
        desk.source.change { $0.granted.refuse([.history], "a file has no history") }
        try await desk.press("i", "/", "{app.limit}", "Enter", "e", "Up", "Enter")
        #expect(desk.screen.contains("✔ Valid") && !desk.screen.contains("Message"), "\(desk.screen)")
        try await desk.press("Tab", "y")
        #expect(desk.values["app.limit"] == 21)
    }

    @Test func undoOfAKeyThatOthersChangedIsAConflict() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Enter", "y")
        let other = ConfigDiff([KeyChange(key: "app.limit", old: 21, new: 50)])
        desk.source.write(other, by: "bob", message: "more")
        try await desk.press("u")
        for text in ["base    21", "theirs  50", "mine    20", "revision 3 by bob", "more", "m Mine"] {
            #expect(desk.screen.contains(text), "\(desk.screen)")
        }
        try await desk.press("y")
        #expect(desk.values["app.limit"] == 50, "a conflict is not overwritten")
        try await desk.press("m", "y")
        #expect(desk.values["app.limit"] == 20)
    }

    @Test func ruleThatHidesTheValueIsNamed() async throws {
        var contents = Self.contents
        contents.rules["app.limit"] = ["variants": ["a": 1, "b": 2], "defaultVariant": "a"]
        var desk = try await desk(on: "app.limit", contents)
        try await desk.press("e", "Up", "Enter")
        #expect(desk.screen.contains("◇ app.limit has a rule"), "\(desk.screen)")
    }

    @Test func keyIsRemovedRenamedAndCopied() async throws {
        var contents = Self.contents
        contents.rules["app.limit"] = ["variants": ["a": 1, "b": 2], "defaultVariant": "a"]
        var desk = try await desk(on: "app.limit", contents)
        try await desk.press("D", "End", "{2}", "Enter", "y")
        #expect(desk.values["app.limit2"] == 20)
        try await desk.press("M", "{app.limit.old}", "Enter", "y")
        #expect(desk.values["app.limit"] == nil && desk.values["app.limit.old"] == 20)
        #expect(desk.source.current.contents.rules["app.limit.old"] == contents.rules["app.limit"])
        #expect(desk.source.current.contents.rules["app.limit"] == nil)
        try await desk.press("Esc", "/", "{app.limit2}", "Enter", "d", "y")
        #expect(desk.values["app.limit2"] == nil)
    }

    @Test func newKeyStartsFromItsSchema() async throws {
        var contents = Self.contents
        contents.schemas["app.new.*"] = ["type": "integer", "default": 7]
        var desk = try await desk(on: "app.on", contents)
        try await desk.press("a", "End", "{on}", "Enter")
        #expect(desk.screen.contains("the key exists"), "\(desk.screen)")
        try await desk.press("Ctrl-U", "{app.new.size}", "Enter", "Up", "Enter", "y")
        #expect(desk.values["app.new.size"] == 8)
    }

    /// The editor of a new key.
    private func newKey() async throws -> EditDesk {
        var desk = try await desk(on: "app.on")
        try await desk.press("a", "End", "{new}", "Enter")
        return desk
    }

    private func change(_ key: String = "app.new", from old: EntryValue? = nil, to new: EntryValue) -> ConfigDiff {
        ConfigDiff([KeyChange(key: key, old: old, new: new)])
    }

    @Test(
        arguments: [
            ("42", 42, "→ integer 42"), ("true", true, "→ boolean true"), (#"["a"]"#, ["a"], "→ array"),
            (#"{"a":1}"#, ["a": 1], "→ object"), ("1.10", "1.10", "→ string"),
        ] as [(String, EntryValue, String)]
    )
    func typeOfANewKeyIsInferredAndShown(text: String, value: EntryValue, note: String) async throws {
        var desk = try await newKey()
        try await desk.press("{\(text)}")
        #expect(desk.screen.contains(note), "\(desk.screen)")
        try await desk.press("Enter")
        #expect(desk.reviewed == change(to: value), "\(desk.screen)")
    }

    @Test func incompleteJSONIsAStringOnlyByItsType() async throws {
        var desk = try await newKey()
        try await desk.press("{[1,2}", "Enter")
        #expect(desk.review == nil)
        #expect(desk.model.lines.count { $0.contains("column 5:") } == 1, "\(desk.screen)")
        try await desk.press("Ctrl-T")
        #expect(desk.screen.contains("→ string"), "\(desk.screen)")
        try await desk.press("Enter")
        #expect(desk.reviewed == change(to: "[1,2"), "\(desk.screen)")
    }

    @Test func anotherTypeIsChosenAndNamedInTheReview() async throws {
        var desk = try await desk(on: "app.count", NamespaceContents(values: ["app.count": 20]))
        try await desk.press("e", "Ctrl-U", "{[1]}", "Enter")
        #expect(desk.review == nil && desk.screen.contains("expected a number such as 42"), "\(desk.screen)")
        try await desk.press("Ctrl-T", "Enter")
        #expect(desk.reviewed == change("app.count", from: 20, to: [1]))
        #expect(desk.screen.contains("The type of app.count changes: integer → array"), "\(desk.screen)")
    }

    @Test func stringStaysAStringWhateverIsTyped() async throws {
        var desk = try await desk(on: "app.word", NamespaceContents(values: ["app.word": "a"]))
        try await desk.press("e", "Ctrl-U", "{42}", "Enter")
        #expect(desk.reviewed == change("app.word", from: "a", to: "42"))
    }

    @Test func fileOfANewKeyFollowsFromItsText() async throws {
        var desk = try await newKey()
        try await desk.press("Alt-e")
        #expect(desk.external?.isJSON == false)
        try await desk.endEditor(.success("{\"a\": 1}\n"))
        #expect(desk.reviewed == change(to: ["a": 1]), "\(desk.screen)")
        desk = try await newKey()
        try await desk.press("{[1,2}", "Alt-e")
        #expect(desk.external == ExternalEdit(key: "app.new", text: "[1,2", isJSON: true))
    }

    @Test func fileIsImportedAfterItsDifference() async throws {
        let folder = try TemporaryDirectory()
        try folder.write(#"{"app": {"limit": 30, "on": true, "new": "a", "none": null}}"#, to: "more.json")
        var desk = try EditDesk(Self.contents)
        try await desk.press("I", "{\(folder["less.json"])}", "Enter")
        let screen = desk.model.panels.last as? PromptScreen
        #expect(screen?.feedback.contains("cannot read the file") == true, "\(desk.screen)")
        try await desk.press("Ctrl-U", "{\(folder["more.json"])}", "Enter")
        for text in ["Import more.json", "✔ Valid", "app.new", "20 → 30", "app.none:"] {
            #expect(desk.screen.contains(text), "\(text) in \(desk.screen)")
        }
        #expect(desk.writes == 0)
        try await desk.press("y")
        #expect(desk.values["app.limit"] == 30 && desk.values["app.new"] == "a" && desk.values["app.mode"] == "calm")
        #expect(desk.source.current.messages == ["Import more.json"] && desk.top == nil)
    }

    @Test func pathOfAnImportIsCompletedAndRemembered() async throws {
        let folder = try TemporaryDirectory()
        try folder.write(#"{"app": {"limit": 30}}"#, to: "files/more.json")
        var desk = try EditDesk(Self.contents)
        let recent = RecentSources(environment: ["XDG_CONFIG_HOME": folder["settings"]], file: "imports.json")
        desk.files = ImportFiles(home: folder.path, recent: recent)
        try await desk.press("I", "{~/fi}", "Tab", "Tab")
        #expect(desk.screen.contains("~/files/more.json"), "\(desk.screen)")
        try await desk.press("Enter")
        #expect(desk.screen.contains("Import more.json"), "\(desk.screen)")
        try await desk.press("Esc", "Esc", "I")
        #expect(desk.screen.contains(folder["files/more.json"]), "\(desk.screen)")
        try await desk.press("Down", "Enter")
        #expect(desk.screen.contains("Import more.json"), "\(desk.screen)")
    }

    @Test func keysWithSchemasAreMarked() async throws {
        var desk = try EditDesk(Self.contents)
        try await desk.press("i")
        let rows = desk.model.lines.filter { $0.contains("app.") }
        #expect(
            rows.filter { $0.contains("§") }.map { $0.contains("app.limit") || $0.contains("app.mode") } == [
                true, true,
            ]
        )
        // The schemas that a write sets are marked at once.
        let schema = KeyChange(key: "app.*", kind: .schema, old: nil, new: true)
        try await desk.publish(ConfigDiff([schema]))
        #expect(desk.model.lines.count { $0.contains("§") } == 5, "\(desk.screen)")
    }

    @Test func textOfTheUsersEditorIsReviewed() async throws {
        var desk = try await desk(on: "app.tags")
        try await desk.press("E")
        #expect(desk.external == ExternalEdit(key: "app.tags", text: "[\n  \"a\",\n  \"b\"\n]\n", isJSON: true))
        try await desk.endEditor(.success("[\"a\"\n"))
        #expect(desk.screen.contains("Not applied"), "\(desk.screen)")
        try await desk.press("Alt-e")
        #expect(desk.external?.text == "[\"a\"\n", "the text is not lost")
        try await desk.endEditor(.success("{\"a\": 1}\n"))
        try await desk.press("y")
        #expect(desk.values["app.tags"] == ["a": 1])
    }

    @Test func crashOfTheUsersEditorChangesNothing() async throws {
        var desk = try await desk(on: "app.tags")
        try await desk.press("E")
        try await desk.endEditor(.failure(ConfigError(.unavailable, "the editor vi was killed by signal 11")))
        #expect(desk.screen.contains("signal 11") && desk.writes == 0, "\(desk.screen)")
    }

    @Test(
        arguments: [
            ("i a", .inspector), ("i d", .inspector), ("i M", .inspector), ("i D", .inspector),
            ("h j b", .history(nil)), ("i j R 2 5 Enter", .rollout("app.color")),
        ] as [(String, PanelKind)]
    )
    func writeIsRefusedWithItsReason(keys: String, panel: PanelKind) async throws {
        var desk = try EditDesk.revised(columns: 120)
        desk.source.change { $0.granted.refuse(OperatorAction.writes, "the token may only read") }
        for key in keys.split(separator: " ") { try await desk.press(String(key)) }
        #expect(desk.top == panel && desk.screen.contains("the token may only read"), "\(desk.screen)")
    }

    @Test func readOnlyTokenSeesNoEditKeys() async throws {
        var desk = try EditDesk(Self.contents)
        desk.source.change { $0.granted.refuse(OperatorAction.writes, "the token may only read", isHidden: true) }
        try await desk.press("i")
        #expect(!desk.screen.contains("e Edit"))
        try await desk.press("e")
        #expect(desk.top == .inspector && desk.screen.contains("the token may only read"), "\(desk.screen)")
        try await desk.press("?")
        #expect(!desk.screen.contains("Edit the value"))
        try await desk.press("Esc", "Esc", "I")
        #expect(desk.top == nil && desk.screen.contains("I is not bound here"), "\(desk.screen)")
    }

    @Test func readOnlyTokenImportsNoFile() async throws {
        var desk = try EditDesk(Self.contents)
        desk.source.change { $0.granted.refuse(OperatorAction.writes, "the token may only read", isHidden: true) }
        try await desk.press("I")
        #expect(desk.top == nil && desk.screen.contains("the token may only read"), "\(desk.screen)")
    }

    @Test func sourceThatCannotBeWrittenGreysTheAction() async throws {
        var desk = try EditDesk(Self.contents)
        desk.source.change { $0.granted.refuse(OperatorAction.writes, "a document can only be read") }
        try await desk.press("i")
        #expect(desk.screen.contains("e Edit"))
        try await desk.press("e")
        #expect(desk.top == .inspector && desk.screen.contains("a document can only be read"), "\(desk.screen)")
        try await desk.press("?")
        #expect(desk.screen.contains("Cannot edit: a document can only be read"), "\(desk.screen)")
    }

    @Test func colourIsPreviewedBehindTheEditor() async throws {
        var desk = try EditDesk(Self.contents, columns: 120)
        try await desk.press("i", "e", "Ctrl-U", "{#87CEFA}")
        #expect(desk.model.main.background.asked == RGBColor("#87CEFA"))
        try await desk.press("Esc")
        #expect(desk.model.main.background.asked == RGBColor("#FFB6C1"))
    }

    @Test func writesAreInTheLog() async throws {
        var desk = try await desk(on: "app.limit")
        try await desk.press("e", "Up", "Enter", "y")
        let log = desk.model.activity.log.flatMap(\.lines).map { $0.spans.map(\.text).joined() }
        #expect(log.contains("Published app.limit as revision 2") && log.contains("app.limit  20 → 21"), "\(log)")
    }
}
