// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire

/// A revision with its changes.
struct Revision: Hashable, Sendable {
    let number: UInt64
    let time: Timestamp
    let author: String?
    let message: String?
    /// The changed entries: one of them for the history of a key.
    let records: [HistoryRecord]

    init(_ first: HistoryRecord, _ records: [HistoryRecord]) {
        (number, time, author, message) = (first.revision, first.updatedAt, first.author, first.note)
        self.records = records
    }

    /// The size of the new values as JSON, in bytes.
    var bytes: Int { records.reduce(0) { $0 + ($1.value?.canonicalByteCount ?? 0) } }
}

/// The revisions of a source, as far as they have been read: page by page from the newest on, and the new ones as they come.
struct RevisionLog: Hashable, Sendable {
    /// A page to read, from a revision down to one that is known.
    private struct Gap: Hashable {
        /// The page has revisions below this one.
        var before: UInt64
        /// The newest known revision below the gap.
        var floor: UInt64
    }

    /// The revisions, newest first.
    private(set) var revisions: [Revision] = []
    private var gaps: [Gap] = []
    /// Where the next page of older revisions begins; `nil` at the end.
    private(set) var tail: UInt64?
    private(set) var hasBegun = false

    /// The missing pages between two known ones.
    var missing: [UInt64] { gaps.map(\.before) }

    /// Takes in a page.
    ///
    /// - Parameter before: as it was requested; `nil` for the newest page.
    mutating func add(_ page: HistoryMessage, before: UInt64?) {
        let newest = revisions.first?.number
        insert(Self.revisions(of: page.records))
        guard let before else {
            guard let newest, hasBegun else {
                (hasBegun, tail) = (true, page.next)
                return
            }
            if let next = page.next, next > newest + 1 { open(Gap(before: next, floor: newest)) }
            return
        }
        if before == tail { tail = page.next }
        guard let index = gaps.firstIndex(where: { $0.before == before }) else { return }
        let gap = gaps.remove(at: index)
        if let next = page.next, next > gap.floor + 1 { open(Gap(before: next, floor: gap.floor)) }
    }

    private mutating func open(_ gap: Gap) {
        if !gaps.contains(where: { $0.floor == gap.floor }) { gaps.append(gap) }
    }

    private mutating func insert(_ page: [Revision]) {
        let known = Set(revisions.map(\.number))
        let new = page.filter { !known.contains($0.number) }
        if !new.isEmpty { revisions = (revisions + new).sorted { $0.number > $1.number } }
    }

    private static func revisions(of records: [HistoryRecord]) -> [Revision] {
        var revisions: [Revision] = []
        var rest = records[...]
        while let first = rest.first {
            let same = rest.prefix { $0.revision == first.revision }
            rest = rest.dropFirst(same.count)
            revisions.append(Revision(first, Array(same)))
        }
        return revisions
    }
}
