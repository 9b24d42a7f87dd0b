// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Observing

/// A timer for the next deadline.
struct Alarm {
    private var timer: ObservationToken?
    private var due: Duration?

    /// Rings at a time; `nil` for never. A time that has moved further away is noticed when it comes.
    mutating func set(
        at due: Duration?,
        by clock: any SyncClock,
        on queue: DispatchQueue,
        _ ring: @escaping @Sendable () -> Void
    ) {
        if let known = self.due, let due, known <= due { return }
        timer = nil
        self.due = due
        if let due { timer = clock.call(at: due, on: queue, ring) }
    }

    /// Notes that it has rung.
    mutating func rang() { due = nil }
}
