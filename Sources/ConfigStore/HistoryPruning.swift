// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import Logging
internal import Metrics
internal import Synchronization

/// The retention of a store's history.
public struct HistoryRetention: Hashable, Sendable {
    /// The minimum age of removed history: 90 days.
    public var age = Duration.seconds(90 * 86_400)
    /// The minimum number of kept revisions, however old they are.
    public var revisions: UInt64 = 10_000

    /// Creates the retention that suits most servers.
    public init() {}
}

/// Forgets history that is older than it has to be kept, a little at a time.
///
/// The floor, the lowest revision whose state can be read, rises first; then what only the states below it needed is swept
/// away: of each key all records up to the floor but the newest, and that one too if it is a tombstone.
package struct HistoryPruning: Sendable {
    private let retention: HistoryRetention
    private let revisionsPerStep: Int
    /// More than a commit of one key adds, so that the sweep catches up.
    private static let recordsPerStep = 256

    /// Creates a pruning with a maximum number of revisions by which the floor rises per step.
    package init(_ retention: HistoryRetention, revisionsPerStep: Int) {
        (self.retention, self.revisionsPerStep) = (retention, revisionsPerStep)
    }

    /// The floor, and the swept part: all revisions below this one, and its keys through this one.
    package typealias Sweep = (floor: UInt64, revision: UInt64, key: String)

    /// A change that a revision made to a key.
    package typealias Record = (namespace: String, key: String, revision: UInt64)

    /// Does a step.
    ///
    /// - Returns: whether there is more to do.
    @discardableResult
    package func step(in history: some PrunableHistory, at now: Timestamp) throws -> Bool {
        guard let (head, start) = try history.sweep() else { return false }
        var sweep = start
        if head > sweep.floor, head - sweep.floor > retention.revisions {
            let (limit, newest) = (head - retention.revisions, now.earlier(by: retention.age))
            let old = try history.revisions(after: sweep.floor, through: limit, limit: revisionsPerStep)
            sweep.floor = old.last { $0.updatedAt <= newest }?.revision ?? sweep.floor
        }
        guard sweep.revision <= sweep.floor else { return false }
        let records = try history.records(of: sweep, limit: Self.recordsPerStep)
        try history.removeRecords(supersededBy: records)
        if let last = records.last, records.count == Self.recordsPerStep {
            (sweep.revision, sweep.key) = (last.revision, last.key)
        } else {
            (sweep.revision, sweep.key) = (sweep.floor + 1, "")
        }
        try history.save(sweep)
        return sweep.revision <= sweep.floor || sweep.floor > start.floor
    }
}

/// A history in a transaction of its database, as ``HistoryPruning`` reads and changes it.
package protocol PrunableHistory {
    /// The head of the store, and where the sweep is; `nil` if another server is at it.
    func sweep() throws -> (head: UInt64, sweep: HistoryPruning.Sweep)?

    /// Writes where the sweep is.
    func save(_ sweep: HistoryPruning.Sweep) throws

    /// The first revisions after one, through another, with their times.
    func revisions(after: UInt64, through: UInt64, limit: Int) throws -> [(revision: UInt64, updatedAt: Timestamp)]

    /// The next records up to the floor that have not been swept, by revision and key.
    func records(of sweep: HistoryPruning.Sweep, limit: Int) throws -> [HistoryPruning.Record]

    /// Removes the older records of the records' keys, those of the records that are tombstones, and the revisions that then
    /// have no records.
    func removeRecords(supersededBy records: [HistoryPruning.Record]) throws
}

/// Reports failures of the tasks that keep a store small, such as pruning, since no caller waits for their result.
///
/// Each failure is counted as `livery_upkeep_failures_total`, and logged when it differs from the last one.
package final class UpkeepReport: Sendable {
    private let logger: Logger
    private let counters: [String: Counter]
    /// The last message of each task that fails.
    private let failures = Mutex<[String: String]>([:])

    /// - Parameter tasks: the names of the store's tasks.
    package init(of tasks: [String], _ logger: Logger) {
        self.logger = logger
        counters = Dictionary(
            tasks.map { ($0, Counter(label: "livery_upkeep_failures_total", dimensions: [("task", $0)])) }
        ) { $1 }
    }

    /// A task has failed.
    package func failed(_ task: String, _ error: StoreError) {
        counters[task]?.increment()
        let last = failures.withLock { $0.updateValue(error.message, forKey: task) }
        guard last != error.message else { return }
        logger.error(
            "store maintenance failed (\(task)): \(error.message)",
            metadata: ["code": "\(error.code.rawValue)"]
        )
    }

    /// A task has succeeded.
    package func succeeded(_ task: String) {
        guard failures.withLock({ $0.removeValue(forKey: task) }) != nil else { return }
        logger.notice("store maintenance works again (\(task))")
    }
}
