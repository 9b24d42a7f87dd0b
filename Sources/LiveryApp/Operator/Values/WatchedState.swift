import ConfigModel
import RemoteConfig

/// The last state of a service, to tell what is new about the next.
struct WatchedState {
    /// What is new.
    struct News: Hashable {
        var diff: ConfigDiff
        /// The position of the state before in the server's history.
        var since: Cursor?
        /// The revision of the new state.
        var revision: UInt64
        /// When it arrived.
        var receivedAt: Timestamp
        /// Whether it arrived as it happened; otherwise it may be hours old.
        var isFresh: Bool
        /// What is wrong with the connection, if that is new.
        var problem: ConfigError?
    }

    private var snapshot: EntrySnapshot
    private var problem: ConfigError?
    /// Whether the changes from before the stream have arrived.
    private var isCaughtUp = false

    init(_ snapshot: EntrySnapshot) {
        self.snapshot = snapshot
    }

    /// Moves on to the next state.
    mutating func update(_ next: ConfigState.Current) -> News {
        let hasChanged = next.snapshot.revision != snapshot.revision
        let diff = hasChanged ? ConfigDiff(from: snapshot.entries, to: next.snapshot.entries) : ConfigDiff([])
        let isLive = next.status.phase == .live
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

/// Searches a history, newest first, for the last record of each of some keys.
struct HistorySearch {
    /// The records found, by key.
    private(set) var found: [String: HistoryRecord] = [:]
    /// The `before` of the next page; `nil` at the end.
    private(set) var nextBefore: UInt64?
    private var missing: Set<String>
    private var pagesLeft = 10
    private let oldest: UInt64
    private let newest: UInt64

    /// - Parameters:
    ///   - keys: the keys to find.
    ///   - since: the position up to which the history is known.
    ///   - newest: the last revision that counts.
    init(for keys: Set<String>, after since: Cursor?, through newest: UInt64) {
        missing = keys
        self.newest = newest
        // A server that was restored has another history, whose revisions may be lower.
        oldest = since.map { $0.revision < newest ? $0.revision : 0 } ?? 0
        nextBefore = newest == .max ? nil : newest + 1
    }

    mutating func add(_ page: HistoryMessage) {
        for record in page.records where record.revision > oldest && record.revision <= newest {
            if missing.remove(record.key) != nil { found[record.key] = record }
        }
        pagesLeft -= 1
        let isOver = missing.isEmpty || pagesLeft == 0 || page.records.last.map { $0.revision <= oldest } ?? true
        nextBefore = isOver ? nil : page.next
    }
}
