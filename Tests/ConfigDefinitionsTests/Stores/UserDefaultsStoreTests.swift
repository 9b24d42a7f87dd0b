// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import Observing
import TestSupport
import Testing

@testable import ConfigDefinitions

#if !canImport(Darwin)
    extension UserDefaults: DefaultsAccess {}
#endif

/// A store over Foundation's own `UserDefaults`.
struct UserDefaultsStoreTests {
    private let suite = "livery-test-\(UUID().uuidString)"

    /// The store, which reads through a separate object each time, as other parts of an app do.
    private func withStore(_ body: (UserDefaultsStore, UserDefaults) throws -> Void) throws {
        let store = UserDefaultsStore(name: suite) { [suite] in UserDefaults(suiteName: suite) ?? .standard }
        let defaults = try #require(UserDefaults(suiteName: suite))
        defer { defaults.removePersistentDomain(forName: suite) }
        try body(store, defaults)
    }

    @Test(
        arguments: [
            true, false, 0, 1, -7, 0.5, "", "1", "true", "\"quoted\"", "e\u{301}", [1, "a"], ["k": ["a": 1]], .null,
        ] as [EntryValue]
    )
    func valuesComeBack(value: EntryValue) throws {
        try withStore { store, defaults in
            store.apply([("app.key", value)])
            #expect(store.value(forKey: "app.key") == value)
            #expect(defaults.object(forKey: "app.key") as? String == value.canonicalJSON)
            store.apply([("app.key", nil)])
            #expect(store.value(forKey: "app.key") == nil && defaults.object(forKey: "app.key") == nil)
        }
    }

    @Test func plainValuesOfOthersAreRead() throws {
        try withStore { store, defaults in
            defaults.set(true, forKey: "boolean")
            defaults.set(1, forKey: "integer")
            defaults.set(1.5, forKey: "number")
            defaults.set("Hello, world", forKey: "text")
            defaults.set(Data([1]), forKey: "data")
            #expect(store.value(forKey: "boolean") == true)
            #expect(store.value(forKey: "integer") == 1)
            #expect(store.value(forKey: "number") == 1.5)
            #expect(store.value(forKey: "text") == "Hello, world")
            #expect(store.value(forKey: "data") == nil)
        }
    }

    @Test func changesAreAnnouncedOnce() throws {
        try withStore { store, _ in
            let sent = Log<String>()
            let observations = ["a", "b"].map { key in store.observe(key) { sent.append(key) } }
            store.apply([("a", 1), ("b", 2)])
            store.apply([("a", 1), ("b", 3)])
            #expect(sent.entries == ["a", "b", "b"])
            withExtendedLifetime(observations) {}
        }
    }
}
