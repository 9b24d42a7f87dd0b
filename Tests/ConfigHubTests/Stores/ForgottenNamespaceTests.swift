// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import ConfigStoreTesting
import HubTestSupport
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@testable import ConfigHub

@Suite(.timeLimit(.minutes(5)))
struct ForgottenNamespaceTests {
    @Test
    func anEmptyNamespaceIsForgottenWithItsHistory() async throws {
        let folder = try TemporaryDirectory()
        var options = SQLiteEntryStore.Options()
        (options.history.revisions, options.history.age) = (5, .zero)
        let clock = ManualClock()
        options.now = { clock.now }
        let store = SQLiteEntryStore(path: folder["livery.sqlite"], options: options)
        _ = try await store.load()
        for (namespace, value) in [("gone", EntryValue.integer(1)), ("gone", nil), ("kept", .integer(1))] {
            clock.advance(by: 10)
            _ = try await store.commit([Publish(namespace: namespace, change: .edit(["a": value]))])
        }
        try await store.close()
        #expect(try await store.load().namespaces.keys.sorted() == ["gone", "kept"])
        for number in 0..<20 {
            clock.advance(by: 10)
            _ = try await store.commit([Publish(namespace: "default", change: .edit(["a": .integer(number)]))])
        }
        try await store.close()
        try await withHub(store) { hub in
            let known = hub.memory.present?.namespaces.keys.sorted()
            #expect(known == ["default", "kept"])
            let outcome = try await hub.edit(["a": .integer(1)], in: "gone")
            #expect(outcome.commit?.previous == 0)
            let values = try hub.values(in: "gone")
            #expect(values == ["a": .integer(1)])
        }
    }
}
