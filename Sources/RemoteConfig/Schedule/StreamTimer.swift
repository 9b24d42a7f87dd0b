// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// The stream of a source, or of the hints of one that is watched: whether it is open, and when to open it.
struct StreamTimer {
    enum State: Hashable {
        case off
        /// To be opened once a read has succeeded: until then only reads find out whether the source is back.
        case held
        case waiting(until: Duration)
        /// Being opened, or open since a moment.
        case up(Int, since: Duration?, lastSign: Duration)
    }

    /// Whether it is a stream of hints, which is open from the beginning, and may be silent.
    private let isWatch: Bool
    private let pauses: RetryDelays
    private(set) var state = State.off
    /// The number of streams so far, which is the number of the last one.
    private(set) var count = 0
    /// The number of streams that have opened.
    private(set) var openedCount = 0
    private var failures = 0
    /// The requested pause before the next stream.
    private var requestedPause = Duration.zero
    /// The error that ended the last stream.
    private(set) var problem: ConfigError?
    /// Whether a read has succeeded since the stream went down.
    var hasReadSinceLoss = false
    /// Until when a stream that has ended counts as live, unless an attempt fails before.
    var liveUntil: Duration?

    /// After a stream that has lasted this long, the next failure counts as the first.
    static let stableAfter = Duration.seconds(60)
    /// The time to replace a stream that has ended: a Livery server requests a pause of 1 s, and the loss of a server is
    /// shown within 2 s.
    static let replacedWithin = Duration.milliseconds(1500)

    init(isWatch: Bool = false, _ pauses: RetryDelays) { (self.isWatch, self.pauses) = (isWatch, pauses) }

    /// The number of the stream that is open or being opened.
    var number: Int? { if case .up(let number, _, _) = state { number } else { nil } }

    var isOpen: Bool { if case .up(_, .some, _) = state { true } else { false } }

    /// When to open it, if it waits for that.
    var opening: Duration? { if case .waiting(let time) = state { time } else { nil } }

    /// When its silence has lasted so long that it is dead.
    var silenceEnd: Duration? {
        guard !isWatch, case .up(_, _, let lastSign) = state else { return nil }
        return lastSign + pauses.policy.heartbeatTimeout
    }
}

// The events of the stream.
extension StreamTimer {
    /// Has it opened once a read has succeeded.
    mutating func hold() { state = .held }

    mutating func wait(until time: Duration) { state = .waiting(until: time) }

    /// Opens it once a read has succeeded.
    mutating func readSucceeded(at now: Duration) {
        hasReadSinceLoss = true
        if state == .held { state = .waiting(until: now) }
    }

    /// Has only reads find out whether the source is back.
    mutating func readFailed() {
        liveUntil = nil
        if opening != nil { state = .held }
    }

    /// Notes that a watched source was read, which does not show that it can be followed.
    mutating func watchIsRead() {
        if number != nil { return forgetProblem() }
        // It is not followed again only because a read had failed.
        if opening != nil, problem == nil { state = .off }
    }

    mutating func forgetProblem() { problem = nil }

    /// Begins to open the next stream.
    ///
    /// - Returns: Its number.
    mutating func open(at now: Duration) -> Int {
        count += 1
        state = .up(count, since: isWatch ? now : nil, lastSign: now)
        return count
    }

    /// - Returns: Whether the stream with this number was being opened.
    mutating func opened(_ number: Int, at now: Duration) -> Bool {
        guard case .up(number, nil, _) = state else { return false }
        state = .up(number, since: now, lastSign: now)
        openedCount += 1
        (problem, liveUntil) = (nil, nil)
        return true
    }

    mutating func showedLife(_ number: Int, at now: Duration) {
        if case .up(number, let since, _) = state { state = .up(number, since: since, lastSign: now) }
    }

    /// A source may request a longer pause than the policy has, up to a limit, but no shorter one.
    mutating func requested(_ pause: Duration, by number: Int) {
        guard self.number == number else { return }
        requestedPause = min(max(pause, .zero), max(pauses.policy.backoff.upperBound, .seconds(30)))
    }

    /// Notes the end of the stream that is up, which is held then.
    ///
    /// - Returns: The pause before an attempt of another kind, and before the next stream.
    mutating func ended(_ error: ConfigError?, at now: Duration) -> (attempt: Duration, opening: Duration) {
        if case .up(_, let since?, _) = state {
            if now - since >= Self.stableAfter { failures = 0 }
            problem = error
            hasReadSinceLoss = false
            // One that was silent for too long has already been dead for a while.
            let isSilent = silenceEnd.map { $0 <= now } ?? false
            if !isWatch { liveUntil = isSilent ? now : now + Self.replacedWithin }
        } else {
            problem = error ?? ConfigError(.badResponse, "the server closed the stream before the first event")
        }
        let pause = pauses.backoff(failures, after: error)
        failures += 1
        state = .held
        return (pause, requestedPause + pause)
    }

    /// Follows no longer.
    mutating func rest() { (state, hasReadSinceLoss, liveUntil, problem) = (.off, false, nil, nil) }

    /// Forgets the failures, so that pauses begin with the shortest.
    mutating func resetBackoff() { failures = 0 }
}

/// The recent streams that did not match the state, so that the state was read instead.
struct Resyncs {
    private let pauses: RetryDelays
    private var count = 0
    private var last = Duration.zero
    /// The number since the beginning.
    private(set) var total = 0

    /// A stream that begins, or skips a change, now and then costs a read without anything being wrong.
    private static let tolerated = 3
    private static let maximumPause = Duration.seconds(60)

    init(_ pauses: RetryDelays) { self.pauses = pauses }

    /// Whether the stream has repeatedly not matched the state.
    var isUnsettled: Bool { count > Self.tolerated }

    /// When the stream counts as settled again; `nil` if it does.
    var end: Duration? { isUnsettled ? last + StreamTimer.stableAfter : nil }

    /// Notes that the stream does not match the state, which its next event may report as well.
    mutating func note(at now: Duration) { last = now }

    /// Begins a read for that reason.
    ///
    /// - Returns: The pause before it.
    mutating func begin() -> Duration {
        let longest = pauses.policy.backoff.lowerBound.doubled(max(count - 1, 0), upTo: Self.maximumPause)
        let pause = count == 0 ? .zero : pauses.chance(upTo: longest)
        count += 1
        total += 1
        return pause
    }

    /// Forgets earlier resyncs after a long time.
    mutating func forget(at now: Duration) { if now >= last + StreamTimer.stableAfter { count = 0 } }

    /// Forgets all, at the end of following.
    mutating func rest() { count = 0 }
}
