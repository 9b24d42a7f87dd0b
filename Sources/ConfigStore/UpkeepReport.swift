// SPDX-License-Identifier: Apache-2.0

package import Logging
internal import Metrics
internal import Synchronization

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
