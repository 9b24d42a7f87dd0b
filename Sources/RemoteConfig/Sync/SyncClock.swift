// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
package import Dispatch
internal import Essentials
package import Observing
internal import Synchronization

/// The clock of a service, which a test can advance.
package protocol SyncClock: Sendable {
    /// The time since some beginning; it never goes back.
    var elapsed: Duration { get }

    /// Calls back on the queue once the time has come, unless the subscription has ended.
    func call(at time: Duration, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) -> ObservationToken
}

/// The machine's clock, which continues while the machine sleeps.
///
/// No single clock does: the monotonic one stops while some virtual machines are suspended, and the calendar's may be set back.
/// So the elapsed time between two reads is that of the one or the other, whichever is more.
package final class SystemSyncClock: SyncClock {
    private struct Look {
        var steady = ContinuousClock.now
        var calendar = Timestamp.now.milliseconds
        var elapsed = Duration.zero
    }

    private let look = Mutex(Look())

    package init() {}

    package var elapsed: Duration {
        look.withLock { look in
            let next = Look()
            let steady = look.steady.duration(to: next.steady)
            let calendar = Duration.milliseconds(next.calendar - look.calendar)
            // The calendar is read in whole milliseconds and corrected by small steps all the time.
            let step = calendar > steady + .seconds(1) ? calendar : steady
            look = Look(steady: next.steady, calendar: next.calendar, elapsed: look.elapsed + max(step, .zero))
            return look.elapsed
        }
    }

    package func call(
        at time: Duration,
        on queue: DispatchQueue,
        _ body: @escaping @Sendable () -> Void
    ) -> ObservationToken {
        let (seconds, attoseconds) = max(time - elapsed, .zero).components
        let interval = DispatchTimeInterval.nanoseconds(
            Int(min(seconds, 86_400)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        )
        let timer = Timer(after: interval, on: queue, body)
        return ObservationToken { timer.cancel() }
    }

    /// Two timers, since only one by the calendar comes due at the end of a sleep, and only the other is steady.
    private final class Timer: Sendable {
        private let sources = Mutex<[any DispatchSourceTimer]>([])

        init(after interval: DispatchTimeInterval, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
            sources.withLock { sources in
                sources = [DispatchSource.makeTimerSource(queue: queue), DispatchSource.makeTimerSource(queue: queue)]
                for source in sources { source.setEventHandler(handler: body) }
                sources[0].schedule(deadline: .now() + interval)
                sources[1].schedule(wallDeadline: .now() + interval)
                for source in sources { source.activate() }
            }
        }

        func cancel() {
            sources.withLock { for source in $0 { source.cancel() } }
        }
    }
}

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
