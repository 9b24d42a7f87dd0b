// SPDX-License-Identifier: Apache-2.0

import RemoteConfigTesting

/// The clock of a service that stands still until the test moves it: what apps test with, as the service sees it.
typealias ManualClock = ServiceClock

extension ServiceClock {
    init() { self.init(TestClock()) }

    /// When the next call is due.
    var nextCall: Duration? { clock.nextDeadline?.elapsed }

    /// How many calls are due at some time.
    var callCount: Int { clock.callCount }

    /// Lets the time pass, and makes the calls that are due.
    func advance(by time: Duration) { clock.advance(by: time) }

    /// Lets the time pass as a machine does that sleeps: the calls that are due are late.
    func sleep(for time: Duration) { clock.suspend(for: time) }

    /// Does something while the time passes, a hundred times as fast as elsewhere.
    func passing<Outcome>(_ body: () async throws -> Outcome) async rethrows -> Outcome {
        try await clock.passing(body)
    }
}
