// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Synchronization

/// The clock by which drafts are dated and scheduled: that of the store where it has one, else the machine's.
final class HubClock: Sendable {
    /// How far the store's clock is ahead of the machine's, in milliseconds.
    private let lead = Atomic<Int64>(0)

    var now: Timestamp { Timestamp.ofClock().later(by: lead.load(ordering: .relaxed)) }

    /// Sets the clock by the time of the store.
    func set(to time: Timestamp) {
        lead.store(time.milliseconds - Timestamp.ofClock().milliseconds, ordering: .relaxed)
    }
}
