// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Configuration
import Foundation
import Observing
import RemoteConfig
import TerminalUI
import TestSupport
import Testing

@testable import LiveryScreens

@MainActor
struct TweaksScreenTests {
    @Test func theListsAreWalkedByKeys() throws {
        let desk = try TweakDesk()
        desk.press("t")
        #expect(desk.screen.contains("▸ Demo"))
        desk.press("j")
        #expect(desk.screen.contains("▸ Showcase"))
        desk.press("l", "G")
        #expect(desk.screen.contains("▸ Custom"))
        desk.press("g", "Enter")
        #expect(desk.screen.contains("Showcase › Toggle"))
        desk.press("Esc", "Esc", "Esc")
        #expect(desk.model.tweaks == nil)
    }

    /// An override applies from the first frame on; rows that have not been visible can wait.
    @Test func theShowcaseIsAddedWhenTheRowsAreFirstRead() throws {
        let desk = try TweakDesk(
            stored: ##"{"default/app.background.color": "#0000FF", "default/showcase.toggle": true}"##
        )
        #expect(desk.model.values.background == RGBColor(0x0000FF))
        let demo = ["app.background.color", "app.fun_button.text", "app.fun_button.url"]
        #expect(desk.tweaks.repository.rows.map(\.id) == demo)
        desk.press("t")
        #expect(desk.override("showcase.toggle") == "true")
        let ids = desk.tweaks.repository.rows.map(\.id)
        #expect(Array(ids.prefix(4)) == demo + ["showcase.toggle"])
        #expect(ids.suffix(2) == ["demo.sky", "demo.blossom"])
        desk.press("Esc", "t")
        #expect(desk.tweaks.repository.rows.map(\.id) == ids)
    }

    @Test func leavingASearchStaysOnTheMatch() throws {
        let desk = try TweakDesk()
        desk.press("t", "/", "{stepper}")
        #expect(desk.screen.contains("Enter Done  Esc Clear"))
        #expect(!desk.screen.contains("Z Reset"), "letters type")
        desk.press("Esc")
        #expect(desk.screen.contains("▸ Showcase"))
        desk.press("Enter", "j", "j", "/", "{mood}")
        desk.click("Enter Done")
        desk.press("Esc")
        #expect(desk.screen.contains("▸ Option picker"), "\(desk.screen)")
        desk.press("/", "{zzz}", "Esc")
        #expect(desk.screen.contains("▸ Option picker"), "where it was before")
    }

    @Test func controlLettersAreNotListCommands() throws {
        let desk = try TweakDesk(stored: #"{"default/showcase.toggle": true}"#)
        desk.press("t", "j", "Enter")
        let selected = try #require(desk.model.lines.first { $0.contains("▸") })
        desk.press("Ctrl-L", "Alt-l", "Ctrl-H", "Ctrl-X", "Ctrl-T", "Ctrl-J", "Ctrl-K", "Ctrl-G")
        #expect(desk.model.lines.contains(selected), "\(desk.screen)")
        #expect(desk.screen.contains("Ctrl-G is not bound here"))
        desk.press("Ctrl-R")
        #expect(desk.override("showcase.toggle") == "true", "redo, and not a reset")
    }

    @Test(arguments: [
        ("Slider", ["Ctrl-L", "Ctrl-H", "Alt-l", "Ctrl-U", "Alt-k"]), ("Segmented", ["Ctrl-L", "Alt-l"]),
        ("Array", ["Ctrl-D", "Alt-x", "Ctrl-A", "Alt-J", "Ctrl-J"]), ("rating", ["Ctrl-L", "Alt-1"]),
        ("Toggle", ["Alt-Space"]), ("Option picker", ["Ctrl-J", "Alt-Space"]),
    ])
    func controlAndAltLettersAreNotEditorInput(name: String, keys: [String]) throws {
        let desk = try TweakDesk()
        desk.press("t", "j", "Enter", "Space", "Esc", "Esc", "Esc")
        desk.open(name)
        let (before, lines) = (desk.state.tweaks.items.map(\.value), desk.model.lines.prefix(12))
        for key in keys {
            desk.press(key)
            #expect(desk.state.tweaks.items.map(\.value) == before, "\(key)")
            #expect(desk.model.lines.prefix(12) == lines, "\(key)")
        }
        #expect(desk.model.press("Ctrl-L") == [.redraw])
        #expect(desk.model.press("Ctrl-C") == [.quit(signal: nil)])
    }

    @Test func lettersWithControlOrAltAnswerNoQuestion() throws {
        let desk = try TweakDesk(stored: #"{"default/showcase.toggle": true}"#)
        desk.press("t", "X", "Ctrl-Y", "Alt-y")
        #expect(desk.override("showcase.toggle") == "true")
        desk.press("Ctrl-N")
        #expect(desk.screen.contains("Reset all tweaks?"))
        desk.press("y")
        #expect(desk.override("showcase.toggle") == nil)
    }

    @Test func helpIsThatOfTheOpenScreen() throws {
        let desk = try TweakDesk()
        desk.press("t", "?")
        #expect(desk.screen.contains("Reset the category") && desk.screen.contains("Search"))
        #expect(!desk.screen.contains("Open the URL"))
        desk.press("Esc", "Esc")
        desk.open("Text field")
        desk.press("?")
        #expect(!desk.screen.contains("Undo the last change"), "it is typed")
        desk.press("F1")
        #expect(desk.screen.contains("Undo the last change") && desk.screen.contains("Ctrl-R"))
    }

    @Test func resettingManyAsksForConfirmation() throws {
        let desk = try TweakDesk(stored: #"{"default/showcase.toggle": true, "default/app.fun_button.text": "Hi"}"#)
        desk.press("t", "X", "n")
        #expect(desk.override("showcase.toggle") == "true")
        desk.press("j", "Z")
        #expect(desk.screen.contains("Reset all tweaks in Showcase?"))
        desk.press("y")
        #expect(desk.override("showcase.toggle") == nil)
        #expect(desk.override("app.fun_button.text") != nil)
        desk.press("u")
        #expect(desk.override("showcase.toggle") == "true")
        desk.press("X", "Enter")
        #expect(desk.override("app.fun_button.text") != nil && desk.screen.contains("Reset all tweaks?"))
        desk.press("Ctrl-S")
        #expect(desk.override("app.fun_button.text") == nil)
    }

    /// Another program may have set the value since.
    @Test func undoOfAForeignValueAsksForConfirmation() throws {
        let desk = try TweakDesk(columns: 160, opening: "showcase.stepper")
        desk.press("Up")
        #expect(desk.override("showcase.stepper") == "4")
        desk.tweaks.file.store.apply([("default/showcase.stepper", .some(.integer(9)))])
        desk.update()
        for answer in ["n", "Esc"] {
            desk.press("Alt-u")
            #expect(desk.screen.contains("was set by another program to 9."), "\(desk.screen)")
            #expect(desk.screen.contains("Undo to no override?"))
            desk.press(answer)
            desk.update()
            #expect(desk.override("showcase.stepper") == "9")
            #expect(!desk.screen.contains("was set by another program"))
        }
        desk.press("Alt-u", "y")
        #expect(desk.override("showcase.stepper") == nil)
    }

    /// The main screen keeps the last good value, and so does the initial value of its tweak.
    @Test func aMalformedRemoteValueLeavesTheLastGoodOneAsInitial() throws {
        let provider = MutableInMemoryProvider(initialValues: ["app.background.color": "#FFB6C1"])
        let desk = try TweakDesk(provider: provider)
        let initial = { desk.state.tweaks.items.first { $0.id == "app.background.color" }?.initialPreview }
        #expect(initial() == "#FFB6C1")
        provider.setValue("pink", forKey: "app.background.color")
        #expect(initial() == "#FFB6C1")
        provider.setValue(nil, forKey: "app.background.color")
        #expect(initial() == "#000000")
    }

    /// By whatever way a row changes, the screen is notified.
    @Test(.timeLimit(.minutes(5))) func everyChangeIsAnnounced() async throws {
        let desk = try TweakDesk()
        desk.press("t")
        var hints = desk.tweaks.changes.hints().makeAsyncIterator()
        _ = desk.tweaks.perform(.set(id: "showcase.toggle", .boolean(true), isContinuing: false))
        #expect(await hints.next(isolation: #isolation) != nil)
        try desk.tweaks.repository.tweak(id: "showcase.toggle")?.reset()
        #expect(await hints.next(isolation: #isolation) != nil)
    }

    @Test func overridesPersistAndAreTheOwnersOnly() async throws {
        let desk = try TweakDesk()
        desk.press("t", "j", "Enter", "Space")
        #expect(await desk.tweaks.file.store.flush() == nil)
        #expect(try desk.folder.mode(of: "livery/tweaks.json") == 0o600)
        let content = String(decoding: try desk.folder.read("livery/tweaks.json"), as: UTF8.self)
        #expect(content.contains(#""default/showcase.toggle": true"#))
    }

    @Test func unsavedTweakAppliesAndIsReported() async throws {
        let desk = try TweakDesk(columns: 200)
        try desk.folder.write("no folder", to: "livery")
        desk.press("t", "j", "Enter", "Space")
        #expect(await desk.tweaks.file.store.flush() != nil)
        desk.update()
        #expect(desk.override("showcase.toggle") == "true")
        #expect(desk.screen.contains("Not saved, lost on restart: cannot write"))
    }

    @Test func damagedFileIsReportedAndRenamedOnChange() async throws {
        let desk = try TweakDesk(columns: 200, stored: "{oops")
        desk.press("t")
        #expect(desk.screen.contains("the next change moves it aside"))
        #expect(desk.override("showcase.toggle") == nil)
        #expect(try desk.folder.read("livery/tweaks.json") == Array("{oops".utf8))
        desk.press("j", "Enter", "Space")
        #expect(await desk.tweaks.file.store.flush() == nil)
        let names = try FileManager.default.contentsOfDirectory(atPath: desk.folder["livery"])
        #expect(names.contains { $0.hasPrefix("tweaks.json.damaged-") })
    }

    /// A writer may wait ten seconds for another program; what follows the source must not wait with it.
    @Test(.timeLimit(.minutes(5))) func followersDoNotWaitForTheWriter() async throws {
        let desk = try TweakDesk(stored: "{}")
        let path = desk.folder["livery/tweaks.json"]
        let executor = QueueExecutor(label: "following")
        let tweaks = desk.tweaks
        let following = Task(executorPreference: executor) { await tweaks.followFile(on: executor) }
        defer { following.cancel() }
        let witness = FileSource(path: path)
        var hints = witness.hints(on: executor.queue).makeAsyncIterator()
        while await hints.next(isolation: #isolation) != .settled {}

        let holder = open(desk.folder["livery"], O_RDONLY | O_CLOEXEC)
        #expect(flock(holder, LOCK_EX) == 0)
        desk.press("t", "j", "Enter", "Space")
        try Data(#"{"default/showcase.speed": 42}"#.utf8).write(to: URL(filePath: path))
        while await hints.next(isolation: #isolation) != .settled {}
        #expect(tweaks.file.store.problem == nil, "the writer has not given up meanwhile")
        close(holder)
        #expect(await tweaks.file.store.flush() == nil)
        try await until("what was written meanwhile") { desk.override("showcase.speed") == "42" }
        #expect(desk.override("showcase.toggle") == "true")
    }
}
