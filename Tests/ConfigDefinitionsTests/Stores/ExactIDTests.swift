// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import Foundation
import Observing
import TestSupport
import Testing

/// Keys and ids that Swift takes for equal are different texts.
@Suite(.timeLimit(.minutes(5)))
struct ExactIDTests {
    private static let names = NormalForm.names

    enum Place: CaseIterable { case memory, file, background }

    @Test(arguments: Place.allCases) func keysOfStoresAreBytes(in place: Place) async throws {
        let folder = try TemporaryDirectory()
        let file = FileStore(path: folder["store.json"])
        let background = BackgroundStore(file)
        let store: any KeyValueStore =
            switch place {
            case .memory: MemoryStore()
            case .file: file
            case .background: background
            }
        let changed = Log<Int>()
        let observations = Self.names.enumerated().map { index, name in
            store.observe(name) { changed.append(index) }
        }
        let values = Self.names.enumerated().map { (key: $1, value: EntryValue?.some(.integer($0))) }
        try store.apply([(Self.names[0], -1)] + values)
        #expect(Set(changed.entries).count == Self.names.count)
        let snapshot = store.snapshot()
        for (index, name) in Self.names.enumerated() {
            #expect(store.value(forKey: name) == .integer(index) && snapshot(name) == .integer(index))
        }
        try store.set(nil, forKey: Self.names[1])
        #expect(changed.entries.last == 1)
        #expect(Self.names.map { store.value(forKey: $0) != nil } == Self.names.indices.map { $0 != 1 })
        #expect(await background.flush() == nil)
        if place != .memory {
            #expect(FileStore(path: folder["store.json"]).values.count == Self.names.count - 1)
        }
        for stop in observations { stop() }
    }

    @Test func idsOfDefinitionsAreBytes() throws {
        let store = MemoryStore()
        let definitions = Self.names.enumerated().map { index, name in
            ConfigDefinition(name, default: index).stored(key: name, in: store)
        }
        let repository = ConfigRepository()
        let heard = Log<Int>()
        let subscriptions = definitions.map { definition in
            repository.add(definition)
            return repository.listen(to: definition) { heard.append($0) }
        }
        #expect(repository.ids.count == Self.names.count)
        try store.set(100, forKey: Self.names[1])
        #expect(heard.entries == [100])
        let values = Self.names.indices.map { $0 == 1 ? 100 : $0 }
        #expect(definitions.map { repository[$0] } == values)
        #expect(Self.names.compactMap { repository.explain(id: $0) }.count == Self.names.count)
        for subscription in subscriptions { subscription.end() }
    }

    @Test func idsOfTweaksAreBytes() throws {
        let tweaks = TweakRepository()
        let definitions = Self.names.map { name in
            TweakDefinition(name, category: "A", section: "B", name: "n", initial: 0)
        }
        for (index, definition) in definitions.enumerated() { try tweaks.set(index + 1, for: definition) }
        #expect(definitions.map { tweaks[$0] } == Array(1...Self.names.count))
        #expect(tweaks.rows.count == Self.names.count)
        try tweaks.undo()
        #expect(tweaks[definitions[Self.names.count - 1]] == 0 && tweaks[definitions[0]] == 1)
        try tweaks.resetAll()
        #expect(definitions.map { tweaks[$0] } == Self.names.map { _ in 0 })
    }
}
