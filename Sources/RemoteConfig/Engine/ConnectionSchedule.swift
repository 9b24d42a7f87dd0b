// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// When to read a source and when to open its stream, as a value: what happens goes in, what to do comes out.
///
/// It has no clock and no chance of its own, so that every course of events can be played to it. Times are durations
/// since any one moment.
///
/// Each ``Action/read`` is answered by exactly one of ``Input/readSucceeded(nextReadAfter:)``,
/// ``Input/readFailed(_:)`` and ``Input/readCancelled``. Until then no other read begins.
struct ConnectionSchedule {
    enum Input: Hashable {
        case started
        /// Who asked for a read that is still to begin gets none.
        case stopped
        /// The ``ConnectionSchedule/deadline`` has come, or anything may have.
        case timePassed
        /// The stream with this number has said where it begins.
        case streamOpened(Int)
        /// Bytes have come through the stream with this number.
        case streamAlive(Int)
        /// The stream with this number asks for a pause before it is opened again.
        case retryGiven(Int, Duration)
        /// The stream with this number has ended, with an error or by itself.
        case streamEnded(Int, ConfigError?)
        case readSucceeded(nextReadAfter: Duration? = nil)
        case readFailed(ConfigError)
        case readCancelled
        /// The state does not fit to what the stream says.
        case readNeeded
        /// Someone wants to know now.
        case asked
        /// From now on nothing may be asked; who asked for a read that is still to begin gets none.
        case wentOffline
        case cameOnline
        /// All that was read is of a former context. A read in flight has been replaced by one in the current context.
        case contextChanged
    }

    enum Action: Hashable {
        case read
        /// Open the stream and give it this number; ``Input/streamEnded(_:_:)`` follows unless it is closed.
        case openStream(Int)
        /// Close the stream with this number, and report nothing more of it.
        case closeStream(Int)
    }

    enum Stream: Hashable {
        case off
        /// To be opened once a read has succeeded: until then only reads find out whether the source is back.
        case held
        case waiting(until: Duration)
        /// Being opened, or open since a moment.
        case up(Int, since: Duration?, lastSign: Duration)
    }

    /// What nobody has a reason to set; the rest is the ``SyncPace``.
    enum Timing {
        /// How often a stream may not fit to the state: one that begins, or skips a change, now and then costs a read
        /// without anything being wrong.
        static let toleratedResyncs = 3
        /// The longest pause between reads because the stream does not fit to the state.
        static let longestResync = Duration.seconds(60)
        /// A stream that has lasted this long was a good one: the next failure is the first again.
        static let stableAfter = Duration.seconds(60)
        /// The longest that a refusal may ask for. What a program sets does not shorten a wish.
        static let longestWishOfRefusal = Duration.seconds(300)
        /// A deadline that is missed by this much was slept through.
        static let jumpTolerance = Duration.seconds(5)
        /// The least time between reads, however often a source wants to be asked.
        static let shortestPolling = Duration.milliseconds(50)
        /// A year: of longer pauses there is no counting in nanoseconds.
        static let longestPause = Duration.seconds(365 * 86_400)
    }

    let hasStream: Bool
    let pace: SyncPace
    /// How often the source is read while there is no stream.
    let pollingInterval: Duration
    /// Draws a number from 0 up to but not including 1.
    let jitter: @Sendable () -> Double

    private(set) var isStarted = false
    private(set) var isOffline = false

    var stream = Stream.off
    /// How many streams have been opened, which is the number of the last one.
    private(set) var streamCount = 0
    var streamFailures = 0
    /// The pause that the source has asked for before a stream is opened again.
    var reconnectPause = Duration.zero
    /// Whether a read has succeeded since the stream went down.
    var hasReadSinceLoss = false

    var isReading = false
    /// Whether the stream has asked for another read during this one.
    var readAgain = false
    var readFailures = 0
    /// When the rules want the next read.
    var nextReadAt: Duration?
    /// When a read that someone asked for begins, if it has to wait for the one before.
    var askedReadAt: Duration?
    private var lastAskedAt: Duration?
    var lastSuccessAt: Duration?
    /// How long the source said that its last good state need not be asked for.
    var statedInterval: Duration?
    /// How often the stream has lately not fitted to the state, and when it was last so.
    var resyncs = (count: 0, last: Duration.zero)
    /// How often the stream has ever not fitted to the state, and how many streams have opened.
    var totals = (resyncs: 0, opened: 0)

    /// Until when the source asks to be left alone, and what it said when it was read.
    var quiet: (until: Duration, error: ConfigError)?
    /// Until when the stream asks not to be opened.
    var streamQuietUntil: Duration?
    var readProblem: ConfigError?
    var streamProblem: ConfigError?
    /// What the last attempt of any kind met with; `nil` if it was good.
    var lastFailure: ConfigError?

    init(
        hasStream: Bool,
        pollingInterval: Duration = .seconds(30),
        pace: SyncPace = SyncPace(),
        jitter: @escaping @Sendable () -> Double
    ) {
        (self.hasStream, self.pace, self.jitter) = (hasStream, pace, jitter)
        self.pollingInterval =
            pace.pollingInterval ?? min(max(pollingInterval, Timing.shortestPolling), Timing.longestPause)
    }

    var isActive: Bool { isStarted && !isOffline }

    /// - Parameter now: never less than before.
    mutating func handle(_ input: Input, at now: Duration) -> [Action] {
        let hasSlept = deadline.map { now > $0 + Timing.jumpTolerance } ?? false
        if now >= resyncs.last + Timing.stableAfter { resyncs.count = 0 }
        var actions = apply(input, at: now)
        if hasSlept { actions += wake(at: now) }
        return actions + due(at: now)
    }

    private mutating func apply(_ input: Input, at now: Duration) -> [Action] {
        switch input {
        case .started: start(at: now)
        case .stopped:
            isStarted = false
            askedReadAt = nil
            return rest()
        case .wentOffline:
            isOffline = true
            askedReadAt = nil
            return rest()
        case .cameOnline: comeOnline(at: now)
        case .contextChanged: return beginAgain(at: now)
        case .asked: ask(at: now)
        case .timePassed: break
        case .streamOpened(let number): opened(number, at: now)
        case .streamAlive(let number): showedLife(number, at: now)
        case .retryGiven(let number, let pause): gaveRetry(number, pause)
        case .streamEnded(let number, let error): ended(number, error, at: now)
        case .readSucceeded(let nextReadAfter): readSucceeded(nextReadAfter, at: now)
        case .readFailed(let error): readFailed(error, at: now)
        case .readCancelled: readCancelled(at: now)
        case .readNeeded: needRead(at: now)
        }
        return []
    }
}

// What is due, and when.
extension ConnectionSchedule {
    /// When to say ``Input/timePassed``, if nothing else happens before; `nil` if there is no need to.
    var deadline: Duration? {
        let settled = isUnsettled ? resyncs.last + Timing.stableAfter : nil
        return [nextRead, nextOpening, silenceEnd, settled].compactMap(\.self).min()
    }

    var nextRead: Duration? {
        guard !isReading, let time = [nextReadAt, askedReadAt].compactMap(\.self).min() else { return nil }
        return max(time, quiet?.until ?? time)
    }

    var nextOpening: Duration? {
        guard case .waiting(let time) = stream else { return nil }
        return max(time, quiet?.until ?? time, streamQuietUntil ?? time)
    }

    private var silenceEnd: Duration? {
        guard case .up(_, _, let lastSign) = stream else { return nil }
        return lastSign + pace.heartbeatTimeout
    }

    private mutating func due(at now: Duration) -> [Action] {
        var actions = closeIfDead(at: now)
        if let time = nextRead, time <= now {
            (nextReadAt, askedReadAt, isReading) = (nil, nil, true)
            actions.append(.read)
        }
        return actions + openIfDue(at: now)
    }

    private mutating func openIfDue(at now: Duration) -> [Action] {
        guard let time = nextOpening, time <= now else { return [] }
        streamCount += 1
        stream = .up(streamCount, since: nil, lastSign: now)
        return [.openStream(streamCount)]
    }

    private mutating func closeIfDead(at now: Duration) -> [Action] {
        guard let number = streamNumber, let end = silenceEnd, end <= now else { return [] }
        if isReading {
            // Nobody looks at the stream during a read, so its silence means nothing. The deadline is for telling a sleep.
            showedLife(number, at: now)
            return []
        }
        let seconds = pace.heartbeatTimeout.components.seconds
        ended(number, ConfigError(.unreachable, "the server has been silent for \(seconds) s"), at: now)
        return [.closeStream(number)]
    }

    private var closing: [Action] { streamNumber.map { [.closeStream($0)] } ?? [] }

    var streamNumber: Int? {
        if case .up(let number, _, _) = stream { number } else { nil }
    }
}

// Beginning, asking and resting.
extension ConnectionSchedule {
    /// What was read shortly before is not read again: the stream reports what has changed since, or a poll does.
    private mutating func start(at now: Duration) {
        guard !isStarted else { return }
        isStarted = true
        guard isActive else { return }
        if hasStream { stream = readProblem == nil ? .waiting(until: now) : .held }
        if isReading { return }
        if let readProblem {
            nextReadAt = now + pause(beforeReadingAfter: readProblem)
        } else if let lastSuccessAt {
            nextReadAt = max(now, lastSuccessAt + later(healthyInterval))
        } else {
            nextReadAt = now
        }
    }

    /// Someone who asks is not made to wait for a backoff, but for the server's wish to be left alone, and a moment
    /// after the last time that someone asked.
    private mutating func ask(at now: Duration) {
        if isOffline || wishToBeLeftAlone(at: now) != nil { return }
        resetBackoff()
        if !isReading, askedReadAt == nil {
            let time = lastAskedAt.map { max(now, $0 + SyncPace.askSpacing) } ?? now
            (askedReadAt, lastAskedAt) = (time, time)
        }
        if isActive, hasStream, streamNumber == nil { stream = .held }
    }

    private mutating func rest() -> [Action] {
        let actions = closing
        stream = .off
        (nextReadAt, readAgain, hasReadSinceLoss) = (nil, false, false)
        streamProblem = nil
        resyncs.count = 0
        return actions
    }

    private mutating func comeOnline(at now: Duration) {
        guard isOffline else { return }
        isOffline = false
        guard isActive else { return }
        reconnectNow(at: now)
    }

    /// Nothing is known in the new context, and nothing has failed in it. A wish to be left alone is for all contexts.
    private mutating func beginAgain(at now: Duration) -> [Action] {
        let actions = rest()
        (readProblem, lastFailure) = (nil, wishToBeLeftAlone(at: now))
        (lastSuccessAt, statedInterval, lastAskedAt) = (nil, nil, nil)
        if askedReadAt != nil { askedReadAt = now }
        if isActive { reconnectNow(at: now) }
        return actions
    }

    /// After the machine has slept, what was put off is no longer worth waiting for, and a stream has hardly survived.
    private mutating func wake(at now: Duration) -> [Action] {
        guard isActive else { return [] }
        let actions = closing
        // What the source wished before was for a program that stayed, in the network of then.
        (quiet, streamQuietUntil) = (nil, nil)
        reconnectNow(at: now)
        return actions
    }

    private mutating func reconnectNow(at now: Duration) {
        resetBackoff()
        if !isReading { nextReadAt = now }
        if hasStream { stream = .waiting(until: now) }
    }

    private mutating func resetBackoff() { (streamFailures, readFailures) = (0, 0) }
}
