// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// A state of the source that was read, or that changes lead to.
struct FetchedState {
    /// The state and its changed keys, before rules are evaluated.
    let update: EntrySnapshot.Update
    /// The validators and the date of the state; its cursor and digest are those of the snapshot.
    let mark: CacheMark
    /// The time of the changes: that of the document, where its values existed before.
    let time: Timestamp
    /// The time at which it was fetched.
    let now: Timestamp
    /// Whether the former state is no longer part of the server's history.
    var isReset = false
    /// The origin of the values while a part of the source has not answered yet.
    var preliminaryOrigin: ValueOrigin?

    var origin: ValueOrigin { preliminaryOrigin ?? .source }

    init(_ update: EntrySnapshot.Update, _ mark: CacheMark, at now: Timestamp, dating time: Timestamp? = nil) {
        (self.update, self.mark, self.now, self.time) = (update, mark, now, time ?? now)
    }
}
