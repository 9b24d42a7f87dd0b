// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire

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
