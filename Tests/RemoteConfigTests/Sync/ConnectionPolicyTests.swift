// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import RemoteConfig

/// A program's settings, and their effective values.
struct SyncPaceTests {
    @Test(arguments: [Duration.seconds(Int64.min), .seconds(-1), .zero, .nanoseconds(1)])
    func shortIntervalsAreRaisedToTheMinimum(duration: Duration) {
        let policy = ConnectionPolicy(
            pollingInterval: duration,
            minimumFetchInterval: duration,
            heartbeatTimeout: duration,
            backoff: duration...duration
        )
        #expect(policy.pollingInterval == .seconds(1))
        #expect(policy.minimumFetchInterval == .seconds(1))
        #expect(policy.heartbeatTimeout == .seconds(15))
        #expect(policy.backoff == .milliseconds(50)...(.milliseconds(50)))
    }

    @Test func longIntervalsAreLoweredToTheMaximum() {
        let forever = Duration.seconds(Int64.max)
        let policy = ConnectionPolicy(
            pollingInterval: forever,
            minimumFetchInterval: forever,
            heartbeatTimeout: forever,
            backoff: forever...forever
        )
        #expect(policy.pollingInterval == .seconds(86_400))
        #expect(policy.minimumFetchInterval == .seconds(30 * 86_400))
        #expect(policy.heartbeatTimeout == .seconds(3600))
        #expect(policy.backoff == .seconds(60)...(.seconds(3600)))
    }

    /// A source may set "never" where the program sets nothing.
    @Test func intervalOfASourceIsAYearAtMost() throws {
        let (forever, year) = (Duration.seconds(Int64.max), Duration.seconds(365 * 86_400))
        let pauses = RetryDelays(policy: ConnectionPolicy()) { 1 }
        #expect(ReadTimer(every: forever, isOnly: true, pauses).interval == year)
        var play = ConnectionPlay(.polled(every: .seconds(30)), policy: ConnectionPolicy())
        play.happens(.started)
        play.happens(.readSucceeded(nextReadAfter: forever))
        #expect(try #require(play.connection.deadline) - play.now < year * 2)
        var later = ConfigError(.unavailable, "later")
        later.retryAfter = forever
        play.happens(.readFailed(later))
        #expect(try #require(play.connection.deadline) - play.now < year * 2)
    }

    @Test(arguments: [Duration.zero, .seconds(-9), .seconds(Int64.min)])
    func intervalIsNeverZero(interval: Duration) {
        var play = ConnectionPlay(.polled(every: interval))
        play.happens(.started)
        for stated in [nil, interval] {
            play.happens(.readSucceeded(nextReadAfter: stated))
            #expect(play.actions(within: .milliseconds(49)) == [])
            #expect(play.untilDeadline() == [.read])
        }
    }

    @Test func theBackoffThatIsSetCounts() throws {
        let policy = ConnectionPolicy(
            backoff: .seconds(1)...(.seconds(4)),
            backoffAfterRefusal: .seconds(10)...(.seconds(40))
        )
        for (code, longest) in [(ConfigError.Code.unreachable, [1.0, 2, 4, 4]), (.forbidden, [10, 20, 40, 40])] {
            var play = ConnectionPlay(policy: policy)
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
        var play = ConnectionPlay(policy: ConnectionPolicy(heartbeatTimeout: .seconds(60)))
        for input in [ConnectionSchedule.Input.started, .readSucceeded(), .streamOpened(1)] { play.happens(input) }
        #expect(play.connection.deadline == play.now + .seconds(60))
        #expect(play.untilDeadline() == [.closeStream(1)])
        #expect(play.connection.problem?.message == "no data from the server for 60 s")
    }
}
