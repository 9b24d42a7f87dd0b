// SPDX-License-Identifier: Apache-2.0

/// When to try again what has failed: nothing is due while nothing is wrong.
struct Retry {
    /// When the next attempt is due; `nil` if nothing has failed since the last attempt.
    private(set) var due: Duration?
    /// The number of failures since the last success.
    private(set) var failures = 0

    mutating func failed(at now: Duration, pause: Duration) {
        failures += 1
        // One attempt is enough for all that has failed until then.
        due = due ?? now + pause
    }

    mutating func attempted() { due = nil }

    mutating func succeeded() { self = Retry() }
}
