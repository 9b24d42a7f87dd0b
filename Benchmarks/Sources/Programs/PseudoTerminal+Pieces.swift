// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// What came over a terminal, piece by piece.
struct Output {
    /// How many reads brought something.
    private(set) var pieces = 0
    private(set) var bytes = 0
    /// When the last byte came.
    private(set) var lastArrival: ContinuousClock.Instant?

    private var total: Int

    /// - Parameter total: How many bytes had come before.
    init(after total: Int) {
        self.total = total
    }

    /// Takes note of what has come, to be called when something may have.
    mutating func note(total newTotal: Int) {
        guard newTotal > total else { return }
        lastArrival = .now
        pieces += 1
        bytes += newTotal - total
        total = newTotal
    }
}

extension PseudoTerminal {
    /// Waits for the next piece of output, and returns whether one came in time.
    func awaitOutput(within duration: Duration) throws -> Bool {
        let known = bytesReceived.count
        do {
            try readUntil("output", deadline: duration) { _ in bytesReceived.count > known }
            return true
        } catch let error as TerminalWaitError {
            guard case .deadline = error.reason else { throw error }
            return false
        }
    }
}
