// SPDX-License-Identifier: Apache-2.0

/// The runs of an engine, and the tasks that follow the source for them.
struct Runs {
    /// The number of runs: the source is followed until the last of them ends.
    private var count = 0
    private var hasRun = false
    /// Whether runs follow nothing, because the app is in the background.
    var isPaused = false
    /// The tasks that follow the source, by the number of the stream; there may be more than one while one is ending.
    var listeners: [Int: Task<Void, Never>] = [:]
    /// Passes the latest setting of offline on to the source; `nil` once the source has it.
    var offlinePassing: Task<Void, Never>?

    /// Whether the source is followed.
    var isFollowing: Bool { count > 0 && !isPaused }

    /// Whether there is a run, which follows the source unless it is paused.
    var isRunning: Bool { count > 0 }

    /// Whether there was a run, and all runs have ended.
    var haveEnded: Bool { hasRun && count == 0 }

    /// Begins a run.
    ///
    /// - Returns: Whether following the source begins.
    mutating func begin() -> Bool {
        count += 1
        hasRun = true
        return count == 1 && !isPaused
    }

    mutating func end() { count -= 1 }
}
