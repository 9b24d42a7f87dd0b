// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire

/// The changes of a namespace from one revision to a later one, in their order, from the server's history.
struct HistoryReplay {
    /// A change of a value or a rule, and when it was made.
    struct Step: Hashable {
        var change: KeyChange
        var revision: UInt64
        var time: Timestamp
    }

    /// The oldest first.
    private(set) var steps: [Step] = []

    /// - Parameters:
    ///   - state: the state that the records begin with: the values by key, and the rules by their ``EntryKind``.
    ///   - records: the newest first, as the server lists them.
    ///   - end: the state that they must lead to.
    /// - Throws: `unavailable` if they lead to another one.
    init(
        from state: [String: EntryValue],
        by records: [HistoryRecord],
        to end: [String: EntryValue]
    ) throws(ConfigError) {
        var state = state
        for record in records.reversed() where record.kind != .schema {
            let key = record.kind.key(of: record.key)
            let change = KeyChange(key: record.key, kind: record.kind, old: state[key], new: record.value)
            state[key] = record.value
            guard change.old != change.new else { continue }
            steps.append(Step(change: change, revision: record.revision, time: record.updatedAt))
        }
        guard state == end else {
            throw ConfigError(
                .unavailable,
                "the history was compacted during the read; retry with a later revision"
            )
        }
    }

    /// Reads the history.
    ///
    /// - Parameters:
    ///   - revision: the revision after which to begin.
    ///   - end: the state to end with.
    /// - Throws: `notFound` if the history does not reach back to the revision, or there is none yet.
    init(after revision: UInt64, to end: EntrySnapshot, on client: ServerClient) async throws(ConfigError) {
        guard let last = end.cursor else { throw ConfigError(.badResponse, "the response contains no revision") }
        let start = try await client.snapshot(at: revision)
        guard start.cursor.epoch == last.epoch else {
            throw ConfigError(.unavailable, "the server's data were restored during the read; try again")
        }
        var records: [HistoryRecord] = []
        var before: UInt64? = last.revision + 1
        while let next = before {
            let page = try await client.historyPage(before: next, limit: 1000)
            records += page.records.prefix { $0.revision > revision }
            before = page.records.last.map { $0.revision > revision } == true ? page.next : nil
        }
        try self.init(from: start.entries.mapValues(\.self), by: records, to: end.heldBySource.mapValues(\.value))
    }
}

/// Searches a history, newest first, for the last record of each of some entries, by their keys.
struct HistorySearch {
    private(set) var found: [String: HistoryRecord] = [:]
    /// The `before` of the next page; `nil` at the end.
    private(set) var nextBefore: UInt64?
    private var missing: Set<String>
    private var pagesLeft = 10
    private let oldest: UInt64
    private let newest: UInt64

    /// - Parameters:
    ///   - since: the position up to which the history is known.
    ///   - newest: the last revision that counts.
    init(for keys: Set<String>, after since: RevisionCursor?, through newest: UInt64) {
        missing = keys
        self.newest = newest
        // A server that was restored has another history, whose revisions may be lower.
        oldest = since.map { $0.revision < newest ? $0.revision : 0 } ?? 0
        nextBefore = newest == .max ? nil : newest + 1
    }

    mutating func add(_ page: HistoryMessage) {
        for record in page.records where record.revision > oldest && record.revision <= newest {
            let key = record.kind.key(of: record.key)
            if missing.remove(key) != nil { found[key] = record }
        }
        pagesLeft -= 1
        let isOver = missing.isEmpty || pagesLeft == 0 || page.records.last.map { $0.revision <= oldest } ?? true
        nextBefore = isOver ? nil : page.next
    }
}
