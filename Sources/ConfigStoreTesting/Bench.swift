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

    /// Commits one publish.
    func publish(
        _ change: Publish.Change,
        in namespace: String = "default",
        if conditions: [Publish.Condition] = [],
        author: String? = nil,
        message: String? = nil
    ) async throws -> PublishOutcome {
        let publish = Publish(
            namespace: namespace,
            change: change,
            conditions: conditions,
            author: author,
            message: message
        )
        return try #require(try await store.commit([publish]).first)
    }

    /// Commits values, `nil` for keys to remove, and requires that they make a revision.
    @discardableResult
    func edit(_ values: [String: EntryValue?], in namespace: String = "default") async throws -> Commit {
        try #require(try await publish(.edit(values), in: namespace).commit)
    }

    /// The live values of a namespace.
    func values(in namespace: String = "default") async throws -> [String: EntryValue] {
        try await load().namespaces[namespace]?.entries.mapValues(\.value) ?? [:]
    }

    /// The values of a namespace at a revision.
    func values(in namespace: String = "default", at revision: UInt64) async throws -> [String: EntryValue] {
        let old = try #require(try await store.values(in: namespace, at: revision))
        return try await values(in: namespace).mapValues(Optional.some).merging(old) { $1 }.compactMapValues(\.self)
    }

    /// The history of a namespace.
    func history(
        of namespace: String = "default",
        key: String? = nil,
        before: UInt64? = nil,
        limit: Int = 100
    ) async throws -> [HistoryRecord] {
        try await store.history(HistoryQuery(of: namespace, key: key, before: before, limit: limit))
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
