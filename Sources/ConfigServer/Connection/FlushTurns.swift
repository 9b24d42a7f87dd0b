// SPDX-License-Identifier: Apache-2.0

/// Which event loops write events to their streams, and which wait for their turn.
///
/// All at once would keep every processor busy for as long as there are streams: those who read, commit and answer meanwhile
/// would wait, and the next event with them. Half of the loops are as quick with that much company, and what is committed
/// while others wait leaves with the same write.
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
