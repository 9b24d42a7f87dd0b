// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigStore
internal import Synchronization
internal import Testing

/// A store under test, with a clock that the test sets and shortcuts for tests.
final class Bench: Sendable {
    let clock = ManualClock()
    private let place: any StorePlace
    private let opened: Mutex<any EntryStore>

    init(place: some StorePlace) async throws {
        self.place = place
        let store = try await place.open { [clock] in clock.now }
        opened = Mutex(store)
        _ = try await store.load()
    }

    var store: any EntryStore { opened.withLock { $0 } }

    /// Closes the store and opens it again.
    func reopen() async throws -> StoreContents {
        try await place.close(store)
        let store = try await place.open { [clock] in clock.now }
        opened.withLock { $0 = store }
        return try await store.load()
    }

    /// Opens the place again, as another server would.
    func openAnother() async throws -> any EntryStore {
        let store = try await place.open { [clock] in clock.now }
        _ = try await store.load()
        return store
    }

    /// Closes a store of ``openAnother()``.
    func close(_ store: any EntryStore) async throws { try await place.close(store) }

    func load() async throws -> StoreContents { try await store.load() }

    /// Commits one publish of values, `nil` for keys to remove.
    func publish(_ values: [String: EntryValue?], in namespace: String = "default") async throws -> PublishOutcome {
        try #require(try await store.commit([Publish(namespace: namespace, change: .edit(values))]).first)
    }

    /// Commits values, `nil` for keys to remove, and requires that they make a revision.
    @discardableResult
    func edit(_ values: [String: EntryValue?], in namespace: String = "default") async throws -> Commit {
        try #require(try await publish(values, in: namespace).commit)
    }

    /// The live values of the namespace `default`.
    func values() async throws -> [String: EntryValue] {
        try await load().namespaces["default"]?.entries.mapValues(\.value) ?? [:]
    }

    /// The history of the namespace `default`.
    func history() async throws -> [HistoryRecord] {
        try await store.history(HistoryQuery(of: "default", limit: 10_000))
    }
}

/// A clock that only the test moves.
package final class ManualClock: Sendable {
    private let storage = Mutex(Timestamp(milliseconds: 1_600_000_000_000))

    package init() {}

    package var now: Timestamp { storage.withLock { $0 } }

    package func advance(by milliseconds: Int64) {
        storage.withLock { $0.milliseconds += milliseconds }
    }
}

/// The generator SplitMix64 by Steele, Lea and Flood (2014), so that a failure can be reproduced.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ bits >> 30) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ bits >> 27) &* 0x94d0_49bb_1331_11eb
        return bits ^ bits >> 31
    }
}
