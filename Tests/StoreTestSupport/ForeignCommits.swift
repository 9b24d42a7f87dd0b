// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigStore

/// The commits that others have made, one by one.
package struct ForeignCommits {
    private var batches: AsyncStream<[Commit]>.AsyncIterator
    private var waiting: ArraySlice<Commit> = []

    package init(in store: some EntryStore) { batches = store.foreignCommits().makeAsyncIterator() }

    /// The next one; `nil` if the store has lost track.
    package mutating func next() async -> Commit? {
        while waiting.isEmpty {
            guard let commits = await batches.next(isolation: #isolation) else { return nil }
            waiting = commits[...]
        }
        return waiting.removeFirst()
    }
}

extension EntryStore {
    /// Commits values, `nil` for those to take away, as one publish.
    @discardableResult
    package func edit(
        _ values: [String: EntryValue?],
        in namespace: String = "default",
        if conditions: [Publish.Condition] = []
    ) async throws(StoreError) -> PublishOutcome {
        let publish = Publish(namespace: namespace, change: .edit(values), conditions: conditions)
        return try await commit([publish]).first ?? .unchanged(at: 0, entries: [:])
    }
}
