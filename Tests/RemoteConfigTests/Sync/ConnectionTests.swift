import ConfigModel
import Testing

@testable import RemoteConfig

/// The rules of reconnecting, polling and giving up, played without a clock, a network or chance.
struct ConnectionTests {
    /// A connection and the time it lives in.
    struct Play {
        var connection: Connection
        var now = Duration.zero

        init(hasStream: Bool = true, jitter: Double = 0.5) {
            connection = Connection(hasStream: hasStream) { jitter }
        }

        mutating func happens(_ input: Connection.Input, after pause: Duration = .zero) -> [Connection.Action] {
            now += pause
            return connection.handle(input, at: now)
        }

        /// Lets the time pass until something is due.
        mutating func untilDeadline() -> [Connection.Action] {
            guard let deadline = connection.deadline else { return [] }
            now = max(now, deadline)
            return connection.handle(.timePassed, at: now)
        }

        /// A stream that is up, and a state that has been read.
        static func live() -> Play {
            var play = Play()
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
        #expect(play.connection.deadline == play.now + .seconds(30))
        #expect(play.untilDeadline() == [.read])
        #expect(play.happens(.readSucceeded(nextReadAfter: .seconds(7))) == [])
        #expect(play.connection.deadline == play.now + .seconds(7))
    }

    @Test(arguments: [
        (0, 0.2), (1, 0.4), (2, 0.8), (3, 1.6), (4, 3.2), (5, 6.4), (6, 12.8), (7, 25.6), (8, 30), (9, 30), (1000, 30),
    ])
    func thePausesGrowToALimit(failures: Int, longest: Double) throws {
        for jitter in [0.001, 0.25, 0.999] {
            var play = Play(jitter: jitter)
            _ = play.happens(.started)
            for _ in 0..<failures {
                _ = play.happens(.streamEnded(play.openNumber, Self.unreachable))
                while case let actions = play.untilDeadline(), !actions.contains(.openStream(play.openNumber)) {}
            }
            _ = play.happens(.streamEnded(play.openNumber, Self.unreachable))
            let pause = try #require(play.connection.streamPause(at: play.now))
            #expect(abs(pause / .seconds(1) - longest * jitter) < 0.000_001)
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
        #expect(play.happens(.timePassed, after: .milliseconds(1)) == [.closeStream(1), .read])
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
        #expect(play.happens(.streamEnded(2, Self.nonsense)) == [.read])
        _ = play.happens(.readSucceeded(nextReadAfter: nil))
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
        #expect(readAt.prefix(3) == [.seconds(30), .seconds(60), .seconds(90)])
    }

    @Test func aServerThatIsGoneIsOffline() {
        var play = Play.live()
        _ = play.happens(.streamEnded(1, Self.unreachable))
        #expect(play.untilDeadline() == [.openStream(2)])
        _ = play.happens(.streamEnded(2, Self.unreachable))
        #expect(play.connection.phase == .offline)
        #expect(play.connection.problem == Self.unreachable)
        #expect(play.connection.nextAttempt == play.now + .milliseconds(200))
        #expect(play.untilDeadline() == [.openStream(3)])
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
    func aRefusalStopsEverythingUntilSomeoneAsks(code: ConfigError.Code) {
        let refusal = ConfigError(code, "no")
        var play = Play.live()
        #expect(play.happens(.readNeeded) == [.read])
        #expect(play.happens(.readFailed(refusal)) == [.closeStream(1)])
        #expect(play.connection.deadline == nil)
        #expect(play.connection.nextAttempt == nil)
        #expect(play.connection.phase == .error)
        #expect(play.happens(.timePassed, after: .seconds(100_000)) == [])
        #expect(play.happens(.asked) == [.read, .openStream(2)])

        var other = Play.live()
        _ = other.happens(.streamEnded(1, nil))
        _ = other.untilDeadline()
        #expect(other.happens(.streamEnded(2, refusal)) == [])
        #expect(other.connection.deadline == nil)
        #expect(other.connection.problem == refusal)
    }

    @Test func theServersWishToBeLeftAloneIsRespected() {
        var busy = ConfigError(.unavailable, "busy")
        busy.retryAfter = .seconds(120)
        var play = Play(hasStream: false)
        _ = play.happens(.started)
        _ = play.happens(.readFailed(busy))
        #expect(play.connection.deadline == play.now + .seconds(120))
        #expect(play.happens(.timePassed, after: .seconds(119)) == [])
        #expect(play.happens(.timePassed, after: .seconds(1)) == [.read])

        var stream = Play.live()
        _ = stream.happens(.streamEnded(1, nil))
        _ = stream.untilDeadline()
        _ = stream.happens(.streamEnded(2, busy))
        #expect(stream.connection.deadline == stream.now + .seconds(120))
        #expect(stream.happens(.asked) == [.read, .openStream(3)], "whoever asks is not made to wait")
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
        #expect((offline.connection.streamPause(at: offline.now) ?? .zero) < .milliseconds(200), "it begins anew")

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

    @Test func askingResetsTheBackoff() throws {
        var play = Play()
        _ = play.happens(.started)
        for _ in 0..<10 {
            _ = play.happens(.streamEnded(play.openNumber, Self.unreachable))
            while !play.untilDeadline().contains(.openStream(play.openNumber)) {}
        }
        _ = play.happens(.readFailed(Self.unreachable))
        _ = play.happens(.streamEnded(play.openNumber, Self.unreachable))
        let number = play.openNumber
        #expect(play.happens(.asked) == [.read, .openStream(number)])
        _ = play.happens(.streamEnded(number, Self.unreachable))
        #expect(try #require(play.connection.streamPause(at: play.now)) == .milliseconds(100))
    }

    @Test func whatDoesNotFitIsReadOnceAtATime() {
        var play = Play.live()
        #expect(play.happens(.readNeeded) == [.read])
        #expect(play.happens(.readNeeded) == [])
        #expect(play.happens(.asked) == [], "it joins")
        #expect(play.happens(.readSucceeded(nextReadAfter: nil)) == [.read], "what came in the meantime")
        #expect(play.happens(.readSucceeded(nextReadAfter: nil)) == [])
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

/// Whatever happens in whatever order, some things are always so.
struct ConnectionPropertyTests {
    @Test(arguments: 0..<200) func anyCourseOfEventsKeepsTheRules(seed: UInt64) {
        var random = Chance(state: seed)
        var play = ConnectionTests.Play(hasStream: seed % 4 != 0, jitter: Double(seed % 10) / 10)
        var (isReading, openStream, highest) = (false, Int?.none, 0)
        for _ in 0..<500 {
            for action in play.happens(
                input(&random, isReading: &isReading, open: &openStream),
                after: .milliseconds(random.next(40_000))
            ) {
                switch action {
                case .read:
                    #expect(!isReading, "one read at a time")
                    isReading = true
                case .openStream(let number):
                    #expect(openStream == nil, "one stream at a time")
                    #expect(number > highest)
                    (openStream, highest) = (number, number)
                case .closeStream(let number):
                    #expect(openStream == number)
                    openStream = nil
                }
            }
            if let deadline = play.connection.deadline { #expect(deadline > play.now, "what is due has been done") }
            if play.connection.phase == .live { #expect(openStream != nil) }
        }
    }

    private func input(_ random: inout Chance, isReading: inout Bool, open: inout Int?) -> Connection.Input {
        let errors: [ConfigError.Code] = [.unreachable, .unavailable, .badResponse, .unauthorized]
        let error = ConfigError(errors[Int(random.next(4))], "e")
        switch random.next(10) {
        case 0: return .started
        case 1: return .paused
        case 2: return .resumed
        case 3: return .asked
        case 4 where isReading:
            isReading = false
            return .readFailed(error)
        case 5 where isReading:
            isReading = false
            return .readSucceeded(nextReadAfter: random.next(2) == 0 ? nil : .seconds(5))
        case 6: if let open { return .streamOpened(open) }
        case 7:
            if let number = open {
                open = nil
                return .streamEnded(number, random.next(2) == 0 ? nil : error)
            }
        case 8: if let open { return .streamAlive(open) }
        case 9: if open != nil { return .readNeeded }
        default: break
        }
        return .timePassed
    }
}

/// SplitMix64.
private struct Chance {
    var state: UInt64

    mutating func next(_ limit: UInt64) -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xbf58_476d_1ce4_e5b9
        bits = (bits ^ (bits >> 27)) &* 0x94d0_49bb_1331_11eb
        return (bits ^ (bits >> 31)) % limit
    }
}

extension ConnectionTests.Play {
    /// The number of the stream that is open, or of the one that will be.
    var openNumber: Int {
        if case .opening(let number, _) = connection.stream { return number }
        if case .open(let number, _, _) = connection.stream { return number }
        return connection.streamCount + 1
    }
}

extension Connection {
    /// How long it is until the stream is opened.
    fileprivate func streamPause(at now: Duration) -> Duration? {
        if case .waiting(let time) = stream { time - now } else { nil }
    }
}
