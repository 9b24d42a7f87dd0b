// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Foundation
import Observation
import Observing
import TestSupport
import Testing

struct TweakRepositoryTests {
    private let store = MemoryStore()
    private let tweaks: TweakRepository
    private let speed = TweakDefinition("speed", category: "Motion", section: "Frames", name: "Speed", initial: 5)
    private let title = TweakDefinition("title", category: "Look", section: "Text", name: "Title", initial: "Dogs")
    private let color = TweakDefinition(
        "color",
        category: "Look",
        section: "Colours",
        name: "Background",
        initial: RGBColor(0)
    )

    init() { tweaks = TweakRepository(store: store) }

    @Test func rowsHaveCategoriesAndSections() {
        tweaks.add(speed)
        tweaks.add(title)
        tweaks.add(color)
        tweaks.add(TweakAction("clear", category: "Look", section: "Text", name: "Clear") {})
        let outline = tweaks.rows.map { "\($0.category) › \($0.section) › \($0.name)" }
        let expected = [
            "Motion › Frames › Speed", "Look › Text › Title", "Look › Colours › Background", "Look › Text › Clear",
        ]
        #expect(outline == expected)
    }

    @Test func aKnownIdReplaces() {
        tweaks.add(speed)
        tweaks.add(TweakDefinition("speed", category: "Motion", section: "Frames", name: "Pace", initial: 6))
        #expect(tweaks.rows.map(\.name) == ["Pace"])
        #expect(tweaks.tweak(id: "speed")?.initialValue == .integer(6))
    }

    @Test func overridesAreResetOneByOneByCategoryAndAllAtOnce() throws {
        for definition in [title] { tweaks.add(definition) }
        tweaks.add(speed)
        tweaks.add(color)
        func override() {
            tweaks[speed] = 1
            tweaks[title] = "Cats"
            tweaks[color] = RGBColor(1)
        }
        func overridden() -> [String] { tweaks.rows.compactMap(\.tweak).filter(\.hasOverride).map(\.id).sorted() }
        override()
        try tweaks.reset(title)
        #expect(overridden() == ["color", "speed"])
        override()
        try tweaks.reset(category: "Look")
        #expect(overridden() == ["speed"])
        override()
        try tweaks.resetAll()
        #expect(overridden() == [])
    }

    @Test func editsAreUndone() throws {
        tweaks.add(speed)
        tweaks.add(title)
        #expect(!tweaks.canUndo)
        tweaks[speed] = 1
        tweaks[title] = "Cats"
        tweaks[speed] = 2
        try tweaks.resetAll()
        try tweaks.undo()
        #expect(tweaks[speed] == 2 && tweaks[title] == "Cats")
        try tweaks.undo()
        #expect(tweaks[speed] == 1)
        try tweaks.undo()
        try tweaks.undo()
        #expect(!tweaks.hasOverride(speed) && !tweaks.hasOverride(title))
        #expect(try !tweaks.undo())
    }

    @Test func aValueSetElsewhereIsAConflict() throws {
        tweaks.add(speed)
        tweaks[speed] = 1
        tweaks[speed] = 2
        #expect(tweaks.undoConflict == nil)
        store.apply([("default/speed", .some(.integer(7)))])
        let undo = try #require(tweaks.undoConflict)
        #expect(undo.id == "speed" && undo.current == .integer(7) && undo.target == .integer(1))
        try tweaks.undo()
        #expect(tweaks[speed] == 1 && tweaks.redoConflict == nil)
        store.apply([("default/speed", .some(.integer(8)))])
        let redo = try #require(tweaks.redoConflict)
        #expect(redo.current == .integer(8) && redo.target == .integer(7))
    }

    @Test func redoWorksUntilTheNextEdit() throws {
        tweaks.add(speed)
        tweaks[speed] = 1
        tweaks[speed] = 2
        try tweaks.resetAll()
        #expect(!tweaks.canRedo)
        for expected in [2, 1] {
            try tweaks.undo()
            #expect(tweaks[speed] == expected && tweaks.canRedo)
        }
        try tweaks.undo()
        for expected in [1, 2] {
            try tweaks.redo()
            #expect(tweaks[speed] == expected)
        }
        try tweaks.redo()
        #expect(!tweaks.hasOverride(speed))
        #expect(try !tweaks.redo())
        try tweaks.undo()
        tweaks[speed] = 7
        #expect(!tweaks.canRedo)
        try tweaks.undo()
        #expect(tweaks[speed] == 2)
    }

    @Test func aDragIsUndoneAtOnce() throws {
        tweaks.add(speed)
        let row = try #require(tweaks.tweak(id: "speed"))
        tweaks[speed] = 1
        try row.set(.integer(2))
        for value in 3...9 { try row.set(.integer(value), isContinuing: true) }
        try tweaks.undo()
        #expect(tweaks[speed] == 1)
    }

    @Test func memoryOverridesAndNamespacesAreSeparate() {
        func definition(_ namespace: String?) -> TweakDefinition<Int> {
            TweakDefinition("n", category: "A", section: "B", name: "C", initial: 0, namespace: namespace)
        }
        tweaks[definition(nil)] = 1
        #expect(store.value(forKey: "default/n") == nil)
        #expect(tweaks[definition(nil)] == 1)
        #expect(TweakRepository(store: store)[definition(nil)] == 0)

        let other = TweakRepository(store: store)
        other[definition("a")] = 2
        #expect(TweakRepository(store: store)[definition("a")] == 2)
        #expect(TweakRepository(store: store)[definition("b")] == 0)
    }

    @Test func overridesPersistAcrossLaunches() throws {
        let folder = try TemporaryDirectory()
        let path = folder["tweaks.json"]
        let colors = TweakDefinition("colors", category: "A", section: "B", name: "C", initial: [RGBColor]())
        TweakRepository(store: FileStore(path: path))[colors] = [RGBColor(0xFFB6C1)]
        #expect(TweakRepository(store: FileStore(path: path))[colors] == [RGBColor(0xFFB6C1)])
        let text = String(decoding: try folder.read("tweaks.json"), as: UTF8.self)
        #expect(text == "{\n  \"default/colors\": [\"#FFB6C1\"]\n}\n")
    }

    @Test func failedEditKeepsRedoHistory() throws {
        let store = FullStore()
        let tweaks = TweakRepository(store: store)
        tweaks.add(speed)
        for value in 1...3 { tweaks[speed] = value }
        for _ in 1...2 { try tweaks.undo() }
        store.isFull.value = true
        #expect(throws: ConfigError.self) { try tweaks.set(7, for: speed) }
        #expect(throws: ConfigError.self) { try tweaks.redo() }
        #expect(throws: ConfigError.self) { try tweaks.undo() }
        #expect(throws: ConfigError.self) { try tweaks.resetAll() }
        store.isFull.value = false
        for expected in [2, 3] {
            #expect(try tweaks.redo())
            #expect(tweaks[speed] == expected)
        }
        #expect(try !tweaks.redo())
        for _ in 1...3 { #expect(try tweaks.undo()) }
        #expect(!tweaks.hasOverride(speed))
    }

    @Test func failedEditKeepsUndoHistory() throws {
        let store = FullStore()
        let tweaks = TweakRepository(store: store)
        tweaks.add(speed)
        for value in 1...1001 { tweaks[speed] = value }
        store.isFull.value = true
        #expect(throws: ConfigError.self) { try tweaks.set(0, for: speed) }
        store.isFull.value = false
        while try tweaks.undo() {}
        #expect(tweaks[speed] == 1, "a thousand edits ago")
    }

    @Test func listenersReceiveOverridesAndInitialValues() {
        let (initial, signal) = (Box(1), ChangeSignal())
        let definition = TweakDefinition<Int>.numbered(changes: signal) { initial.value }
        tweaks.add(definition)
        let recorder = Log<Int>()
        let subscription = tweaks.changes.subscribe { [tweaks] in recorder.append(tweaks[definition]) }
        initial.value = 2
        signal.send()
        tweaks[definition] = 3
        tweaks[definition] = 3
        initial.value = 4
        signal.send()
        _ = try? tweaks.undo()
        #expect(recorder.entries == [2, 3, 3, 4])
        subscription.end()
    }

    @Test @MainActor func itIsObservable() async {
        tweaks.add(speed)
        let changes = Box(0)
        _ = withObservationTracking {
            tweaks.rows.compactMap { $0.tweak?.preview }
        } onChange: {
            changes.value += 1
        }
        tweaks[speed] = 7
        await mainQueueIsEmpty()
        #expect(changes.value == 1)
    }

    @Test func problemsOfOverridesAreListed() throws {
        let store = FullStore()
        let tweaks = TweakRepository(store: store)
        tweaks.add(speed)
        try store.apply([("default/speed", .string("fast"))])
        #expect(tweaks[speed] == speed.initialValue && !tweaks.hasOverride(speed))
        #expect(tweaks.problems.map(\.key) == ["speed"] && tweaks.problems.first?.code == .typeMismatch)
        store.isFull.value = true
        tweaks[speed] = 7
        #expect(tweaks.problems.map(\.code) == [.typeMismatch, .unreadable])
        store.isFull.value = false
        let announced = Log<[ConfigError]>()
        let subscription = tweaks.changes.subscribe { announced.append(tweaks.problems) }
        tweaks[speed] = 7
        #expect(tweaks[speed] == 7 && tweaks.problems == [])
        #expect(announced.entries.last == [], "that the failure is over is announced as well")
        subscription.end()
    }

    @Test func rowsAreFoundByTheirWords() {
        tweaks.add(speed)
        tweaks.add(title)
        tweaks.add(color)
        func found(_ text: String) -> [String] {
            tweaks.rows.filter { $0.matches(text) }.map(\.id)
        }
        #expect(found("BACK") == ["color"])
        #expect(found("look c") == ["color"])
        #expect(found("look title") == ["title"])
        #expect(found("nothing") == [])
        #expect(found("  ") == ["speed", "title", "color"])
    }

    @Test func anActionRunsItsClosure() async throws {
        let recorder = Log<String>()
        tweaks.add(TweakAction("clear", category: "A", section: "B", name: "Clear") { recorder.append("ran") })
        guard case .action(let action) = try #require(tweaks.rows.first) else { return }
        await action.perform()
        #expect(recorder.entries == ["ran"])
    }
}

/// A store in memory that fails while it is full.
private final class FullStore: KeyValueStore {
    let name = "faulty"
    let isFull = Box(false)
    private let memory = MemoryStore()

    func value(forKey key: String) -> EntryValue? { memory.value(forKey: key) }

    func apply(_ changes: [(key: String, value: EntryValue?)]) throws(ConfigError) {
        if isFull.value { throw ConfigError(.unreadable, "no space", source: name) }
        memory.apply(changes)
    }

    func observe(_ key: String, _ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        memory.observe(key, didChange)
    }
}
