public import ConfigModel
package import Dispatch
internal import Foundation
internal import Synchronization

extension Timestamp {
    /// The system clock's time.
    public static var now: Timestamp {
        Timestamp(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}

/// A clock that a service lives by, and that a test can move.
package protocol SyncClock: Sendable {
    /// The time since some beginning; it never goes back.
    var now: Duration { get }

    /// Calls back on the queue once the time has come.
    ///
    /// - Returns: what to cancel when the call is not wanted any more.
    func call(at time: Duration, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) -> any SyncTimer
}

/// A call that is due.
package protocol SyncTimer: Sendable {
    /// Prevents the call, unless it is under way.
    func cancel()
}

/// The machine's clock, which goes on while the machine sleeps.
///
/// No one clock does: the steady one stands still while some virtual machines are halted, and the calendar's may be
/// set back. So the time that has passed between two looks is what passed on the one or the other, whichever is more.
package final class SystemSyncClock: SyncClock {
    private struct Look {
        var steady = ContinuousClock.now
        var calendar = Timestamp.now.milliseconds
        var elapsed = Duration.zero
    }

    private let look = Mutex(Look())

    package init() {}

    package var now: Duration {
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
    ) -> any SyncTimer {
        let (seconds, attoseconds) = max(time - now, .zero).components
        let interval = DispatchTimeInterval.nanoseconds(
            Int(min(seconds, 86_400)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        )
        return Timer(after: interval, on: queue, body)
    }

    /// Two timers, since only one by the calendar comes due at the end of a sleep, and only the other is steady.
    private final class Timer: SyncTimer {
        private let sources = Mutex<[any DispatchSourceTimer]>([])

        init(after interval: DispatchTimeInterval, on queue: DispatchQueue, _ body: @escaping @Sendable () -> Void) {
            sources.withLock { sources in
                for isByCalendar in [false, true] {
                    let source = DispatchSource.makeTimerSource(queue: queue)
                    source.setEventHandler(handler: body)
                    if isByCalendar {
                        source.schedule(wallDeadline: .now() + interval)
                    } else {
                        source.schedule(deadline: .now() + interval)
                    }
                    source.activate()
                    sources.append(source)
                }
            }
        }

        func cancel() {
            sources.withLock { sources in
                for source in sources { source.cancel() }
                sources = []
            }
        }

        deinit { cancel() }
    }
}
