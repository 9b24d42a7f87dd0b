// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import RemoteConfig

/// The last state of a service, to determine the changes of the next one.
struct WatchedState {
    struct News: Hashable {
        var diff: ConfigDiff
        /// The position of the state before in the server's history.
        var since: RevisionCursor?
        var revision: UInt64
        var receivedAt: Timestamp
        /// Whether it arrived as it happened; otherwise it may be hours old.
        var isFresh: Bool
        /// The connection problem, if it is new.
        var problem: ConfigError?
    }

    /// Whether the values in the context of the service are compared, and not the entries of the server.
    private let isOfContext: Bool
    private var snapshot: EntrySnapshot
    private var problem: ConfigError?
    /// Whether the changes from before the stream have arrived.
    private var isCaughtUp = false

    init(_ snapshot: EntrySnapshot, isOfContext: Bool = false) {
        (self.snapshot, self.isOfContext) = (snapshot, isOfContext)
    }

    private func entries(of snapshot: EntrySnapshot) -> ConfigEntries {
        isOfContext ? snapshot.entries : snapshot.heldBySource
    }

    mutating func update(_ next: ConfigState.Snapshot) -> News {
        let hasChanged = next.snapshot.revision != snapshot.revision
        let diff = hasChanged ? ConfigDiff(from: entries(of: snapshot), to: entries(of: next.snapshot)) : ConfigDiff([])
        let isLive = next.status.phase == .streaming
        let news = News(
            diff: diff,
            since: snapshot.cursor,
            revision: next.snapshot.cursor?.revision ?? 0,
            receivedAt: next.status.lastChangeAt ?? .now,
            isFresh: isLive && isCaughtUp,
            problem: next.status.problem == problem ? nil : next.status.problem
        )
        // The first change of a stream may be all that happened while there was none.
        isCaughtUp = isLive && (isCaughtUp || hasChanged)
        (snapshot, problem) = (next.snapshot, next.status.problem)
        return news
    }
}
