// SPDX-License-Identifier: Apache-2.0

/// The schedule for repeating failed work: nothing is due without a failure.
package struct Retry: Sendable {
    /// The time of the next attempt; `nil` if nothing has failed since the last attempt.
    package private(set) var due: Duration?
    /// The number of failures since the last success.
    package private(set) var failures = 0

    package init() {}

    package mutating func failed(at now: Duration, pause: Duration) {
        failures += 1
        // One attempt is enough for all that has failed until then.
        due = due ?? now + pause
    }

    package mutating func attempted() { due = nil }

    package mutating func succeeded() { self = Retry() }
}
