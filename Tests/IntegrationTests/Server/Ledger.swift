// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import RemoteConfig
import TestSupport

/// The events in the server's history, and its internal inconsistencies.
struct Ledger {
    private var changes: [UInt64: [String: EntryValue?]] = [:]
    private var times: [UInt64: Timestamp] = [:]
    private var last: UInt64 = 0
    /// Whether each revision is of the ledger's namespace.
    private let isAlone: Bool
    private var compared: UInt64 = 0
    private(set) var problems: [String] = []

    /// - Parameter isAlone: whether there is one namespace, so that each revision is in the ledger.
    init(isAlone: Bool = true) { self.isAlone = isAlone }

    /// The revisions, in their order.
    var revisions: [UInt64] { changes.keys.sorted() }

    /// Reads what is new.
    mutating func readOn(_ load: WriteLoad) async throws {
        var records: [HistoryRecord] = []
        var before: UInt64?
        repeat {
            let page = try await load.page(of: before)
            records += page.records.filter { $0.revision > last }
            before = page.records.contains { $0.revision <= last } ? nil : page.next
        } while before != nil
        for record in records.reversed() { note(record) }
    }

    private mutating func note(_ record: HistoryRecord) {
        let revision = record.revision
        if revision != last {
            if isAlone ? revision != last + 1 : revision < last {
                problems.append("revision \(revision) follows \(last)")
            }
            if let time = times[last], record.updatedAt <= time {
                problems.append("revision \(revision) is of \(record.updatedAt), the one before of \(time)")
            }
            last = revision
            times[revision] = record.updatedAt
        } else if times[revision] != record.updatedAt {
            problems.append("revision \(revision) is of two times")
        }
        changes[revision, default: [:]][record.key] = .some(record.value)
    }

    /// The acknowledged writes that are missing or different.
    mutating func differences(from acknowledged: PublishedHistory, sinceLastTime: Bool = true) -> [String] {
        let start = sinceLastTime ? compared : 0
        // A later answer may have come before this one's.
        compared = last > 100 ? last - 100 : 0
        return acknowledged.revisions.filter { $0 > start }.flatMap { revision in
            let found = changes[revision] ?? [:]
            return (acknowledged.edit(at: revision) ?? [:]).compactMap { key, value in
                // Taking away what is not there changes nothing.
                (found[key] ?? nil) == value ? nil : "\(key) at \(revision)"
            }
        }
    }

    /// The values that have been made by more than one revision; for writers who give each value once.
    var repeated: [String] {
        var makers: [EntryValue: Set<UInt64>] = [:]
        for (revision, edit) in changes {
            for case .some(let value) in edit.values { makers[value, default: []].insert(revision) }
        }
        return makers.filter { $0.value.count > 1 }.map { "\($0.key) at \($0.value.sorted())" }
    }

    /// All of it, acknowledged or not.
    func history(of epoch: Epoch) -> PublishedHistory {
        var history = PublishedHistory(epoch: epoch)
        for (revision, changes) in changes { history.note(revision: revision, changes: changes) }
        return history
    }
}
