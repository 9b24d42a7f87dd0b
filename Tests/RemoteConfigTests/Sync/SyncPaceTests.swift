// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import RemoteConfig

/// What a program may set, and what becomes of it.
struct SyncPaceTests {
    @Test(arguments: [Duration.seconds(Int64.min), .seconds(-1), .zero, .nanoseconds(1)])
    func whatIsTooShortCountsAsTheShortest(duration: Duration) {
        let backoff = SyncPace.Backoff(first: duration, longest: duration)
        let pace = SyncPace(
            pollingInterval: duration,
            minimumFetchInterval: duration,
            heartbeatTimeout: duration,
            backoff: backoff
        )
        #expect(pace.pollingInterval == .seconds(1))
        #expect(pace.minimumFetchInterval == .seconds(1))
        #expect(pace.heartbeatTimeout == .seconds(15))
        #expect((backoff.first, backoff.longest) == (.milliseconds(50), .milliseconds(50)))
    }

    @Test func whatIsTooLongCountsAsTheLongest() {
        let forever = Duration.seconds(Int64.max)
        let backoff = SyncPace.Backoff(first: forever, longest: forever)
        let pace = SyncPace(pollingInterval: forever, minimumFetchInterval: forever, heartbeatTimeout: forever)
        #expect(pace.pollingInterval == .seconds(86_400))
        #expect(pace.minimumFetchInterval == .seconds(30 * 86_400))
        #expect(pace.heartbeatTimeout == .seconds(3600))
        #expect((backoff.first, backoff.longest) == (.seconds(60), .seconds(3600)))
        #expect(SyncPace.Backoff(first: .seconds(9), longest: .seconds(3)).longest == .seconds(9))
    }

    /// A source may say "never", where a program says nothing.
    @Test func whatASourceWishesIsAYearAtMost() throws {
        let (forever, year) = (Duration.seconds(Int64.max), Duration.seconds(365 * 86_400))
        let schedule = ConnectionSchedule(hasStream: false, pollingInterval: forever, jitter: { 1 })
        #expect(schedule.pollingInterval == year)
        var play = ConnectionPlay(hasStream: false, pace: SyncPace())
        play.happens(.started)
        play.happens(.readSucceeded(nextReadAfter: forever))
        #expect(try #require(play.connection.deadline) - play.now < year * 2)
        var later = ConfigError(.unavailable, "later")
        later.retryAfter = forever
        play.happens(.readFailed(later))
        #expect(try #require(play.connection.deadline) - play.now < year * 2)
    }

    @Test(
        arguments: [
            (nil, nil, 33.0), (nil, 60, 66), (.seconds(100), nil, 110), (.seconds(100), 60, 110),
            (.seconds(10), 60, 66),
            (.seconds(10), nil, 11),
        ] as [(Duration?, Int?, Double)]
    )
    func aDocumentIsAskedForAsSeldomAsTheServerOrTheProgramWants(
        set: Duration?,
        fresh: Int?,
        expected: Double
    ) throws {
        var play = ConnectionPlay(hasStream: false, pace: SyncPace(pollingInterval: set))
        play.happens(.started)
        play.happens(.readSucceeded(nextReadAfter: fresh.map { .seconds($0) }))
        #expect(try #require(play.connection.deadline) - play.now == .seconds(expected))
        var faulty = ConfigError(.syntax, "no JSON")
        faulty.freshFor = fresh.map { .seconds($0) }
        play.untilDeadline()
        play.happens(.readFailed(faulty))
        #expect(try #require(play.connection.deadline) - play.now == .seconds(expected), "a bad one as well")
    }

    @Test(arguments: [Duration.zero, .seconds(-9), .seconds(Int64.min)])
    func aSourceThatWantsToBeAskedAllTheTimeIsNot(interval: Duration) {
        var play = ConnectionPlay(hasStream: false, pollingInterval: interval)
        play.happens(.started)
        for stated in [nil, interval] {
            play.happens(.readSucceeded(nextReadAfter: stated))
            #expect(play.actions(within: .milliseconds(49)) == [])
            #expect(play.untilDeadline() == [.read])
        }
    }

    @Test func theBackoffThatIsSetCounts() throws {
        let pace = SyncPace(
            backoff: SyncPace.Backoff(first: .seconds(1), longest: .seconds(4)),
            backoffAfterRefusal: SyncPace.Backoff(first: .seconds(10), longest: .seconds(40))
        )
        for (code, longest) in [(ConfigError.Code.unreachable, [1.0, 2, 4, 4]), (.forbidden, [10, 20, 40, 40])] {
            var play = ConnectionPlay(pace: pace)
            play.happens(.started)
            play.happens(.streamEnded(1, ConfigError(code, "no")))
            for longest in longest {
                play.happens(.readFailed(ConfigError(code, "no")))
                #expect(try #require(play.connection.nextAttempt) - play.now == .seconds(longest / 2))
                play.untilDeadline()
            }
        }
    }

    @Test func theHeartbeatTimeoutThatIsSetCounts() {
        var play = ConnectionPlay(pace: SyncPace(heartbeatTimeout: .seconds(60)))
        for input in [ConnectionSchedule.Input.started, .readSucceeded(), .streamOpened(1)] { play.happens(input) }
        #expect(play.connection.deadline == play.now + .seconds(60))
        #expect(play.untilDeadline() == [.closeStream(1)])
        #expect(play.connection.problem?.message == "the server has been silent for 60 s")
    }

    @Test func whatWasReadWithinTheMinimumIntervalIsNewEnough() {
        var play = ConnectionPlay(hasStream: false, pace: SyncPace(minimumFetchInterval: .seconds(3600)))
        #expect(!play.connection.isFresh(at: play.now))
        play.happens(.asked)
        play.happens(.readFailed(ConfigError(.unreachable, "gone")))
        #expect(!play.connection.isFresh(at: play.now), "a failure is no answer")
        play.happens(.asked, after: .seconds(1))
        play.happens(.readSucceeded())
        #expect(play.connection.isFresh(at: play.now + .seconds(3599)))
        #expect(!play.connection.isFresh(at: play.now + .seconds(3600)))
        #expect(!ConnectionPlay.live().connection.isFresh(at: .zero), "with the default whoever asks waits")
    }
}
