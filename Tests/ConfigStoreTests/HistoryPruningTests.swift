// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigStore
import InMemoryLogging
import Logging
import Testing

struct HistoryPruningTests {
    @Test(arguments: [(UInt64(9), UInt64.max), (.max, .max), (.max, 9), (0, .max)])
    func anyRetentionFitsAnyHead(head: UInt64, kept: UInt64) throws {
        var retention = HistoryRetention()
        retention.revisions = kept
        let history = EmptyHistory(head: head)
        let hasMore = try HistoryPruning(retention, revisionsPerStep: 4).step(in: history, at: .ofClock())
        #expect(!hasMore && history.saved == nil)
    }

    @Test func aSingleRevisionIsForgottenAtOnce() throws {
        var retention = HistoryRetention()
        (retention.revisions, retention.age) = (4, .seconds(1))
        let history = EmptyHistory(head: 10, old: [6])
        _ = try HistoryPruning(retention, revisionsPerStep: 4).step(in: history, at: .ofClock())
        #expect(history.saved?.floor == 6 && history.saved?.revision == 7)
    }
}

/// A history whose floor is at 5 and of which nothing is left.
private final class EmptyHistory: PrunableHistory {
    private let head: UInt64
    private let old: [UInt64]
    private(set) var saved: HistoryPruning.Sweep?

    init(head: UInt64, old: [UInt64] = []) { (self.head, self.old) = (head, old) }

    func sweep() -> (head: UInt64, sweep: HistoryPruning.Sweep)? { (head, (floor: 5, revision: 6, key: "")) }
    func save(_ sweep: HistoryPruning.Sweep) { saved = sweep }
    func revisions(after: UInt64, through: UInt64, limit: Int) -> [(revision: UInt64, updatedAt: Timestamp)] {
        old.map { ($0, Timestamp(milliseconds: 0)) }
    }
    func records(of sweep: HistoryPruning.Sweep, limit: Int) -> [HistoryPruning.Record] { [] }
    func removeRecords(supersededBy records: [HistoryPruning.Record]) {}
}

struct UpkeepReportTests {
    @Test func aFailureIsLoggedUntilItEnds() {
        let log = InMemoryLogHandler()
        let report = UpkeepReport(of: ["pruning", "snapshot"], Logger(label: "test") { [log] _ in log })
        report.succeeded("pruning")
        for message in ["no space", "no space", "no answer"] { report.failed("pruning", StoreError(.full, message)) }
        report.failed("snapshot", StoreError(.full, "no space"))
        report.succeeded("pruning")
        report.succeeded("pruning")
        report.failed("pruning", StoreError(.full, "no answer"))
        #expect(
            log.entries.map { "\($0.level): \($0.message)" } == [
                "error: store maintenance failed (pruning): no space",
                "error: store maintenance failed (pruning): no answer",
                "error: store maintenance failed (snapshot): no space",
                "notice: store maintenance works again (pruning)",
                "error: store maintenance failed (pruning): no answer",
            ]
        )
    }
}
