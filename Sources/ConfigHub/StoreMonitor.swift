// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Logging
internal import Synchronization

/// Checks the store every few seconds, also without writes, and logs what keeps it from writes.
final class StoreMonitor: Sendable {
    private let core: HubCore
    private let dates = Mutex(DateWatch())
    private let lastCheck = Mutex<StoreHealth.Check?>(nil)
    private let question: SharedQuestion<StoreError?>

    /// The time between two questions about the readiness: anyone may ask, and a question is work for the database.
    private static let readinessInterval = Duration.milliseconds(250)

    init(_ core: HubCore) {
        self.core = core
        question = SharedQuestion(notifying: core.memory.waiters) { .some(await core.store.problem()) }
    }

    /// The health of the store at the last check, some seconds ago at most; makes no query.
    var health: StoreHealth { StoreHealth(lastCheck.withLock { $0 }, every: core.limits.checkInterval, at: .now) }

    /// Whether the store could commit, by one question for all concurrent callers, and the age of the answer.
    func readiness() async -> (problem: StoreError?, age: Duration) {
        let start = ContinuousClock.now
        if let last = question.ask(again: false, unless: { start - $0.end < Self.readinessInterval }) {
            return (last.answer, max(start - last.end, .zero))
        }
        let answered = await core.memory.waiters.wait(atMost: core.limits.readinessTime) { [question] in
            question.last.flatMap { $0.end >= start ? $0 : nil }
        }
        if let answered { return (answered.answer, .zero) }
        return (StoreError(.unavailable, "the store does not answer", reason: .unreachable), .zero)
    }

    /// Checks the store until the task is cancelled.
    func run() async {
        var known: String?
        // Just after loading, memory equals the store.
        var isFirst = true
        repeat {
            let problem = await check(comparing: !isFirst)?.message
            defer { (known, isFirst) = (problem, false) }
            guard problem != known, !Task.isCancelled else { continue }
            if let problem {
                core.logger.error("the store rejects writes: \(problem)")
            } else {
                core.logger.notice("the store accepts writes again")
            }
            // The sleep throws when the task is cancelled.
        } while (try? await core.pauses.clock.sleep(for: core.limits.checkInterval)) != nil
    }

    /// Checks the store.
    ///
    /// - Parameter comparing: whether to read its head as well.
    /// - Returns: why it could not commit now; `nil` if it could.
    func check(comparing: Bool) async -> StoreError? {
        let problem = await core.store.problem()
        var lag: UInt64 = 0
        // `problem` is the error of the store.
        if comparing, let stored = try? await core.store.head() {
            // Under steady writes, memory receives the last of them a moment after the store's head was read.
            await core.memory.wait(for: stored, atMost: core.limits.patience)
            if let head = core.memory.head, head.isBehind(stored) { lag = stored.revision - head.revision }
        }
        let check = StoreHealth.Check(hasProblem: problem != nil, lag: lag, end: .now)
        lastCheck.withLock { $0 = check }
        return problem
    }

    /// Logs when writes are no longer dated by the machine's clock, and when they are again.
    func checkDate(_ date: Timestamp) {
        let message = dates.withLock { $0.message(for: date, clock: .ofClock()) }
        if let message { core.logger.warning("\(message)") }
    }
}

/// The health of the store when the hub last checked it.
package struct StoreHealth: Hashable {
    /// Whether it could be read and written.
    package let isReady: Bool
    /// The number of revisions in the store that memory did not receive in time.
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

/// Watches whether writes are dated by the machine's clock.
struct DateWatch: Sendable {
    private enum Step: Sendable { case together, ahead, behind }

    private var step = Step.together
    private static let tolerance: Int64 = 60_000

    /// A message for the operator about the date of a write; `nil` if nothing has changed since the last one.
    mutating func message(for date: Timestamp, clock: Timestamp) -> String? {
        let ahead = date.milliseconds - clock.milliseconds
        let new: Step = ahead > Self.tolerance ? .ahead : ahead < -Self.tolerance ? .behind : .together
        guard new != step else { return nil }
        step = new
        return switch new {
        case .ahead:
            """
            write dates are ahead of the system clock: last write at \(date), clock at \(clock); dates never decrease, \
            so they advance by 1 ms per write until the clock catches up
            """
        case .behind:
            """
            the system clock jumped ahead to \(clock); writes continue from \(date) until the clock has been stable \
            for \(WriteClock.patience.components.seconds / 60) minutes; check the system clock
            """
        case .together: "write dates follow the system clock again"
        }
    }
}
