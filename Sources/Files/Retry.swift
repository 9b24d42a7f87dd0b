// SPDX-License-Identifier: Apache-2.0

/// When to try again what has failed: nothing is due while nothing is wrong.
package struct Retry: Sendable {
    /// When the next attempt is due; `nil` if nothing has failed since the last attempt.
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
