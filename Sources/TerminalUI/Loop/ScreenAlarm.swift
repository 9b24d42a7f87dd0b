// SPDX-License-Identifier: Apache-2.0

internal import Dispatch

/// Waits for the time of a model's timer.
@MainActor
final class ScreenAlarm {
    private var timer: ScreenTimer?
    private var timeIsUpAt = ContinuousClock.Instant.now
    private var isTimeUp = false
    /// The time at which the source fires, if it is set.
    private var firesAt: ContinuousClock.Instant?
    /// Made for the first timer, and set again for each.
    private lazy var source = makeSource()
    private let onTimeUp: @MainActor () -> Void

    init(onTimeUp: @escaping @MainActor () -> Void) { self.onTimeUp = onTimeUp }

    /// Whether the time has been up since the last call.
    func takeTime() -> Bool {
        defer { isTimeUp = false }
        return isTimeUp
    }

    /// Waits for a timer from now on, unless it is the one that is waited for already.
    ///
    /// The source is set only if it would fire too late: to set it wakes a thread up, and a burst of changes has a timer
    /// each.
    func set(_ next: ScreenTimer?) {
        guard next != timer else { return }
        timer = next
        isTimeUp = false
        guard let next else { return }
        timeIsUpAt = .now + next.delay
        if let firesAt, firesAt <= timeIsUpAt { return }
        fire(at: timeIsUpAt)
    }

    /// Ends the wait for a timer.
    func cancel() {
        timer = nil
        if firesAt != nil { source.cancel() }
    }

    private func fire(at time: ContinuousClock.Instant) {
        firesAt = time
        let nanoseconds = Int((time - .now) / .nanoseconds(1))
        source.schedule(deadline: .now() + .nanoseconds(max(nanoseconds, 0)))
    }

    private func fired() {
        firesAt = nil
        guard timer != nil else { return }
        // Set for an earlier timer, it may fire before the time of the current one.
        guard .now >= timeIsUpAt else { return fire(at: timeIsUpAt) }
        isTimeUp = true
        onTimeUp()
    }

    private func makeSource() -> any DispatchSourceTimer {
        let source = DispatchSource.makeTimerSource(queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.fired() }
        }
        source.activate()
        return source
    }
}
