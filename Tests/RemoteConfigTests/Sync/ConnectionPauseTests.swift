// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import RemoteConfig

/// The pauses between attempts, and who may shorten or lengthen them.
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

    @Test(arguments: [
        (nil, pauses), (ConfigError.Code.badResponse, pauses), (.forbidden, pausesAfterRefusals),
        (.unauthorized, pausesAfterRefusals),
    ])
    func thePausesBeforeAStreamGrowToALimit(code: ConfigError.Code?, longest: [Double]) throws {
        var play = ConnectionPlay(jitter: 0.5)
        play.happens(.started)
        play.happens(.readSucceeded())
        for longest in longest {
            play.happens(.streamEnded(play.openNumber, code.map { ConfigError($0, "no") }))
            let pause = try #require(play.connection.streamPause(at: play.now))
            #expect(abs(pause / .seconds(1) - longest / 2) < 0.000_001)
            while !play.untilDeadline().contains(.openStream(play.openNumber)) { play.answerRead() }
            play.answerRead()
        }
    }

    @Test(arguments: [(59, 0.4), (60, 0.1), (3600, 0.1)])
    func aStableStreamForgivesFormerFailures(seconds: Int, pause: Double) throws {
        var play = ConnectionPlay.live()
        for number in 1...2 {
            play.happens(.streamEnded(number, nil))
            while !play.untilDeadline().contains(.openStream(number + 1)) {}
            play.happens(.streamOpened(number + 1))
        }
        for _ in 0..<seconds { play.happens(.streamAlive(3), after: .seconds(1)) }
        play.happens(.streamEnded(3, nil))
        #expect(try #require(play.connection.streamPause(at: play.now)) == .seconds(pause))
    }

    @Test func theServersWishToBeLeftAloneIsRespected() {
        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(120)
        var play = ConnectionPlay(hasStream: false)
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
        #expect(both.connection.wishToBeLeftAlone(at: both.now) == busy)
        #expect(both.connection.deadline == both.now + .seconds(135))
        #expect(both.happens(.timePassed, after: .seconds(135)) == [.read])
        #expect(both.connection.wishToBeLeftAlone(at: both.now) == nil)
    }

    @Test(arguments: [ConfigError.Code.unavailable, .rateLimited, .forbidden])
    func theStreamsWishToBeLeftAloneIsNoWishOfTheState(code: ConfigError.Code) {
        var busy = ConfigError(code, "too many streams")
        busy.retryAfter = .seconds(120)
        var play = ConnectionPlay.live()
        play.happens(.streamEnded(1, nil))
        play.untilDeadline()
        let end = play.now + .seconds(135)
        play.happens(.streamEnded(2, busy))
        #expect(play.connection.wishToBeLeftAlone(at: play.now) == nil)
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

    @Test(arguments: [(ConfigError.Code.unauthorized, 330), (.forbidden, 330), (.unavailable, 3630)])
    func aRefusalIsNotObeyedForLongerThanWithoutAWish(code: ConfigError.Code, seconds: Int) {
        var refusal = ConfigError(code, "no")
        refusal.retryAfter = .seconds(3600)
        var play = ConnectionPlay(hasStream: false, jitter: 1)
        play.happens(.started)
        play.happens(.readFailed(refusal))
        #expect(play.connection.deadline == play.now + .seconds(seconds))
    }

    @Test(arguments: [true, false]) func onlyASleepEndsAWishToBeLeftAlone(isSleep: Bool) {
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
        #expect((play.connection.wishToBeLeftAlone(at: play.now) == nil) == isSleep)
    }

    @Test(arguments: [(Duration.zero, 0.1), (.seconds(2), 2.1), (.seconds(3600), 30.1), (.seconds(-5), 0.1)])
    func aStreamMayAskForALongerPause(retry: Duration, expected: Double) throws {
        var play = ConnectionPlay.live()
        play.happens(.retryGiven(1, retry))
        play.happens(.retryGiven(7, .seconds(9)))
        play.happens(.streamEnded(1, nil))
        let pause = try #require(play.connection.streamPause(at: play.now))
        #expect(abs(pause / .seconds(1) - expected) < 0.000_001)
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

    @Test func whoeverAsksTooSoonWaitsForTheNextRead() {
        var play = ConnectionPlay(hasStream: false)
        #expect(play.happens(.asked) == [.read])
        play.happens(.readSucceeded(), after: .milliseconds(10))
        for _ in 0..<50 { #expect(play.happens(.asked) == []) }
        #expect(play.connection.isAsked)
        #expect(play.connection.deadline == .seconds(1))
        #expect(play.untilDeadline() == [.read])
        #expect(!play.connection.isAsked)
        play.happens(.readSucceeded(), after: .seconds(1))
        #expect(play.happens(.asked) == [.read])
    }

    @Test func afterTheEndNothingIsReadForThoseWhoAskedBefore() {
        var play = ConnectionPlay.live()
        play.happens(.asked)
        play.happens(.readSucceeded())
        #expect(play.happens(.asked) == [])
        #expect(play.connection.isAsked)
        #expect(play.happens(.stopped) == [.closeStream(1)])
        #expect(!play.connection.isAsked)
        #expect(play.connection.deadline == nil)
        #expect(play.happens(.asked, after: .seconds(2)) == [.read], "whoever asks now does not know of the end")
    }

    @Test func whatDoesNotFitIsReadOnceAtATime() {
        var play = ConnectionPlay.live()
        #expect(play.happens(.readNeeded) == [.read])
        #expect(play.happens(.readNeeded) == [])
        #expect(play.happens(.asked) == [], "it joins")
        #expect(play.happens(.readSucceeded()) == [], "what came in the meantime waits a moment")
        #expect(play.connection.deadline == play.now + .milliseconds(100))
        #expect(play.untilDeadline() == [.read])
        #expect(play.happens(.readSucceeded()) == [])
        #expect(play.connection.phase == .live)
    }

    @Test func aReadThatFailsOnALiveStreamIsTriedAgainWithPauses() {
        var play = ConnectionPlay.live()
        play.happens(.readNeeded)
        play.happens(.readFailed(ConfigError(.damaged, "wrong digest")))
        #expect(play.connection.phase == .error)
        #expect(play.happens(.readNeeded) == [], "not before its time")
        #expect(play.connection.deadline == play.now + .milliseconds(100))
        #expect(play.untilDeadline() == [.read])
        play.happens(.readSucceeded())
        #expect(play.connection.phase == .live)
    }
}
