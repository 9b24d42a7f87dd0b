// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Synchronization
import Testing

@testable import ConfigStore

/// The dates of writes if the machine's clock is unreliable.
@Suite(.timeLimit(.minutes(5)))
struct WriteClockTests {
    private static let start = Timestamp(milliseconds: 1_700_000_000_000)
    private static let century: Int64 = 100 * 365 * 86_400

    struct Step {
        /// The seconds of the monotonic clock.
        var elapsed: Int64
        /// The seconds by which the machine's clock is ahead.
        var ahead: Int64
        /// The seconds of the date.
        var dated: Int64
    }

    @Test(arguments: [
        [Step(elapsed: 0, ahead: 0, dated: 0), Step(elapsed: 10, ahead: 0, dated: 0)],
        // A leap that is set right dates nothing.
        [
            Step(elapsed: 0, ahead: 0, dated: 0), Step(elapsed: 10, ahead: century, dated: 0),
            Step(elapsed: 500, ahead: century, dated: 0), Step(elapsed: 520, ahead: 0, dated: 0),
            Step(elapsed: 2000, ahead: century, dated: 0),
        ],
        // One that stays is accepted.
        [
            Step(elapsed: 0, ahead: 0, dated: 0), Step(elapsed: 10, ahead: century, dated: 0),
            Step(elapsed: 610, ahead: century, dated: century), Step(elapsed: 620, ahead: century, dated: century),
        ],
        // The time after a sleep of the machine is accepted at once.
        [Step(elapsed: 0, ahead: 0, dated: 0), Step(elapsed: 10, ahead: 80_000, dated: 80_000)],
        // So is one that is set back; its return to the former time is not a leap.
        [
            Step(elapsed: 0, ahead: 0, dated: 0), Step(elapsed: 10, ahead: -century, dated: -century),
            Step(elapsed: 20, ahead: 0, dated: 0),
        ],
    ])
    func aClockLeapIsAcceptedOnceItLasts(steps: [Step]) {
        var pace = WriteClock.Pace()
        for step in steps {
            let wall = Self.start.milliseconds + (step.elapsed + step.ahead) * 1000
            let date = pace.date(wall: Timestamp(milliseconds: wall), elapsed: .seconds(step.elapsed))
            #expect(date.milliseconds == Self.start.milliseconds + (step.elapsed + step.dated) * 1000, "\(step)")
        }
    }

    @Test(arguments: [Int64.max, 253_402_300_800_000, 253_370_764_800_001])
    func noDateIsBeyondTheYear9999(wall: Int64) {
        var pace = WriteClock.Pace()
        let date = pace.date(wall: Timestamp(milliseconds: wall), elapsed: .zero)
        #expect(date.description == "9999-01-01T00:00:00.000Z")
        let later = pace.date(wall: Timestamp(milliseconds: wall), elapsed: .seconds(40_000_000))
        #expect(later == date)
    }

    @Test func theFirstWriteIsDatedByTheClockAtTheStart() {
        let ahead = Mutex(Int64(0))
        let clock = WriteClock(
            wall: { Timestamp(milliseconds: Self.start.milliseconds + ahead.withLock { $0 } * 1000) },
            elapsed: { .zero }
        )
        ahead.withLock { $0 = Self.century }
        #expect(clock.now() == Self.start)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 1000), .seconds(Int64(Int32.max) * 86_400)])
    func aNegativeDurationDoesNotOverflow(age: Duration) {
        #expect(Self.start.earlier(by: age) < Timestamp(milliseconds: -1_000_000_000_000))
    }

    @Test(arguments: [Int64.min, Int64.max])
    func anyWallClockIsAccepted(milliseconds: Int64) {
        var pace = WriteClock.Pace()
        for seconds in [Int64(0), 1, Int64.max / 1000, Int64.max] {
            let wall = Timestamp(milliseconds: seconds.isMultiple(of: 2) ? milliseconds : 0)
            #expect(pace.date(wall: wall, elapsed: .seconds(seconds)) <= WriteClock.end)
        }
    }
}
