// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The output of a terminal, in pieces.
struct Output {
    /// The number of reads with output.
    private(set) var pieces = 0
    private(set) var bytes = 0
    /// The time of the last byte.
    private(set) var lastArrival: ContinuousClock.Instant?

    private var total: Int

    /// - Parameter total: The number of bytes before.
    init(after total: Int) {
        self.total = total
    }

    /// Records new output, to be called when there may be some.
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
        } catch let error as WaitError {
            if error.deadline == nil { throw error }
            return false
        }
    }
}
