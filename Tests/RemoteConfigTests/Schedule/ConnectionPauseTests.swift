// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import RemoteConfig

/// The pauses between attempts, and what shortens or lengthens them.
struct ConnectionPauseTests {
    private static let unreachable = ConfigError(.unreachable, "nobody answers")

    /// In seconds.
    private static let pauses = [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30, 30]
    private static let pausesAfterRefusals = [2.0, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]

    @Test(arguments: [
        (ConfigError.Code.unreachable, pauses), (.unavailable, pauses), (.damaged, pauses),
        (.unauthorized, pausesAfterRefusals), (.forbidden, pausesAfterRefusals),
    ])
    func thePausesBetweenReadsGrowToALimit(code: ConfigError.Code, longest: [Double]) throws {
        for jitter in [0.001, 0.25, 0.999] {
            var play = ConnectionPlay(jitter: jitter)
            play.happens(.started)
            play.happens(.streamEnded(1, ConfigError(code, "no")))
            for longest in longest {
                play.happens(.readFailed(ConfigError(code, "no")))
                let pause = try #require(play.connection.nextAttempt) - play.now
                #expect(abs(pause / .seconds(1) - longest * jitter) < 0.000_001)
                #expect(play.untilDeadline() == [.read], "and the stream is not tried beside it")
            }
        }
    }

    @Test func retryAfterOfTheServerIsRespected() {
        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(120)
        var play = ConnectionPlay(.polled(every: .seconds(30)))
        play.happens(.started)
        play.happens(.readFailed(busy))
        #expect(play.connection.deadline == play.now + .seconds(135), "and some chance")
        #expect(play.happens(.timePassed, after: .seconds(134)) == [])
        #expect(play.happens(.timePassed, after: .seconds(1)) == [.read])

        var both = ConnectionPlay()
        both.happens(.started)
        both.happens(.streamEnded(1, nil))
        both.happens(.readFailed(busy))
        #expect(both.connection.deadline == both.now + .seconds(135), "the stream waits as well")
        #expect(both.happens(.asked) == [], "and whoever asks")
        #expect(both.connection.retryAfterError(at: both.now) == busy)
        #expect(both.connection.deadline == both.now + .seconds(135))
        #expect(both.happens(.timePassed, after: .seconds(135)) == [.read])
        #expect(both.connection.retryAfterError(at: both.now) == nil)
    }

    @Test(arguments: [ConfigError.Code.unavailable, .rateLimited, .forbidden])
    func retryAfterOfTheStreamIsItsOwn(code: ConfigError.Code) {
        var busy = ConfigError(code, "too many streams")
        busy.retryAfter = .seconds(120)
        var play = ConnectionPlay.live()
        play.happens(.streamEnded(1, nil))
        play.untilDeadline()
        let end = play.now + .seconds(135)
        play.happens(.streamEnded(2, busy))
        #expect(play.connection.retryAfterError(at: play.now) == nil)
        #expect(play.happens(.asked) == [.read])
        play.happens(.readSucceeded())
        var reads = 0
        while let deadline = play.connection.deadline, deadline < end {
            #expect(play.untilDeadline() == [.read])
            play.happens(.readSucceeded())
            reads += 1
        }
        #expect(reads == 4, "every 33 s with this jitter")
        #expect(play.untilDeadline() == [.openStream(3)])
        #expect(play.now == end)
    }

    @Test(arguments: [true, false]) func onlyASleepEndsARetryAfter(isSleep: Bool) {
        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(600)
        var play = ConnectionPlay.live()
        play.happens(.readNeeded)
        play.happens(.readFailed(busy))
        if isSleep {
            #expect(play.happens(.timePassed, after: .seconds(100)) == [.closeStream(1), .read, .openStream(2)])
        } else {
            #expect(play.happens(.wentOffline) == [.closeStream(1)])
            #expect(play.happens(.cameOnline, after: .seconds(1)) == [])
        }
        #expect((play.connection.retryAfterError(at: play.now) == nil) == isSleep)
    }

    @Test func askingResetsTheBackoff() throws {
        var play = ConnectionPlay()
        play.happens(.started)
        play.happens(.streamEnded(1, Self.unreachable))
        for _ in 0..<10 {
            play.happens(.readFailed(Self.unreachable))
            #expect(play.untilDeadline() == [.read])
        }
        play.happens(.readFailed(Self.unreachable))
        #expect(play.happens(.asked) == [.read])
        play.happens(.readFailed(Self.unreachable))
        #expect(try #require(play.connection.nextAttempt) == play.now + .milliseconds(100))
    }

    @Test func earlyRefreshWaitsForTheNextRead() {
        var play = ConnectionPlay(.polled(every: .seconds(30)))
        #expect(play.happens(.asked) == [.read])
        play.happens(.readSucceeded(), after: .milliseconds(10))
        for _ in 0..<50 { #expect(play.happens(.asked) == []) }
        #expect(play.connection.reads.isRequested)
        #expect(play.connection.deadline == .seconds(1))
        #expect(play.untilDeadline() == [.read])
        #expect(!play.connection.reads.isRequested)
        play.happens(.readSucceeded(), after: .seconds(1))
        #expect(play.happens(.asked) == [.read])
    }

    @Test func pendingRefreshesAreNotReadAfterTheEnd() {
        var play = ConnectionPlay.live()
        play.happens(.asked)
        play.happens(.readSucceeded())
        #expect(play.happens(.asked) == [])
        #expect(play.connection.reads.isRequested)
        #expect(play.happens(.stopped) == [.closeStream(1)])
        #expect(!play.connection.reads.isRequested)
        #expect(play.connection.deadline == nil)
        #expect(play.happens(.asked, after: .seconds(2)) == [.read], "whoever asks now does not know of the end")
    }

    @Test func missingStatesAreReadOneAtATime() {
        var play = ConnectionPlay.live()
        #expect(play.happens(.readNeeded) == [.read])
        #expect(play.happens(.readNeeded) == [])
        #expect(play.happens(.asked) == [], "it joins")
        #expect(play.happens(.readSucceeded()) == [], "what came in the meantime waits a moment")
        #expect(play.connection.deadline == play.now + .milliseconds(100))
        #expect(play.untilDeadline() == [.read])
        #expect(play.happens(.readSucceeded()) == [])
        #expect(play.connection.phase == .streaming)
    }

    @Test func aReadThatFailsOnALiveStreamIsTriedAgainWithPauses() {
        var play = ConnectionPlay.live()
        play.happens(.readNeeded)
        play.happens(.readFailed(ConfigError(.damaged, "wrong digest")))
        #expect(play.connection.phase == .polling && play.connection.hasFailed)
        #expect(play.happens(.readNeeded) == [], "not before its time")
        #expect(play.connection.deadline == play.now + .milliseconds(100))
        #expect(play.untilDeadline() == [.read])
        play.happens(.readSucceeded())
        #expect(play.connection.phase == .streaming && !play.connection.hasFailed)
    }
}
