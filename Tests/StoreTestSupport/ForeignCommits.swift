// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
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
