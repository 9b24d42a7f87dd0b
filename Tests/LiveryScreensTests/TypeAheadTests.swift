// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import TerminalUI
import Testing

@testable import LiveryScreens

/// Keys that are typed before their panel is ready for them, or after it has closed.
struct TypeAheadTests {
    private static let keys = "key119999".map(String.init)
    private static let document = InspectorListTests.document(of: 20_000)

    @Test func keysWaitForThePalette() throws {
        var model = try Demo.model(Self.document)
        for key in [":"] + Self.keys + ["Enter", "G", "1"] { model.press(key) }
        #expect(model.panels.last?.kind == .palette, "the search goes on")
        model.finishWork()
        #expect(model.panels.map(\.kind) == [.key("key119999")])
    }

    @Test func keysWaitForTheFilter() throws {
        var model = try Demo.model(Self.document)
        for key in ["i", "/"] + Self.keys + ["Enter", "y"] { model.press(key) }
        #expect(model.inspector?.list.isTyping == true)
        #expect(model.finishWork().contains(.copy("9x")))
        #expect(model.inspector?.list.isTyping == false && model.inspector?.list.filterText == "key119999")
    }

    @Test func escapeDropsTheKeysThatWait() throws {
        var model = try Demo.model(Self.document)
        for key in [":"] + Self.keys + ["Enter", "q", "Esc"] { model.press(key) }
        #expect(!model.finishWork().contains(.quit(signal: nil)))
        #expect(model.panels.map(\.kind) == [.palette])
    }

    @Test func textAfterAPromptRunsNoCommands() async throws {
        var desk = try EditDesk(EditDesk.targeted)
        let change = KeyChange(key: "app.on", old: false, new: true)
        let receipt = OperatorReceipt(revision: 2, count: 1)
        desk.model.desk.last = PublishedChanges(changes: ConfigDiff([change]), receipt: receipt)
        try await desk.press("i", "R", "w", "{user=1}")
        let start = ContinuousClock.now
        var moment = start
        for key in [Key(.enter)] + "user=42".map(Key.character) + [Key(.enter)] {
            desk.send(.input(.key(key)), at: moment)
            moment += .milliseconds(20)
        }
        #expect(desk.top == .rollout("app.color") && desk.model.users.line == "user=1", "\(desk.screen)")
        #expect(desk.model.panels.last?.feedback == "Typed without a pause, ignored: user=42")
        desk.send(.input(.key(.character("u"))), at: moment + .milliseconds(400))
        #expect(desk.review != nil, "after a pause it is a command")
    }

    @Test func textAfterANameReachesTheEditor() async throws {
        var desk = try EditDesk(NamespaceContents(values: ["app.b": "c"], schemas: ["app.*": ["type": "string"]]))
        try await desk.press("i", "a", "End", "{name}")
        let moment = ContinuousClock.now
        for key in [Key(.enter)] + "Tom".map(Key.character) { desk.send(.input(.key(key)), at: moment) }
        try await desk.answer()
        #expect(desk.top == .edit(EditStart(key: "app.name")) && desk.screen.contains("Tom"), "\(desk.screen)")
    }
}
