internal import ConfigModel

/// When to read a source and when to open its stream, as a value: what happens goes in, what to do comes out.
///
/// It has no clock and no chance of its own, so that every course of events can be played to it. Times are durations
/// since any one moment.
struct Connection {
    /// Something has happened.
    enum Input: Hashable {
        /// The source is to be followed.
        case started
        /// The ``Connection/deadline`` has come, or anything may have.
        case timePassed
        /// The stream with this number has said where it begins.
        case streamOpened(Int)
        /// Bytes have come through the stream with this number.
        case streamAlive(Int)
        /// The stream with this number has ended, with an error or by itself.
        case streamEnded(Int, ConfigError?)
        /// A read has brought a good state.
        case readSucceeded(nextReadAfter: Duration?)
        /// A read has failed.
        case readFailed(ConfigError)
        /// The state does not fit to what the stream says.
        case readNeeded
        /// Someone wants to know now.
        case asked
        /// The program does not need to know for a while.
        case paused
        /// It does again.
        case resumed
    }

    /// What to do.
    enum Action: Hashable {
        /// Read the source; ``Input/readSucceeded(nextReadAfter:)`` or ``Input/readFailed(_:)`` follows.
        case read
        /// Open the stream and give it this number.
        case openStream(Int)
        /// Close the stream with this number, and report nothing more of it.
        case closeStream(Int)
    }

    /// The times that the rules speak of.
    struct Timing: Hashable {
        /// The longest pause before the first new attempt.
        var firstBackoff = Duration.milliseconds(200)
        /// The longest pause of all.
        var longestBackoff = Duration.seconds(30)
        /// A stream that has lasted this long was a good one: the next failure is the first again.
        var stableAfter = Duration.seconds(60)
        /// A stream without a byte for this long is dead.
        var silenceLimit = Duration.seconds(25)
        /// How often the source is read while there is no stream.
        var pollingInterval = Duration.seconds(30)
        /// A deadline that is missed by this much was slept through.
        var jumpTolerance = Duration.seconds(5)
    }

    /// How the stream stands.
    enum Stream: Hashable {
        /// Not to be opened.
        case off
        /// To be opened at this time.
        case waiting(until: Duration)
        case opening(Int, lastSign: Duration)
        case open(Int, since: Duration, lastSign: Duration)
    }

    private let timing: Timing
    private let hasStream: Bool
    private let jitter: @Sendable () -> Double

    private var isStarted = false
    private(set) var isPaused = false
    /// Set by a refusal, which more of the same will not change.
    private var isRefused = false
    private(set) var stream = Stream.off
    /// How many streams have been opened, which is the number of the last one.
    private(set) var streamCount = 0
    private var streamFailures = 0
    private var isReading = false
    private var readAgain = false
    private var readFailures = 0
    private var nextReadAt: Duration?
    /// Whether a read has succeeded since the stream went down.
    private var hasReadSinceLoss = false

    private var readProblem: ConfigError?
    private var streamProblem: ConfigError?
    /// What the last attempt of any kind met with; `nil` if it was good.
    private var lastFailure: ConfigError?
    /// Whether any read has succeeded.
    private var hasRead = false

    /// - Parameters:
    ///   - hasStream: whether the source has a stream.
    ///   - jitter: draws a number from 0 up to but not including 1.
    init(hasStream: Bool, timing: Timing = Timing(), jitter: @escaping @Sendable () -> Double) {
        self.hasStream = hasStream
        self.timing = timing
        self.jitter = jitter
    }

    /// Takes in what has happened.
    ///
    /// - Parameter now: when; never less than before.
    mutating func handle(_ input: Input, at now: Duration) -> [Action] {
        let hasSlept = deadline.map { now > $0 + timing.jumpTolerance } ?? false
        var actions: [Action] = []
        switch input {
        case .started: start(at: now)
        case .timePassed: break
        case .streamOpened(let number): opened(number, at: now)
        case .streamAlive(let number): showedLife(number, at: now)
        case .streamEnded(let number, let error): ended(number, error, at: now)
        case .readSucceeded(let nextReadAfter): readSucceeded(nextReadAfter, at: now)
        case .readFailed(let error): actions += readFailed(error, at: now)
        case .readNeeded: needRead(at: now)
        case .asked: ask(at: now)
        case .paused: actions += pause()
        case .resumed: resume(at: now)
        }
        if hasSlept { actions += wake(at: now) }
        return actions + due(at: now)
    }

    /// When to say ``Input/timePassed``, if nothing else happens before; `nil` if there is no need to.
    var deadline: Duration? {
        guard isStarted, !isPaused else { return nil }
        return [streamDeadline, isReading ? nil : nextReadAt].compactMap(\.self).min()
    }

    private var streamDeadline: Duration? {
        switch stream {
        case .off: nil
        case .waiting(let time): time
        // What comes through the stream is not looked at during a read.
        case .opening(_, let lastSign), .open(_, _, let lastSign): isReading ? nil : lastSign + timing.silenceLimit
        }
    }
}

// What is due by now.
extension Connection {
    private mutating func due(at now: Duration) -> [Action] {
        var actions = closeIfDead(at: now)
        if !isReading, let time = nextReadAt, time <= now {
            (nextReadAt, isReading) = (nil, true)
            actions.append(.read)
        }
        return actions + openIfDue(at: now)
    }

    private mutating func openIfDue(at now: Duration) -> [Action] {
        guard case .waiting(let time) = stream, time <= now else { return [] }
        streamCount += 1
        stream = .opening(streamCount, lastSign: now)
        return [.openStream(streamCount)]
    }

    private mutating func closeIfDead(at now: Duration) -> [Action] {
        guard let number = streamNumber, let end = streamDeadline, end <= now else { return [] }
        let seconds = timing.silenceLimit.components.seconds
        // What happened in the silence is not known; a stream that never opened has hidden nothing.
        if case .open = stream, readFailures == 0 { nextReadAt = now }
        ended(number, ConfigError(.unreachable, "the server has been silent for \(seconds) s"), at: now)
        return [.closeStream(number)]
    }

    private var streamNumber: Int? {
        switch stream {
        case .off, .waiting: nil
        case .opening(let number, _), .open(let number, _, _): number
        }
    }

    /// After the machine has slept, what was put off is no longer worth waiting for, and a stream has hardly survived.
    private mutating func wake(at now: Duration) -> [Action] {
        guard !isPaused else { return [] }
        resetBackoff()
        let actions = streamNumber.map { [Action.closeStream($0)] } ?? []
        lookNow(at: now)
        return actions
    }
}

// The stream.
extension Connection {
    private mutating func opened(_ number: Int, at now: Duration) {
        guard case .opening(number, _) = stream else { return }
        stream = .open(number, since: now, lastSign: now)
        streamProblem = nil
        lastFailure = readProblem
        // A failed read is tried again; otherwise the stream says all there is.
        if readProblem == nil { nextReadAt = nil }
    }

    private mutating func showedLife(_ number: Int, at now: Duration) {
        switch stream {
        case .opening(number, _): stream = .opening(number, lastSign: now)
        case .open(number, let since, _): stream = .open(number, since: since, lastSign: now)
        default: break
        }
    }

    private mutating func ended(_ number: Int, _ error: ConfigError?, at now: Duration) {
        switch stream {
        case .opening(number, _): failedToOpen(error, at: now)
        case .open(number, let since, _): broke(error, after: now - since, at: now)
        default: break
        }
    }

    private mutating func failedToOpen(_ error: ConfigError?, at now: Duration) {
        streamProblem = error ?? ConfigError(.badResponse, "the server has ended the stream before it began")
        if let error, error.isRefusal { return refuse(error) }
        wait(after: error, at: now)
        if hasReadSinceLoss || readFailures > 0 {
            nextReadAt = nextReadAt ?? now + timing.pollingInterval
        } else if let error, error.meansOffline {
            lastFailure = error
            nextReadAt = nextReadAt ?? now + timing.pollingInterval
        } else {
            // The server is there, and only its stream is not: reading tells how things stand.
            nextReadAt = now
        }
        respect(error, at: now)
    }

    private mutating func broke(_ error: ConfigError?, after lifetime: Duration, at now: Duration) {
        if lifetime >= timing.stableAfter { streamFailures = 0 }
        streamProblem = error
        hasReadSinceLoss = false
        if let error, error.isRefusal { return refuse(error) }
        wait(after: error, at: now)
        nextReadAt = nextReadAt ?? now + timing.pollingInterval
        respect(error, at: now)
    }

    private mutating func wait(after error: ConfigError?, at now: Duration) {
        stream = .waiting(until: now + backoff(streamFailures))
        streamFailures += 1
    }
}

// Reading.
extension Connection {
    private mutating func readSucceeded(_ nextReadAfter: Duration?, at now: Duration) {
        endRead(at: now)
        hasRead = true
        readFailures = 0
        readProblem = nil
        if !isRefused { lastFailure = nil }
        if case .open = stream {} else { hasReadSinceLoss = true }
        scheduleRead(at: now, after: nextReadAfter)
    }

    private mutating func endRead(at now: Duration) {
        isReading = false
        if let number = streamNumber { showedLife(number, at: now) }
    }

    private mutating func scheduleRead(at now: Duration, after interval: Duration?) {
        if readAgain {
            readAgain = false
            nextReadAt = now
        } else if !isStarted || isPaused || isRefused {
            nextReadAt = nil
        } else if case .open = stream {
            nextReadAt = nil
        } else {
            nextReadAt = now + (interval ?? timing.pollingInterval)
        }
    }

    private mutating func readFailed(_ error: ConfigError, at now: Duration) -> [Action] {
        endRead(at: now)
        readAgain = false
        (readProblem, lastFailure) = (error, error)
        guard !error.isRefusal else {
            let actions = streamNumber.map { [Action.closeStream($0)] } ?? []
            refuse(error)
            return actions
        }
        if isStarted, !isPaused, !isRefused {
            nextReadAt = now + backoff(readFailures)
            readFailures += 1
            respect(error, at: now)
        }
        return []
    }

    /// A read that is put off because the last one failed stays so: the next event would ask for it again.
    private mutating func needRead(at now: Duration) {
        if isReading { readAgain = true } else if readFailures == 0 { nextReadAt = now }
    }
}

// Starting, asking, pausing, refusals and pauses.
extension Connection {
    private mutating func start(at now: Duration) {
        guard !isStarted else { return }
        isStarted = true
        if !isPaused { lookNow(at: now) }
    }

    private mutating func ask(at now: Duration) {
        isRefused = false
        resetBackoff()
        if !isReading { nextReadAt = now }
        if isStarted, hasStream, !isPaused, streamNumber == nil { stream = .waiting(until: now) }
    }

    private mutating func pause() -> [Action] {
        isPaused = true
        let actions = streamNumber.map { [Action.closeStream($0)] } ?? []
        stream = .off
        nextReadAt = nil
        hasReadSinceLoss = false
        return actions
    }

    private mutating func resume(at now: Duration) {
        guard isPaused else { return }
        isPaused = false
        resetBackoff()
        if isStarted, !isRefused { lookNow(at: now) }
    }

    private mutating func lookNow(at now: Duration) {
        guard !isRefused else { return }
        if !isReading { nextReadAt = now }
        if hasStream { stream = .waiting(until: now) }
    }

    private mutating func resetBackoff() {
        (streamFailures, readFailures) = (0, 0)
    }

    private mutating func refuse(_ error: ConfigError) {
        isRefused = true
        lastFailure = error
        stream = .off
        nextReadAt = nil
    }

    /// Puts everything off for as long as the server asks.
    private mutating func respect(_ error: ConfigError?, at now: Duration) {
        guard let pause = error?.retryAfter else { return }
        if let time = nextReadAt { nextReadAt = max(time, now + pause) }
        if case .waiting(let time) = stream { stream = .waiting(until: max(time, now + pause)) }
    }

    /// Full jitter: any pause from none to twice the longest before, so that clients of one server do not return to
    /// it all at once.
    private func backoff(_ failures: Int) -> Duration {
        let longest = min(timing.firstBackoff * (1 << min(failures, 20)), timing.longestBackoff)
        return .nanoseconds(Int64((longest / .nanoseconds(1) * jitter()).rounded()))
    }
}

// What to tell the user.
extension Connection {
    /// The state of the connection in a word.
    var phase: SyncStatus.Phase {
        if case .open = stream, readProblem == nil, hasRead { return .live }
        if let lastFailure { return lastFailure.meansOffline ? .offline : .error }
        return hasRead ? .polling : .starting
    }

    /// What is wrong, if anything is.
    var problem: ConfigError? {
        if case .open = stream { return readProblem }
        return lastFailure ?? streamProblem
    }

    /// When the next attempt is due, if the last one failed.
    var nextAttempt: Duration? { problem == nil ? nil : deadline }
}

extension ConfigError {
    /// Whether more of the same is pointless until someone has changed something.
    var isRefusal: Bool { code == .unauthorized || code == .forbidden }

    /// Whether the source was not there, rather than there and wrong.
    var meansOffline: Bool { [.unreachable, .unavailable, .rateLimited, .notFound].contains(code) }
}
