// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Testing

@testable import RemoteConfig

/// The schedule of reads and streams, without a clock, a network or randomness.
struct ConnectionScheduleTests {
    private static let unreachable = ConfigError(.unreachable, "nobody answers")
    private static let nonsense = ConfigError(.badResponse, "a page")

    @Test func nothingHappensBeforeTheStart() {
        var play = ConnectionPlay()
        #expect(play.connection.deadline == nil)
        #expect(play.connection.phase == .starting)
        #expect(play.happens(.timePassed, after: .seconds(1000)) == [])
        #expect(play.happens(.asked) == [.read])
        #expect(play.happens(.readFailed(Self.unreachable)) == [])
        #expect(play.connection.phase == .offline)
        #expect(play.connection.deadline == nil, "nobody follows the source")
    }

    @Test func theStreamFollowsTheFirstRead() {
        var play = ConnectionPlay()
        #expect(play.happens(.started) == [.read])
        #expect(play.connection.phase == .starting)
        #expect(play.happens(.readSucceeded()) == [.openStream(1)], "on the same connection")
        #expect(play.happens(.streamOpened(1)) == [])
        #expect(play.connection.phase == .streaming)
        #expect(play.connection.problem == nil)
    }

    @Test func aLiveStreamIsNotPolled() {
        var play = ConnectionPlay.live()
        for _ in 0..<100 { #expect(play.happens(.streamAlive(1), after: .seconds(10)) == []) }
        #expect(play.connection.deadline == play.now + .seconds(25))
        #expect(play.connection.phase == .streaming)
    }

    @Test func anotherContextIsReadAtOnce() {
        var play = ConnectionPlay.live()
        #expect(play.happens(.contextChanged()) == [.closeStream(1), .read, .openStream(2)])
        #expect(play.connection.phase == .starting, "nothing was read in it")
        play.happens(.readFailed(Self.unreachable))
        #expect(
            play.happens(.contextChanged()) == [.closeStream(2), .read, .openStream(3)],
            "no failure counts in the next"
        )
        #expect(play.happens(.contextChanged()) == [.closeStream(3), .openStream(4)], "a read is in flight")
        play.happens(.readSucceeded())
        play.happens(.wentOffline)
        #expect(play.happens(.contextChanged()) == [])
        #expect(play.happens(.cameOnline) == [.read, .openStream(5)])
        var error = Self.unreachable
        error.retryAfter = .seconds(60)
        play.happens(.readFailed(error))
        #expect(!play.happens(.contextChanged()).contains(.read), "the source asks to be left alone")
        #expect(play.connection.phase == .offline && play.connection.problem == error)
    }

    @Test func whatHasEndedIsReadOnRequestAlone() {
        let ended = ConfigError(.ended, "the draft was applied")
        var play = ConnectionPlay.live()
        play.happens(.streamEnded(1, nil))
        #expect(play.untilDeadline() == [.openStream(2)])
        play.happens(.streamEnded(2, ended))
        #expect(play.untilDeadline() == [.read])
        play.happens(.readFailed(ended))
        #expect(play.connection.deadline == nil)
        #expect(play.connection.phase == .offline && play.connection.problem == ended)
        #expect(play.happens(.asked, after: .seconds(2)) == [.read])
    }

    @Test func aSourceWithoutAStreamIsPolled() {
        var play = ConnectionPlay(.polled(every: .seconds(30)))
        #expect(play.happens(.started) == [.read])
        #expect(play.happens(.readSucceeded(), after: .seconds(1)) == [])
        #expect(play.connection.phase == .polling)
        #expect(play.connection.deadline == play.now + .seconds(33), "30 s and, with this jitter, a tenth")
        #expect(play.untilDeadline() == [.read])
        #expect(play.happens(.readSucceeded(nextReadAfter: .seconds(10))) == [])
        #expect(play.connection.deadline == play.now + .seconds(11))
    }

    @Test func aSilentStreamIsReplaced() {
        var play = ConnectionPlay.live()
        #expect(play.happens(.timePassed, after: .milliseconds(24_999)) == [])
        #expect(play.connection.phase == .streaming)
        #expect(play.happens(.timePassed, after: .milliseconds(1)) == [.closeStream(1)])
        #expect(play.connection.streamPause(at: play.now) == .milliseconds(100), "the next one resumes at once")
        #expect(play.connection.phase == .offline)
        #expect(play.connection.problem?.message == "no data from the server for 25 s")
        #expect(play.happens(.streamEnded(1, nil)) == [], "it is closed already")
    }

    @Test func silenceDuringAReadReplacesNoStream() {
        var play = ConnectionPlay.live()
        #expect(play.happens(.readNeeded) == [.read])
        #expect(play.happens(.timePassed, after: .seconds(4)) == [])
        #expect(play.actions(within: .seconds(600)) == [])
        #expect(play.now > .seconds(500), "it has looked at its clock now and then")
        #expect(play.connection.phase == .streaming)
        play.happens(.readSucceeded(), after: .seconds(4))
        #expect(play.connection.deadline == play.now + .seconds(25))
        #expect(play.connection.phase == .streaming)
    }

    @Test func aLostStreamIsReplacedByPolling() {
        var play = ConnectionPlay.live()
        #expect(play.happens(.streamEnded(1, nil)) == [])
        #expect(play.untilDeadline() == [.openStream(2)])
        // The server is there, but gives no stream.
        #expect(play.happens(.streamEnded(2, Self.nonsense)) == [])
        #expect(play.connection.phase == .polling)
        #expect(play.connection.problem == Self.nonsense)
        let start = play.now
        var readAt: [Duration] = []
        while play.now < start + .seconds(100) {
            for action in play.untilDeadline() {
                switch action {
                case .read:
                    readAt.append(play.now - start)
                    play.happens(.readSucceeded())
                case .openStream(let number): play.happens(.streamEnded(number, Self.nonsense))
                case .closeStream: Issue.record("there is none")
                }
            }
        }
        let expected: [Duration] = [.milliseconds(14_900), .milliseconds(47_900), .milliseconds(80_900)]
        #expect(Array(readAt.prefix(3)) == expected, "the first within 30 s of the loss")
    }

    @Test func unreachableServerIsOffline() {
        var play = ConnectionPlay.live()
        play.happens(.streamEnded(1, Self.unreachable))
        #expect(play.connection.phase == .streaming, "nobody has tried yet")
        #expect(play.untilDeadline() == [.openStream(2)])
        play.happens(.streamEnded(2, Self.unreachable))
        #expect(play.connection.phase == .offline)
        #expect(play.connection.problem == Self.unreachable)
        #expect(play.connection.nextAttempt == play.now + .milliseconds(200))
        #expect(play.untilDeadline() == [.read], "one attempt at a time")
        play.happens(.readFailed(Self.unreachable))
        #expect(play.connection.phase == .offline)
        #expect(play.untilDeadline() == [.read])
        #expect(play.happens(.readSucceeded()) == [.openStream(3)])
        #expect(play.connection.phase == .polling)
        play.happens(.streamOpened(3))
        #expect(play.connection.phase == .streaming)
        #expect(play.connection.nextAttempt == nil)
    }

    @Test func quicklyReplacedStreamStaysLive() {
        var play = ConnectionPlay.live()
        play.happens(.streamEnded(1, Self.unreachable))
        #expect(play.untilDeadline() == [.openStream(2)])
        #expect(play.connection.phase == .streaming)
        #expect(play.connection.problem == nil && play.connection.nextAttempt == nil)
        play.happens(.streamOpened(2), after: .milliseconds(1399))
        #expect(play.connection.phase == .streaming && play.connection.stream.liveUntil == nil)
    }

    /// The server requests a longer pause, the new connection hangs, or a read does.
    @Test(arguments: [(Duration.seconds(10), false), (.zero, false), (.zero, true)])
    func unansweredLossIsOfflineWithinTwoSeconds(pause: Duration, isReading: Bool) {
        var play = ConnectionPlay.live()
        play.happens(.retryGiven(1, pause))
        if isReading { play.happens(.readNeeded) }
        play.happens(.streamEnded(1, nil))
        while play.connection.phase == .streaming, play.now < .seconds(2) {
            play.untilDeadline()
            if isReading { play.happens(.streamEnded(play.openNumber, Self.unreachable)) }
        }
        #expect(play.connection.phase == .offline && play.now == .milliseconds(1500))
        #expect(play.connection.problem?.code == .unreachable && play.connection.hasFailed)
    }

    @Test func lostStreamIsPollingOnceAReadSucceeds() {
        var play = ConnectionPlay.live()
        play.happens(.retryGiven(1, .seconds(10)))
        play.happens(.streamEnded(1, nil))
        #expect(play.untilDeadline() == [.read])
        #expect(play.happens(.readSucceeded()) == [], "the server asked for a longer pause of the stream")
        #expect(play.connection.phase == .streaming)
        #expect(play.untilDeadline() == [] && play.now == .milliseconds(1500))
        #expect(play.connection.phase == .polling && play.connection.problem == nil)
    }

    @Test(arguments: [
        (ConfigError.Code.unreachable, SourceStatus.Phase.offline), (.unavailable, .offline), (.rateLimited, .offline),
        (.notFound, .offline), (.badResponse, .polling), (.syntax, .polling), (.damaged, .polling),
        (.tooLarge, .polling), (.unauthorized, .polling), (.forbidden, .polling), (.insecure, .polling),
    ])
    func failureHasItsPhase(code: ConfigError.Code, phase: SourceStatus.Phase) {
        var play = ConnectionPlay(.polled(every: .seconds(30)))
        play.happens(.started)
        play.happens(.readFailed(ConfigError(code, "wrong")))
        #expect(play.connection.phase == phase && play.connection.hasFailed)
        #expect(play.connection.problem?.code == code)
    }

    @Test func afterASleepItLooksAtOnce() {
        var live = ConnectionPlay.live()
        #expect(live.happens(.timePassed, after: .seconds(600)) == [.closeStream(1), .read, .openStream(2)])

        var offline = ConnectionPlay(jitter: 0.999)
        offline.happens(.started)
        offline.happens(.readFailed(Self.unreachable))
        for _ in 0..<20 {
            let actions = offline.untilDeadline()
            if actions.contains(.read) { offline.happens(.readFailed(Self.unreachable)) }
            offline.happens(.streamEnded(offline.openNumber, Self.unreachable))
        }
        let number = offline.openNumber
        #expect(offline.happens(.timePassed, after: .seconds(600)) == [.read, .openStream(number)])
        offline.happens(.streamEnded(number, Self.unreachable))
        offline.happens(.readFailed(Self.unreachable))
        #expect((offline.connection.nextAttempt ?? .zero) - offline.now < .milliseconds(200), "it begins anew")

        var polling = ConnectionPlay(.polled(every: .seconds(30)))
        polling.happens(.started)
        polling.happens(.readSucceeded(nextReadAfter: .seconds(60)))
        #expect(polling.happens(.timePassed, after: .seconds(600)) == [.read])

        // The read before the sleep is not news, and the stream has not survived.
        var reading = ConnectionPlay.live()
        #expect(reading.happens(.readNeeded) == [.read])
        #expect(reading.happens(.readSucceeded(), after: .seconds(600)) == [.closeStream(1), .read, .openStream(2)])
    }

    @Test func anotherNetworkIsTriedAtOnceButNotAgainAndAgain() {
        var play = ConnectionPlay.live()
        #expect(play.happens(.networkChanged) == [.closeStream(1), .read])
        #expect(play.happens(.networkChanged) == [])
        #expect(play.happens(.readSucceeded()) == [.openStream(2)])
        #expect(play.happens(.networkChanged) == [.closeStream(2)])
        #expect(play.untilDeadline() == [.read] && play.now == .seconds(1))

        var error = ConfigError(.unavailable, "busy")
        error.retryAfter = .seconds(100)
        play.happens(.readFailed(error))
        #expect(play.happens(.networkChanged) == [])
        #expect(play.connection.deadline.map { $0 >= .seconds(101) } == true)
    }

    @Test func earlyReadIsNotRepeatedAtTheStart() {
        var good = ConnectionPlay()
        #expect(good.happens(.asked) == [.read])
        good.happens(.readSucceeded())
        #expect(good.happens(.started) == [.openStream(1)])
        #expect(good.connection.phase == .polling)

        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(20)
        var bad = ConnectionPlay()
        bad.happens(.asked)
        bad.happens(.readFailed(busy))
        #expect(bad.happens(.started) == [])
        #expect(bad.connection.deadline == bad.now + .seconds(25))
    }

    @Test func endIsShownUntilTheNextStart() {
        var play = ConnectionPlay.live()
        #expect(play.happens(.stopped) == [.closeStream(1)])
        #expect(play.connection.phase == .stopped)
        #expect(play.connection.deadline == nil)
        #expect(play.happens(.started) == [.openStream(2)])
        #expect(play.connection.phase == .polling, "the state outlasts the end")
    }
}
