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
}

/// Memory does not outlive its store, so the store stays open.
private final class MemoryPlace: StorePlace {
    private let store = Mutex<ReferenceStore?>(nil)
    func open(now: @escaping @Sendable () -> Timestamp) async throws -> any EntryStore {
        store.withLock { store in
            let opened = store ?? ReferenceStore(now: now)
            store = opened
            return opened
        }
    }

    func close(_ store: any EntryStore) async throws {}
}
