// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Synchronization

/// How the store was when the hub last checked it.
package struct StoreHealth: Hashable {
    /// Whether it could be read and written.
    package let isReady: Bool
    /// How many revisions it had that memory did not receive within the hub's patience.
    package let lag: UInt64

    struct Check: Sendable {
        var hasProblem: Bool
        var lag: UInt64
        var end: ContinuousClock.Instant
    }

    /// - Parameters:
    ///   - check: the last one; `nil` before the first. It counts for three intervals: if there is none since, the store
    ///     does not answer.
    ///   - interval: the time between two checks.
    init(_ check: Check?, every interval: Duration, at now: ContinuousClock.Instant) {
        isReady = check.map { !$0.hasProblem && now - $0.end < interval * 3 } ?? false
        lag = check?.lag ?? 0
    }
}

extension ConfigHub {
    /// How the store was at the last check: of the last seconds, and without a query.
    package var health: StoreHealth {
        StoreHealth(lastCheck.withLock { $0 }, every: limits.checkInterval, at: .now)
    }

    /// Checks the store.
    ///
    /// - Parameter comparing: whether to read its head as well.
    /// - Returns: why it could not commit now; `nil` if it could.
    func checkStore(comparing: Bool) async -> StoreError? {
        let problem = await problem()
        var lag: UInt64 = 0
        if comparing, let stored = try? await store.head() {
            // Under steady writes, memory receives the last of them a moment after the store's head was read.
            _ = await wait(atMost: limits.patience) { $0.isBehind(stored) ? nil : true }
            if let head, head.isBehind(stored) { lag = stored.revision - head.revision }
        }
        let check = StoreHealth.Check(hasProblem: problem != nil, lag: lag, end: .now)
        lastCheck.withLock { $0 = check }
        return problem
    }
}
