// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// What a source holds and the program does not show yet.
struct StagedChanges {
    /// All of what the source holds.
    let snapshot: EntrySnapshot
    /// Where the values come from.
    let origin: ValueOrigin
    /// The keys whose values are not those that are shown.
    private(set) var keys: Set<String> = []

    /// What waits after an update; `nil` if what the source holds is what is shown.
    ///
    /// - Parameters:
    ///   - update: what follows on `former`, or on what is shown if nothing waited.
    ///   - origin: where the values of the update come from.
    init(
        _ update: EntrySnapshot.Update,
        from origin: ValueOrigin,
        after former: StagedChanges?,
        shown: ConfigEntries
    ) {
        (snapshot, self.origin) = (update.snapshot, origin)
        keys = former?.keys ?? []
        for key in update.changedKeys {
            if snapshot.entries[key]?.value == shown[key]?.value { keys.remove(key) } else { keys.insert(key) }
        }
    }
}
