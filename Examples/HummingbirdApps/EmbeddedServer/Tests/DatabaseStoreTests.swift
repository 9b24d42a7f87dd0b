// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import ConfigStoreTesting
import Testing

@testable import EmbeddedServer

@Suite(.timeLimit(.minutes(5)))
struct DatabaseStoreTests {
    /// A place whose store stays open: what is in memory does not outlive it.
    private actor Place: StorePlace {
        private var store: DatabaseStore?

        func open(now: @escaping @Sendable () -> Timestamp) async throws -> any EntryStore {
            let opened = store ?? DatabaseStore(now: now)
            store = opened
            return opened
        }

        func close(_ store: any EntryStore) async throws {}
    }

    @Test(arguments: StoreLaw.all) func keeps(_ law: StoreLaw) async throws { try await law.check(in: Place()) }
}
