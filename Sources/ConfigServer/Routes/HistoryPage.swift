// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigWire

/// A page of the history, as it is read from the store: piece by piece, since the size of the records is not known before.
///
/// It consists of whole revisions, newest first, and has a number of records and of bytes at most, or a single revision.
struct HistoryPage {
    private let maximumRecords: Int
    private let maximumBytes: Int
    private var before: UInt64?
    private var records: [HistoryRecord] = []
    /// The size of the records of the page.
    private(set) var bytes = 0
    /// The number of records to request from the store.
    private var count: Int
    private var isComplete = false
    private var hasMore = false

    /// The first piece is small, and each may be twice as large as the one before.
    private static let firstCount = 32

    /// - Parameter before: the revision below which to begin; at the head if `nil`.
    init(before: UInt64?, records: Int, bytes: Int) {
        (self.before, maximumRecords, maximumBytes) = (before, records, bytes)
        count = min(records + 1, Self.firstCount)
    }

    /// The next part to read; `nil` if the page is complete.
    var query: (before: UInt64?, limit: Int)? { isComplete ? nil : (before, count) }

    /// - Parameter drafts: the applied drafts, by their revisions.
    func message(with drafts: [UInt64: Draft]) -> HistoryMessage {
        let records = records.map { record in
            guard let draft = drafts[record.revision] else { return record }
            var record = record
            (record.draft, record.approvers) = (draft.id, draft.approvers)
            return record
        }
        return HistoryMessage(records: records, next: hasMore ? records.last?.revision : nil)
    }

    /// Adds the result of ``query``.
    mutating func append(_ piece: [HistoryRecord]) {
        // The last revision may have more records than were read.
        let isCut = piece.count >= count
        let cut = isCut ? piece.last?.revision : nil
        var rest = piece.prefix { $0.revision != cut }[...]
        if rest.isEmpty, isCut {
            count *= 2
            return
        }
        while let revision = rest.first?.revision {
            let whole = rest.prefix { $0.revision == revision }
            let size = whole.reduce(0) { $0 + $1.byteCount }
            let fits = records.count + whole.count <= maximumRecords && bytes + size <= maximumBytes
            guard fits || records.isEmpty else { return end(hasMore: true) }
            records += whole
            bytes += size
            before = revision
            rest = rest[whole.endIndex...]
        }
        guard isCut else { return end(hasMore: false) }
        guard records.count < maximumRecords, bytes < maximumBytes else { return end(hasMore: true) }
        // About as many as still fit, and one more, which shows whether the last revision is whole.
        let mean = max(1, bytes / max(1, records.count))
        let fitting = min(maximumRecords - records.count, (maximumBytes - bytes) / mean)
        count = min(fitting + 1, 2 * count)
    }

    private mutating func end(hasMore: Bool) { (isComplete, self.hasMore) = (true, hasMore) }
}

extension HistoryRecord {
    /// About how many bytes it has as JSON.
    fileprivate var byteCount: Int {
        160 + key.utf8.count + (value?.canonicalByteCount ?? 0) + (author?.utf8.count ?? 0) + (message?.utf8.count ?? 0)
    }
}
