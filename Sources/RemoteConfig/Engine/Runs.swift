// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The runs of an engine, the tasks that follow the source for them, and the callers that wait for a first state.
struct Runs {
    /// The number of runs: the source is followed until the last of them ends.
    private var count = 0
    private var hasRun = false
    /// Whether runs follow nothing, because the app is in the background.
    var isPaused = false
    /// The runs that wait until the source has been read once.
    private var waiters: [@Sendable () -> Void] = []
    /// The callers that wait for the first state.
    private(set) var firstWaiters: [ObjectIdentifier: Promise<WaitEnd>] = [:]
    /// The tasks that follow the source, by the number of the stream; there may be more than one while one is ending.
    var listeners: [Int: Task<Void, Never>] = [:]
    /// Passes the latest setting of offline on to the source; `nil` once the source has it.
    var offlinePassing: Task<Void, Never>?

    /// Whether the source is followed.
    var isFollowing: Bool { count > 0 && !isPaused }

    /// Whether there is a run, which follows the source unless it is paused.
    var isRunning: Bool { count > 0 }

    /// Whether there was a run and is none any more.
    var haveEnded: Bool { hasRun && count == 0 }

    /// Whether a run waits for the source before its body begins.
    var haveWaiters: Bool { !waiters.isEmpty }

    /// Begins a run.
    ///
    /// - Parameter didBegin: Called once the run has met its source.
    /// - Returns: Whether following the source begins.
    mutating func begin(_ didBegin: @escaping @Sendable () -> Void) -> Bool {
        waiters.append(didBegin)
        count += 1
        hasRun = true
        return count == 1 && !isPaused
    }

    mutating func end() { count -= 1 }

    /// Forgets the runs that wait for the source.
    ///
    /// - Returns: What resumes their bodies.
    mutating func endWaits() -> [@Sendable () -> Void] {
        defer { waiters = [] }
        return waiters
    }

    mutating func wait(_ first: Promise<WaitEnd>) { firstWaiters[ObjectIdentifier(first)] = first }

    mutating func forget(_ first: Promise<WaitEnd>) { firstWaiters[ObjectIdentifier(first)] = nil }

    func endFirstWaits(_ end: WaitEnd) {
        for waiter in firstWaiters.values { waiter.settle(end) }
    }
}

/// The end of a wait for the first state.
enum WaitEnd {
    case answered
    case late
    case offline
    /// The service has ended.
    case ended
    case cancelled
}
