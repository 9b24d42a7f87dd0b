// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import Testing

struct HistoryPruningTests {
    @Test(arguments: [(UInt64(9), UInt64.max), (.max, .max), (.max, 9), (0, .max)])
    func anyRetentionFitsAnyHead(head: UInt64, kept: UInt64) throws {
        var retention = HistoryRetention()
        retention.revisions = kept
        let history = EmptyHistory(head: head)
        let hasMore = try HistoryPruning(retention, revisionsPerStep: 4).step(in: history, at: .ofClock())
        #expect(!hasMore)
    }
}

/// A history whose floor is at 5 and of which nothing is left.
private struct EmptyHistory: PrunableHistory {
    let head: UInt64

    func sweep() -> (head: UInt64, sweep: HistoryPruning.Sweep)? { (head, (floor: 5, revision: 6, key: "")) }
    func save(_ sweep: HistoryPruning.Sweep) {}
    func revisions(after: UInt64, through: UInt64, limit: Int) -> [(revision: UInt64, updatedAt: Timestamp)] { [] }
    func records(of sweep: HistoryPruning.Sweep, limit: Int) -> [HistoryPruning.Record] { [] }
    func removeRecords(supersededBy records: [HistoryPruning.Record]) {}
}
