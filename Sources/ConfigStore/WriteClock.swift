// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Foundation
internal import Synchronization

/// The clock that dates writes: the machine's, except that a leap far ahead is not accepted at once.
///
/// Dates rise from write to write, so a single one far ahead would pull all later ones along for good. A leap of more than
/// ``tolerance`` that is corrected within ``patience`` therefore dates nothing; one that stays is accepted then. No date
/// is beyond the beginning of the year 9999, so that dates can rise from there and keep four digits of a year.
public final class WriteClock: Sendable {
    private let pace: Mutex<Pace>
    private let wall: @Sendable () -> Timestamp
    private let elapsed: @Sendable () -> Duration

    /// Creates a clock that begins at the machine's present time.
    public convenience init() {
        let start = ContinuousClock.now
        self.init(wall: { .ofClock() }, elapsed: { .now - start })
    }

    /// - Parameters:
    ///   - wall: the machine's clock.
    ///   - elapsed: the time since some moment, by a monotonic clock.
    init(wall: @escaping @Sendable () -> Timestamp, elapsed: @escaping @Sendable () -> Duration) {
        (self.wall, self.elapsed) = (wall, elapsed)
        pace = Mutex(Pace())
        _ = now()
    }

    /// The date of a write that is made now, unless the last one is later.
    public func now() -> Timestamp {
        let (wall, elapsed) = (wall(), elapsed())
        return pace.withLock { $0.date(wall: wall, elapsed: elapsed) }
    }

    /// The duration after which a leap ahead is accepted.
    public static let patience = Duration.seconds(600)
    /// The longest leap ahead that is accepted at once: machines sleep, and the monotonic clock may sleep with them.
    public static let tolerance = Duration.seconds(86_400)
    /// The first moment of the year 9999.
    static let end = Timestamp(milliseconds: 253_370_764_800_000)

    /// The progress of the two clocks, which determines the time to accept.
    struct Pace: Sendable {
        /// The last moment that was accepted.
        private var anchor: (wall: Timestamp, elapsed: Duration)?
        /// The time at which a leap was first seen.
        private var leap: Duration?

        mutating func date(wall: Timestamp, elapsed: Duration) -> Timestamp {
            let wall = min(wall, WriteClock.end)
            guard let anchor else { return reanchor(wall, elapsed) }
            let passed = (elapsed - anchor.elapsed) / .milliseconds(1)
            let expected = anchor.wall.later(by: Int64(exactly: passed.rounded(.towardZero)) ?? .max)
            let ahead = Duration.milliseconds(wall.milliseconds) - .milliseconds(expected.milliseconds)
            if ahead < .zero {
                // Set back, perhaps for a while only: the way back to where it was is not a leap.
                leap = nil
                return wall
            }
            guard ahead > WriteClock.tolerance else { return reanchor(wall, elapsed) }
            let first = leap ?? elapsed
            leap = first
            if elapsed - first >= WriteClock.patience { return reanchor(wall, elapsed) }
            return min(expected, WriteClock.end)
        }

        private mutating func reanchor(_ wall: Timestamp, _ elapsed: Duration) -> Timestamp {
            (anchor, leap) = ((wall, elapsed), nil)
            return wall
        }
    }
}

extension Timestamp {
    /// The time of the system's clock.
    public static func ofClock() -> Timestamp {
        let milliseconds = (Date().timeIntervalSince1970 * 1000).rounded(.down)
        return Timestamp(milliseconds: Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max))
    }

    /// The time a number of milliseconds after this one, or the last that can be represented.
    package func later(by count: Int64) -> Timestamp {
        let (moment, isTooLate) = milliseconds.addingReportingOverflow(count)
        return Timestamp(milliseconds: isTooLate ? .max : moment)
    }

    /// The moment a duration before this one, or the earliest that can be represented.
    package func earlier(by duration: Duration) -> Timestamp {
        let (age, isTooLong) = duration.components.seconds.multipliedReportingOverflow(by: 1000)
        let (moment, isTooEarly) = milliseconds.subtractingReportingOverflow(age)
        return Timestamp(milliseconds: isTooLong || isTooEarly ? .min : moment)
    }
}
