// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import ConfigStoreTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5)))
struct StoreLawTests {
    @Test(arguments: StoreLaw.all)
    func theStoreInMemoryKeeps(_ law: StoreLaw) async throws {
        try await law.check(in: MemoryPlace())
    }

    @Test
    func aStoreThatForgetsTombstonesIsFoundOut() async throws {
        let law = try #require(StoreLaw.all.first { $0.description.contains("tombstones") })
        await withKnownIssue { try await law.check(in: MemoryPlace(forgetsTombstones: true)) }
    }
}

/// Memory does not outlive its store, so the store stays open.
private final class MemoryPlace: StorePlace {
    private let store = Mutex<ReferenceStore?>(nil)
    private let forgetsTombstones: Bool

    init(forgetsTombstones: Bool = false) { self.forgetsTombstones = forgetsTombstones }

    func open(now: @escaping @Sendable () -> Timestamp) async throws -> any ConfigStore {
        let opened = store.withLock { store in
            let opened = store ?? ReferenceStore(now: now)
            store = opened
            return opened
        }
        return forgetsTombstones ? ForgetfulStore(store: opened) : opened
    }

    func close(_ store: any ConfigStore) async throws {}
}

private struct ForgetfulStore: ConfigStore {
    let store: ReferenceStore

    func load() async throws(StoreError) -> StoreContents { try await store.load() }

    func commit(_ publishes: [Publish]) async throws(StoreError) -> [PublishOutcome] {
        try await store.commit(publishes)
    }

    func history(_ query: HistoryQuery) async throws(StoreError) -> [HistoryRecord] {
        try await store.history(query).filter { $0.value != nil }
    }

    func values(in namespace: String, at revision: UInt64) async throws(StoreError) -> [String: EntryValue?]? {
        try await store.values(in: namespace, at: revision)
    }

    func problem() async -> StoreError? { nil }
}
