import ConfigModel
import TestSupport
import Testing

@testable import RemoteConfig

/// The rules of reconnecting and polling, played without a clock, a network or chance.
struct ConnectionTests {
    /// A connection and the time it lives in.
    struct Play {
        var connection: ConnectionSchedule
        var now = Duration.zero

        init(hasStream: Bool = true, jitter: Double = 0.5) {
            connection = ConnectionSchedule(hasStream: hasStream) { jitter }
        }

        mutating func happens(_ input: ConnectionSchedule.Input, after pause: Duration = .zero) -> [ConnectionSchedule
            .Action]
        {
            now += pause
            return connection.handle(input, at: now)
        }

        /// Lets the time pass until something is due.
        mutating func untilDeadline() -> [ConnectionSchedule.Action] {
            guard let deadline = connection.deadline else { return [] }
            now = max(now, deadline)
            return connection.handle(.timePassed, at: now)
        }

        /// A stream that is up, and a state that has been read.
        static func live(jitter: Double = 0.5) -> Play {
            var play = Play(jitter: jitter)
            _ = play.happens(.started)
            _ = play.happens(.readSucceeded(nextReadAfter: nil))
            _ = play.happens(.streamOpened(1))
            return play
        }
    }

    static let unreachable = ConfigError(.unreachable, "nobody answers")
    static let nonsense = ConfigError(.badResponse, "a page")

    @Test func nothingHappensBeforeTheStart() {
        var play = Play()
        #expect(play.connection.deadline == nil)
        #expect(play.connection.phase == .starting)
        #expect(play.happens(.timePassed, after: .seconds(1000)) == [])
        #expect(play.happens(.asked) == [.read])
        #expect(play.happens(.readFailed(Self.unreachable)) == [])
        #expect(play.connection.phase == .offline)
        #expect(play.connection.deadline == nil, "nobody follows the source")
    }

    @Test func theStartReadsAndOpensTheStream() {
        var play = Play()
        #expect(play.happens(.started) == [.read, .openStream(1)])
        #expect(play.connection.phase == .starting)
        #expect(play.happens(.streamOpened(1)) == [])
        #expect(play.connection.phase == .starting, "no state has come yet")
        #expect(play.happens(.readSucceeded(nextReadAfter: nil)) == [])
        #expect(play.connection.phase == .live)
        #expect(play.connection.problem == nil)
    }

    @Test func aLiveStreamIsNotPolled() {
        var play = Play.live()
        for _ in 0..<100 { #expect(play.happens(.streamAlive(1), after: .seconds(10)) == []) }
        #expect(play.connection.deadline == play.now + .seconds(25))
        #expect(play.connection.phase == .live)
    }

    @Test func aSourceWithoutAStreamIsPolled() {
        var play = Play(hasStream: false)
        #expect(play.happens(.started) == [.read])
        #expect(play.happens(.readSucceeded(nextReadAfter: nil), after: .seconds(1)) == [])
        #expect(play.connection.phase == .polling)
        #expect(play.connection.deadline == play.now + .seconds(33), "30 s and, with this jitter, a tenth")
        #expect(play.untilDeadline() == [.read])
        #expect(play.happens(.readSucceeded(nextReadAfter: .seconds(10))) == [])
        #expect(play.connection.deadline == play.now + .seconds(11))
    }

    /// In seconds.
    private static let pauses = [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30, 30]
    private static let pausesAfterRefusals = [2.0, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]

    @Test(arguments: [
        (ConfigError.Code.unreachable, pauses), (.unavailable, pauses), (.damaged, pauses),
        (.unauthorized, pausesAfterRefusals), (.forbidden, pausesAfterRefusals),
    ])
    func thePausesBetweenReadsGrowToALimit(code: ConfigError.Code, longest: [Double]) throws {
        for jitter in [0.001, 0.25, 0.999] {
            var play = Play(jitter: jitter)
            _ = play.happens(.started)
            _ = play.happens(.streamEnded(1, ConfigError(code, "no")))
            for longest in longest {
                _ = play.happens(.readFailed(ConfigError(code, "no")))
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
        var play = Play(jitter: 0.5)
        _ = play.happens(.started)
        _ = play.happens(.readSucceeded(nextReadAfter: nil))
        for longest in longest {
            _ = play.happens(.streamEnded(play.openNumber, code.map { ConfigError($0, "no") }))
            let pause = try #require(play.connection.streamPause(at: play.now))
            #expect(abs(pause / .seconds(1) - longest / 2) < 0.000_001)
            while !play.untilDeadline().contains(.openStream(play.openNumber)) { play.answerRead() }
            play.answerRead()
        }
    }

    @Test(arguments: [(59, 0.4), (60, 0.1), (3600, 0.1)])
    func aStableStreamForgivesFormerFailures(seconds: Int, pause: Double) throws {
        var play = Play.live()
        for number in 1...2 {
            _ = play.happens(.streamEnded(number, nil))
            while !play.untilDeadline().contains(.openStream(number + 1)) {}
            _ = play.happens(.streamOpened(number + 1))
        }
        for _ in 0..<seconds { _ = play.happens(.streamAlive(3), after: .seconds(1)) }
        _ = play.happens(.streamEnded(3, nil))
        #expect(try #require(play.connection.streamPause(at: play.now)) == .seconds(pause))
    }

    @Test func silenceIsDeath() {
        var play = Play.live()
        #expect(play.happens(.timePassed, after: .milliseconds(24_999)) == [])
        #expect(play.connection.phase == .live)
        #expect(play.happens(.timePassed, after: .milliseconds(1)) == [.closeStream(1)])
        #expect(play.connection.streamPause(at: play.now) == .milliseconds(100), "the next one tells what was missed")
        #expect(play.connection.phase == .polling)
        #expect(play.connection.problem?.message == "the server has been silent for 25 s")
        #expect(play.happens(.streamEnded(1, nil)) == [], "it is closed already")
    }

    @Test func aStreamThatNeverOpensIsDeadToo() {
        var play = Play()
        _ = play.happens(.started)
        _ = play.happens(.readSucceeded(nextReadAfter: nil))
        #expect(play.happens(.timePassed, after: .seconds(25)) == [.closeStream(1)])
        #expect(play.connection.phase == .polling)
        #expect(play.happens(.streamOpened(1)) == [], "too late")
        #expect(play.connection.phase == .polling)
    }

    @Test func silenceDuringAReadIsNoDeath() {
        var play = Play.live()
        #expect(play.happens(.readNeeded) == [.read])
        #expect(play.happens(.timePassed, after: .seconds(4)) == [])
        #expect(play.connection.deadline == nil)
        #expect(play.connection.phase == .live)
        _ = play.happens(.readSucceeded(nextReadAfter: nil), after: .seconds(40))
        #expect(play.connection.deadline == play.now + .seconds(25))
        #expect(play.connection.phase == .live)
    }

    @Test func aLostStreamIsReplacedByPolling() {
        var play = Play.live()
        #expect(play.happens(.streamEnded(1, nil)) == [])
        #expect(play.connection.phase == .polling)
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
                    _ = play.happens(.readSucceeded(nextReadAfter: nil))
                case .openStream(let number): _ = play.happens(.streamEnded(number, Self.nonsense))
                case .closeStream: Issue.record("there is none")
                }
            }
        }
        let expected: [Duration] = [.milliseconds(14_900), .milliseconds(47_900), .milliseconds(80_900)]
        #expect(Array(readAt.prefix(3)) == expected, "the first within 30 s of the loss")
    }

    @Test func aServerThatIsGoneIsOffline() {
        var play = Play.live()
        _ = play.happens(.streamEnded(1, Self.unreachable))
        #expect(play.untilDeadline() == [.openStream(2)])
        _ = play.happens(.streamEnded(2, Self.unreachable))
        #expect(play.connection.phase == .offline)
        #expect(play.connection.problem == Self.unreachable)
        #expect(play.connection.nextAttempt == play.now + .milliseconds(200))
        #expect(play.untilDeadline() == [.read], "one attempt at a time")
        _ = play.happens(.readFailed(Self.unreachable))
        #expect(play.connection.phase == .offline)
        #expect(play.untilDeadline() == [.read])
        #expect(play.happens(.readSucceeded(nextReadAfter: nil)) == [.openStream(3)])
        #expect(play.connection.phase == .polling)
        _ = play.happens(.streamOpened(3))
        #expect(play.connection.phase == .live)
        #expect(play.connection.nextAttempt == nil)
    }

    @Test(arguments: [
        (ConfigError.Code.unreachable, SyncStatus.Phase.offline), (.unavailable, .offline), (.rateLimited, .offline),
        (.notFound, .offline), (.badResponse, .error), (.syntax, .error), (.damaged, .error), (.tooLarge, .error),
        (.unauthorized, .error), (.forbidden, .error), (.insecure, .error),
    ])
    func aFailureIsShownAsWhatItIs(code: ConfigError.Code, phase: SyncStatus.Phase) {
        var play = Play(hasStream: false)
        _ = play.happens(.started)
        _ = play.happens(.readFailed(ConfigError(code, "wrong")))
        #expect(play.connection.phase == phase)
        #expect(play.connection.problem?.code == code)
    }

    @Test(arguments: [ConfigError.Code.unauthorized, .forbidden])
    func aRefusedReadLeavesTheStreamAndIsTriedAgain(code: ConfigError.Code) {
        let refusal = ConfigError(code, "no")
        var play = Play.live()
        #expect(play.happens(.readNeeded) == [.read])
        #expect(play.happens(.readFailed(refusal)) == [])
        #expect(play.connection.phase == .error)
        #expect(play.connection.problem == refusal)
        #expect(play.connection.nextAttempt == play.now + .seconds(1))
        #expect(play.untilDeadline() == [.read])
        _ = play.happens(.readSucceeded(nextReadAfter: nil))
        #expect(play.connection.phase == .live)
    }

    @Test(arguments: [ConfigError.Code.unauthorized, .forbidden])
    func whereOnlyTheStreamIsRefusedTheSourceIsPolled(code: ConfigError.Code) {
        let refusal = ConfigError(code, "no")
        var play = Play.live()
        _ = play.happens(.streamEnded(1, nil))
        _ = play.untilDeadline()
        #expect(play.happens(.streamEnded(2, refusal)) == [])
        #expect(play.connection.phase == .polling)
        #expect(play.connection.problem == refusal)
        #expect(play.connection.nextAttempt == play.now + .seconds(2))
        let start = play.now
        var (reads, openings) = (0, 0)
        while play.now < start + .seconds(600) {
            for action in play.untilDeadline() {
                if action == .read { reads += 1 } else { openings += 1 }
                let isRead = action == .read
                _ = play.happens(isRead ? .readSucceeded(nextReadAfter: nil) : .streamEnded(play.openNumber, refusal))
            }
        }
        #expect((18...20).contains(reads), "every 33 s with this jitter")
        #expect((8...10).contains(openings), "pauses of up to 5 min")
    }

    @Test func theServersWishToBeLeftAloneIsRespected() {
        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(120)
        var play = Play(hasStream: false)
        _ = play.happens(.started)
        _ = play.happens(.readFailed(busy))
        #expect(play.connection.deadline == play.now + .seconds(135), "and some chance")
        #expect(play.happens(.timePassed, after: .seconds(134)) == [])
        #expect(play.happens(.timePassed, after: .seconds(1)) == [.read])

        var both = Play()
        _ = both.happens(.started)
        _ = both.happens(.streamEnded(1, nil))
        _ = both.happens(.readFailed(busy))
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
        var play = Play.live()
        _ = play.happens(.streamEnded(1, nil))
        _ = play.untilDeadline()
        let end = play.now + .seconds(135)
        _ = play.happens(.streamEnded(2, busy))
        #expect(play.connection.wishToBeLeftAlone(at: play.now) == nil)
        #expect(play.happens(.asked) == [.read])
        _ = play.happens(.readSucceeded(nextReadAfter: nil))
        var reads = 0
        while let deadline = play.connection.deadline, deadline < end {
            #expect(play.untilDeadline() == [.read])
            _ = play.happens(.readSucceeded(nextReadAfter: nil))
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
        var play = Play(hasStream: false, jitter: 1)
        _ = play.happens(.started)
        _ = play.happens(.readFailed(refusal))
        #expect(play.connection.deadline == play.now + .seconds(seconds))
    }

    @Test(arguments: [true, false]) func aPauseOrASleepEndsAWishToBeLeftAlone(isSleep: Bool) {
        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(600)
        var play = Play.live()
        _ = play.happens(.readNeeded)
        _ = play.happens(.readFailed(busy))
        if isSleep {
            #expect(play.happens(.timePassed, after: .seconds(100)) == [.closeStream(1), .read, .openStream(2)])
        } else {
            #expect(play.happens(.paused) == [.closeStream(1)])
            #expect(play.happens(.resumed, after: .seconds(1)) == [.read, .openStream(2)])
        }
        #expect(play.connection.wishToBeLeftAlone(at: play.now) == nil)
    }

    @Test(arguments: [(Duration.zero, 0.1), (.seconds(2), 2.1), (.seconds(3600), 30.1), (.seconds(-5), 0.1)])
    func aStreamMayAskForALongerPause(retry: Duration, expected: Double) throws {
        var play = Play.live()
        _ = play.happens(.retryGiven(1, retry))
        _ = play.happens(.retryGiven(7, .seconds(9)))
        _ = play.happens(.streamEnded(1, nil))
        let pause = try #require(play.connection.streamPause(at: play.now))
        #expect(abs(pause / .seconds(1) - expected) < 0.000_001)
    }

    @Test func afterASleepItLooksAtOnce() {
        var live = Play.live()
        #expect(live.happens(.timePassed, after: .seconds(600)) == [.closeStream(1), .read, .openStream(2)])

        var offline = Play(jitter: 0.999)
        _ = offline.happens(.started)
        _ = offline.happens(.readFailed(Self.unreachable))
        for _ in 0..<20 {
            let actions = offline.untilDeadline()
            if actions.contains(.read) { _ = offline.happens(.readFailed(Self.unreachable)) }
            _ = offline.happens(.streamEnded(offline.openNumber, Self.unreachable))
        }
        let number = offline.openNumber
        #expect(offline.happens(.timePassed, after: .seconds(600)) == [.read, .openStream(number)])
        _ = offline.happens(.streamEnded(number, Self.unreachable))
        _ = offline.happens(.readFailed(Self.unreachable))
        #expect((offline.connection.nextAttempt ?? .zero) - offline.now < .milliseconds(200), "it begins anew")

        var polling = Play(hasStream: false)
        _ = polling.happens(.started)
        _ = polling.happens(.readSucceeded(nextReadAfter: .seconds(60)))
        #expect(polling.happens(.timePassed, after: .seconds(600)) == [.read])
    }

    @Test func aPausedProgramLeavesTheServerAlone() {
        var play = Play.live()
        #expect(play.happens(.paused) == [.closeStream(1)])
        #expect(play.connection.deadline == nil)
        #expect(play.connection.phase != .live)
        #expect(play.happens(.timePassed, after: .seconds(10_000)) == [])
        #expect(play.happens(.asked) == [.read])
        #expect(play.happens(.readSucceeded(nextReadAfter: nil)) == [])
        #expect(play.connection.deadline == nil)
        #expect(play.happens(.resumed) == [.read, .openStream(2)])
        #expect(play.happens(.resumed) == [], "once is enough")
    }

    @Test func aPauseDuringAReadEndsTheWaitForTheNext() {
        var play = Play()
        _ = play.happens(.started)
        #expect(play.happens(.paused) == [.closeStream(1)])
        _ = play.happens(.readFailed(Self.unreachable))
        #expect(play.connection.deadline == nil)
        #expect(play.happens(.resumed) == [.read, .openStream(2)])
    }

    @Test(arguments: [
        ConnectionSchedule.Input.readSucceeded(nextReadAfter: nil), .readFailed(unreachable), .readCancelled,
    ])
    func aReadThatOutlastsAPauseIsFollowedByAnother(end: ConnectionSchedule.Input) {
        var play = Play()
        _ = play.happens(.started)
        _ = play.happens(.paused)
        #expect(play.happens(.resumed) == [.openStream(2)], "the read is still under way")
        _ = play.happens(.streamEnded(2, Self.unreachable))
        _ = play.happens(end)
        #expect(play.connection.nextAttempt != nil || play.connection.nextRead != nil)
        #expect(play.actions(within: .seconds(60)).contains(.read))
    }

    @Test func whatWasReadBeforeTheStartIsNotReadTwice() {
        var good = Play()
        #expect(good.happens(.asked) == [.read])
        _ = good.happens(.readSucceeded(nextReadAfter: nil))
        #expect(good.happens(.started) == [.openStream(1)])
        #expect(good.connection.phase == .polling)

        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(20)
        var bad = Play()
        _ = bad.happens(.asked)
        _ = bad.happens(.readFailed(busy))
        #expect(bad.happens(.started) == [])
        #expect(bad.connection.deadline == bad.now + .seconds(25))
    }

    @Test func whatItKnowsOutlastsTheEnd() {
        var play = Play.live()
        #expect(play.happens(.stopped) == [.closeStream(1)])
        #expect(play.connection.phase == .polling)
        #expect(play.connection.deadline == nil)
        #expect(play.happens(.started) == [.openStream(2)])
    }

    @Test func askingResetsTheBackoff() throws {
        var play = Play()
        _ = play.happens(.started)
        _ = play.happens(.streamEnded(1, Self.unreachable))
        for _ in 0..<10 {
            _ = play.happens(.readFailed(Self.unreachable))
            #expect(play.untilDeadline() == [.read])
        }
        _ = play.happens(.readFailed(Self.unreachable))
        #expect(play.happens(.asked) == [.read])
        _ = play.happens(.readFailed(Self.unreachable))
        #expect(try #require(play.connection.nextAttempt) == play.now + .milliseconds(100))
    }

    @Test func whoeverAsksTooSoonWaitsForTheNextRead() {
        var play = Play(hasStream: false)
        #expect(play.happens(.asked) == [.read])
        _ = play.happens(.readSucceeded(nextReadAfter: nil), after: .milliseconds(10))
        for _ in 0..<50 { #expect(play.happens(.asked) == []) }
        #expect(play.connection.isAsked)
        #expect(play.connection.deadline == .seconds(1))
        #expect(play.untilDeadline() == [.read])
        #expect(!play.connection.isAsked)
        _ = play.happens(.readSucceeded(nextReadAfter: nil), after: .seconds(1))
        #expect(play.happens(.asked) == [.read])
    }

    @Test func afterTheEndNothingIsReadForThoseWhoAskedBefore() {
        var play = Play.live()
        _ = play.happens(.asked)
        _ = play.happens(.readSucceeded(nextReadAfter: nil))
        #expect(play.happens(.asked) == [])
        #expect(play.connection.isAsked)
        #expect(play.happens(.stopped) == [.closeStream(1)])
        #expect(!play.connection.isAsked)
        #expect(play.connection.deadline == nil)
        #expect(play.happens(.asked, after: .seconds(2)) == [.read], "whoever asks now does not know of the end")
    }

    @Test func aPauseForgetsNobodyWhoAsks() {
        var play = Play.live()
        _ = play.happens(.asked)
        _ = play.happens(.readSucceeded(nextReadAfter: nil))
        _ = play.happens(.asked)
        _ = play.happens(.paused)
        #expect(play.untilDeadline() == [.read])
    }

    @Test func whatDoesNotFitIsReadOnceAtATime() {
        var play = Play.live()
        #expect(play.happens(.readNeeded) == [.read])
        #expect(play.happens(.readNeeded) == [])
        #expect(play.happens(.asked) == [], "it joins")
        #expect(play.happens(.readSucceeded(nextReadAfter: nil)) == [], "what came in the meantime waits a moment")
        #expect(play.connection.deadline == play.now + .milliseconds(100))
        #expect(play.untilDeadline() == [.read])
        #expect(play.happens(.readSucceeded(nextReadAfter: nil)) == [])
        #expect(play.connection.phase == .live)
    }

    @Test func aReadThatFailsOnALiveStreamIsTriedAgainWithPauses() {
        var play = Play.live()
        _ = play.happens(.readNeeded)
        _ = play.happens(.readFailed(ConfigError(.damaged, "wrong digest")))
        #expect(play.connection.phase == .error)
        #expect(play.happens(.readNeeded) == [], "not before its time")
        #expect(play.connection.deadline == play.now + .milliseconds(100))
        #expect(play.untilDeadline() == [.read])
        _ = play.happens(.readSucceeded(nextReadAfter: nil))
        #expect(play.connection.phase == .live)
    }
}

extension ConnectionTests.Play {
    /// The number of the stream that is open, or of the one that will be.
    var openNumber: Int {
        if case .opening(let number, _) = connection.stream { return number }
        if case .open(let number, _, _) = connection.stream { return number }
        return connection.streamCount + 1
    }

    /// Lets a read under way succeed.
    mutating func answerRead() {
        if connection.isReading { _ = happens(.readSucceeded(nextReadAfter: nil)) }
    }

    /// All that is done within a time.
    mutating func actions(within time: Duration) -> [ConnectionSchedule.Action] {
        let end = now + time
        var actions: [ConnectionSchedule.Action] = []
        while let deadline = connection.deadline, deadline <= end { actions += untilDeadline() }
        return actions
    }
}

extension ConnectionSchedule {
    /// How long it is until the stream is opened.
    fileprivate func streamPause(at now: Duration) -> Duration? {
        if case .waiting(let time) = stream { time - now } else { nil }
    }
}
