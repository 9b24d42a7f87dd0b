import ConfigModel
import SQLiteStore
import Synchronization
import TestSupport
import Testing

@testable import ConfigServer
@testable import ConfigStore

/// How writes are dated when the machine's clock is not to be believed.
@Suite(.timeLimit(.minutes(5)))
struct WriteClockTests {
    private static let start = Timestamp(milliseconds: 1_700_000_000_000)
    private static let century: Int64 = 100 * 365 * 86_400

    struct Step {
        /// Seconds by the clock that nobody sets.
        var elapsed: Int64
        /// How far the machine's clock is ahead of it, in seconds.
        var ahead: Int64
        /// How far the date is.
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
        // One that stays is believed.
        [
            Step(elapsed: 0, ahead: 0, dated: 0), Step(elapsed: 10, ahead: century, dated: 0),
            Step(elapsed: 610, ahead: century, dated: century), Step(elapsed: 620, ahead: century, dated: century),
        ],
        // A machine that has slept is believed at once.
        [Step(elapsed: 0, ahead: 0, dated: 0), Step(elapsed: 10, ahead: 80_000, dated: 80_000)],
        // So is one that is set back, and what brings it to where it was is no leap.
        [
            Step(elapsed: 0, ahead: 0, dated: 0), Step(elapsed: 10, ahead: -century, dated: -century),
            Step(elapsed: 20, ahead: 0, dated: 0),
        ],
    ])
    func `a leap far ahead is believed once it has stayed`(steps: [Step]) {
        var pace = WriteClock.Pace()
        for step in steps {
            let wall = Self.start.milliseconds + (step.elapsed + step.ahead) * 1000
            let date = pace.date(wall: Timestamp(milliseconds: wall), elapsed: .seconds(step.elapsed))
            #expect(date.milliseconds == Self.start.milliseconds + (step.elapsed + step.dated) * 1000, "\(step)")
        }
    }

    @Test(arguments: [Int64.max, 253_402_300_800_000, 253_370_764_800_001])
    func `no date has five digits of a year, at the start neither`(wall: Int64) {
        var pace = WriteClock.Pace()
        let date = pace.date(wall: Timestamp(milliseconds: wall), elapsed: .zero)
        #expect(date.description == "9999-01-01T00:00:00.000Z")
        let later = pace.date(wall: Timestamp(milliseconds: wall), elapsed: .seconds(40_000_000))
        #expect(later == date)
    }

    @Test func `a clock that is a century ahead for a moment dates no later write ahead`() async throws {
        let folder = try TemporaryDirectory()
        let ahead = Mutex(Int64(0))
        let clock = WriteClock(
            wall: { Timestamp(milliseconds: Self.start.milliseconds + ahead.withLock { $0 } * 1000) },
            elapsed: { .zero }
        )
        var options = SQLiteStore.Options()
        options.now = clock.now
        let store = SQLiteStore(path: folder.path(to: "livery.sqlite"), options: options)
        _ = try await store.load()
        for (number, leap) in [0, Self.century, 0].enumerated() {
            ahead.withLock { $0 = leap }
            let publish = Publish(namespace: "default", change: .edit(["a": .integer(number)]))
            let commit = try await store.commit([publish]).first?.commit
            #expect(commit?.updatedAt.milliseconds == Self.start.milliseconds + Int64(number))
        }
    }

    @Test func `the first write is dated by where the clock was at the start`() {
        let ahead = Mutex(Int64(0))
        let clock = WriteClock(
            wall: { Timestamp(milliseconds: Self.start.milliseconds + ahead.withLock { $0 } * 1000) },
            elapsed: { .zero }
        )
        ahead.withLock { $0 = Self.century }
        #expect(clock.now() == Self.start)
    }

    /// As on a machine that has no clock of its own and learns the time after the server's start.
    @Test func `a clock that was set right long before the first write dates it`() async throws {
        let folder = try TemporaryDirectory()
        let time = Mutex((elapsed: Duration.zero, ahead: Int64(0)))
        let clock = WriteClock(
            wall: { Timestamp(milliseconds: Self.start.milliseconds + time.withLock { $0.ahead } * 1000) },
            elapsed: { time.withLock { $0.elapsed } }
        )
        var options = SQLiteStore.Options()
        options.now = clock.now
        let store = SQLiteStore(path: folder.path(to: "livery.sqlite"), options: options)
        _ = try await store.load()
        for seconds in stride(from: Int64(20), through: 10_800, by: 60) {
            time.withLock { $0 = (.seconds(seconds), Self.century) }
            #expect(await store.problem() == nil)
        }
        let publish = Publish(namespace: "default", change: .edit(["a": .integer(1)]))
        let commit = try await store.commit([publish]).first?.commit
        #expect(commit?.updatedAt.milliseconds == Self.start.milliseconds + Self.century * 1000)
    }

    @Test func `the operator is told once when dates leave the clock, and once when they are with it again`() {
        var watch = DateWatch()
        let clock = Self.start
        #expect(watch.message(for: clock, clock: clock) == nil)
        let far = Timestamp(milliseconds: clock.milliseconds + 120_000)
        #expect(watch.message(for: far, clock: clock)?.contains("ahead of this machine's clock") == true)
        #expect(watch.message(for: far, clock: clock) == nil)
        #expect(watch.message(for: clock, clock: far)?.contains("has leapt ahead") == true)
        #expect(watch.message(for: far, clock: far)?.contains("again") == true)
        #expect(watch.message(for: far, clock: far) == nil)
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max / 1000), .seconds(Int64(Int32.max) * 86_400)])
    func `history that is kept for ever is no overflow`(age: Duration) async throws {
        #expect(Self.start.earlier(by: age) < Timestamp(milliseconds: -1_000_000_000_000))
        let folder = try TemporaryDirectory()
        var options = SQLiteStore.Options()
        (options.history.age, options.history.revisions) = (age, 0)
        let store = SQLiteStore(path: folder.path(to: "livery.sqlite"), options: options)
        _ = try await store.load()
        for number in 1...3 {
            let publish = Publish(namespace: "default", change: .edit(["a": .integer(number)]))
            #expect(try await store.commit([publish]).first?.commit != nil)
        }
        #expect(try await store.history(of: "default", key: nil, before: nil, limit: 9).count == 3)
    }
}
