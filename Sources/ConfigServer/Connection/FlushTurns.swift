// SPDX-License-Identifier: Apache-2.0

/// Schedules which event loops write events to their streams, and which wait for their turn.
///
/// Flushing all loops at once would occupy every processor as long as there are streams: readers, commits and responses would
/// wait, and with them the next event. Half of the loops are as fast under that load, and commits made during the wait leave
/// with the same write.
struct FlushTurns<Loop> {
    private var free: Int
    private var waiting: [Loop] = []

    init(loops count: Int) {
        free = max(1, count / 2)
    }

    /// - Returns: whether the loop may begin; otherwise ``end()`` returns it when it is its turn.
    mutating func begin(_ loop: Loop) -> Bool {
        guard free > 0 else {
            waiting.append(loop)
            return false
        }
        free -= 1
        return true
    }

    /// A loop has ended, and the next one begins.
    mutating func end() -> Loop? {
        if waiting.isEmpty {
            free += 1
            return nil
        }
        return waiting.removeFirst()
    }
}
