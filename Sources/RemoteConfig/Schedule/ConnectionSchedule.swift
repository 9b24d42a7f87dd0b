// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The schedule of reads and streams of a source, as a value: events go in, actions come out.
///
/// A source that is watched has one stream, that of its hints, for as long as it is followed; its reads are begun by hints and
/// callers, and the schedule gets their results. Reads of any other source are actions of the schedule.
///
/// ``ReadTimer`` schedules the reads, ``StreamTimer`` the stream, ``RetryDelays`` computes pauses, ``RetryAfterTimes``
/// keeps the `Retry-After` of the source, and ``Resyncs`` counts the streams that do not match the state; the schedule
/// combines them. It has neither a clock nor random numbers, so that a test can play every sequence of events. Times
/// are durations since any one moment.
///
/// Each ``Action/read`` is answered by exactly one of ``Input/readSucceeded(nextReadAfter:)``,
/// ``Input/readFailed(_:)`` and ``Input/readCancelled``. Until then no other read begins.
package struct ConnectionSchedule {
    package enum Input: Hashable {
        case started
        /// Started again after a pause: there is a read at once, unless the last one is recent enough.
        case resumed
        /// Pending refreshes are cancelled.
        case stopped
        /// The ``ConnectionSchedule/deadline`` has come, or may have.
        case timePassed
        /// The stream with this number has sent its position.
        case streamOpened(Int)
        /// Bytes have come through the stream with this number.
        case streamAlive(Int)
        /// The stream with this number requests a pause before the next connection.
        case retryGiven(Int, Duration)
        /// The stream with this number has ended, with or without an error.
        case streamEnded(Int, ConfigError?)
        /// The stream with this number of a watched source has ended without a hint, and the source could not be read.
        case unreadStreamEnded(Int, ConfigError)
        case readSucceeded(nextReadAfter: Duration? = nil)
        case readFailed(ConfigError)
        case readCancelled
        /// The state does not match the stream.
        case readNeeded
        /// A refresh is requested.
        case asked
        /// No requests from now on; pending requested reads are cancelled.
        case wentOffline
        case cameOnline
        /// The network is another one. A read in flight has been replaced.
        case networkChanged
        /// All that was read is of a former context. A read in flight has been replaced by one in the current context.
        case contextChanged(keepsStream: Bool = false)
    }

    package enum Action: Hashable {
        case read
        /// Open the stream and give it this number; ``Input/streamEnded(_:_:)`` follows unless it is closed.
        case openStream(Int)
        /// Close the stream with this number, and report nothing more of it.
        case closeStream(Int)
    }

    /// A deadline that is missed by this much was slept through.
    static let jumpTolerance = Duration.seconds(5)

    /// Whether the source reports by hints.
    let isWatched: Bool
    let hasStream: Bool
    private let heartbeatTimeout: Duration
    private(set) var isStarted = false
    private(set) var isOffline = false
    /// Whether the source was followed, and is not any more.
    private var hasEnded = false
    /// Whether a watched source has not been read since following it began.
    private var isBeginning = true
    private(set) var reads: ReadTimer
    private(set) var stream: StreamTimer
    private(set) var resyncs: Resyncs
    private var quiet: RetryAfterTimes
    /// The error of the last attempt of any kind; `nil` if it succeeded.
    private var lastFailure: ConfigError?

    package init(for delivery: SourceDelivery, _ pauses: RetryDelays) {
        let pollingInterval: Duration
        switch delivery {
        case .watched: (isWatched, hasStream, pollingInterval) = (true, true, .seconds(30))
        case .polled(let interval): (isWatched, hasStream, pollingInterval) = (false, false, interval)
        case .streamed(let interval): (isWatched, hasStream, pollingInterval) = (false, true, interval)
        }
        heartbeatTimeout = pauses.policy.heartbeatTimeout
        reads = ReadTimer(every: pollingInterval, isOnly: !hasStream, pauses)
        stream = StreamTimer(isWatch: isWatched, pauses)
        resyncs = Resyncs(pauses)
        quiet = RetryAfterTimes(pauses)
    }

    var isActive: Bool { isStarted && !isOffline }

    /// - Parameter now: never less than before.
    package mutating func handle(_ input: Input, at now: Duration) -> [Action] {
        let hasSlept = deadline.map { now > $0 + Self.jumpTolerance } ?? false
        resyncs.forget(at: now)
        var actions = apply(input, at: now)
        if hasSlept { actions += wake(at: now) }
        return actions + due(at: now)
    }

    private mutating func apply(_ input: Input, at now: Duration) -> [Action] {
        switch input {
        case .started: start(at: now)
        case .resumed: resume(at: now)
        case .stopped:
            (isStarted, hasEnded) = (false, true)
            reads.dropRequest()
            return rest()
        case .wentOffline:
            isOffline = true
            if isWatched { (lastFailure, isBeginning) = (nil, true) }
            reads.dropRequest()
            return rest()
        case .cameOnline: leaveOffline(at: now)
        case .networkChanged: return reconnect(at: now)
        case .contextChanged(let keepsStream): return beginAgain(keepsStream: keepsStream, at: now)
        case .asked: ask(at: now)
        case .timePassed: break
        case .streamOpened(let number): opened(number, at: now)
        case .streamAlive(let number): stream.showedLife(number, at: now)
        case .retryGiven(let number, let pause): stream.requested(pause, by: number)
        case .streamEnded(let number, let error): ended(number, error, at: now)
        case .unreadStreamEnded(let number, let error): watchEnded(number, nil, unread: error, at: now)
        case .readSucceeded(let nextReadAfter): readSucceeded(nextReadAfter, at: now)
        case .readFailed(let error): readFailed(error, at: now)
        case .readCancelled: readCancelled(at: now)
        case .readNeeded: needRead(at: now)
        }
        return []
    }
}

// Due work and its time.
extension ConnectionSchedule {
    /// The time for the next ``Input/timePassed`` without other events; `nil` if none is needed.
    package var deadline: Duration? {
        [nextRead, nextOpening, stream.silenceEnd, stream.liveUntil, resyncs.end].compactMap(\.self).min()
    }

    package var nextRead: Duration? { reads.due.map(quiet.read(dueAt:)) }

    package var nextOpening: Duration? { stream.opening.map(quiet.opening(dueAt:)) }

    private mutating func due(at now: Duration) -> [Action] {
        var actions = closeIfDead(at: now)
        loseIfUnanswered(at: now)
        if let time = nextRead, time <= now {
            reads.begin()
            actions.append(.read)
        }
        if let time = nextOpening, time <= now { actions.append(.openStream(stream.open(at: now))) }
        return actions
    }

    private mutating func closeIfDead(at now: Duration) -> [Action] {
        guard let number = stream.number, let end = stream.silenceEnd, end <= now else { return [] }
        if reads.isInFlight {
            // The stream is not read during a fetch, so its silence means nothing. The deadline detects a sleep of the machine.
            stream.showedLife(number, at: now)
            return []
        }
        let seconds = heartbeatTimeout.components.seconds
        ended(number, ConfigError(.unreachable, "no data from the server for \(seconds) s"), at: now)
        return [.closeStream(number)]
    }

    /// Counts a stream that has not been replaced in time as a failed attempt, unless a read has succeeded since it ended.
    private mutating func loseIfUnanswered(at now: Duration) {
        guard let end = stream.liveUntil, end <= now else { return }
        stream.liveUntil = nil
        guard lastFailure == nil, reads.lastSuccess != nil, !stream.hasReadSinceLoss else { return }
        lastFailure = stream.problem?.meansOffline == true ? stream.problem : .unanswered
    }

    private var closing: [Action] { stream.number.map { [.closeStream($0)] } ?? [] }
}

// The start, refreshes and pauses.
extension ConnectionSchedule {
    private mutating func start(at now: Duration) {
        guard !isStarted else { return }
        (isStarted, hasEnded, isBeginning) = (true, false, true)
        guard isActive else { return }
        if isWatched { return stream.wait(until: now) }
        // The stream follows the first read, on its connection: a second one for each client would cost a server to which many
        // return at once as many handshakes again, and memory.
        if hasStream { if reads.isGood { stream.wait(until: now) } else { stream.hold() } }
        reads.start(at: now)
    }

    /// The stream follows the read: one that begins at the former state would have it read again.
    private mutating func resume(at now: Duration) {
        start(at: now)
        if !isWatched, !reads.isFresh(at: now) { ask(at: now) }
    }

    /// A requested refresh does not wait for a backoff, but for the server's `Retry-After`, and for a moment after the last
    /// request.
    private mutating func ask(at now: Duration) {
        if isOffline || retryAfterError(at: now) != nil { return }
        resetBackoff()
        reads.request(at: now)
        if isActive, hasStream, stream.number == nil { stream.hold() }
    }

    private mutating func rest() -> [Action] {
        let actions = closing
        stream.rest()
        reads.rest()
        resyncs.rest()
        return actions
    }

    private mutating func leaveOffline(at now: Duration) {
        guard isOffline else { return }
        isOffline = false
        if isActive { reconnectNow(at: now) }
    }

    /// The stream has hardly survived, and pauses were for the former network. A `Retry-After` still applies, and so
    /// does the interval between requests, since a weak network may come and go.
    private mutating func reconnect(at now: Duration) -> [Action] {
        guard isActive else { return [] }
        if isWatched {
            if stream.number == nil { stream.wait(until: now) }
            return []
        }
        let actions = closing
        resetBackoff()
        if hasStream { stream.hold() }
        reads.request(at: now)
        return actions
    }

    /// Nothing is known in the new context, and nothing has failed in it. A `Retry-After` applies to all contexts.
    private mutating func beginAgain(keepsStream: Bool, at now: Duration) -> [Action] {
        let actions = keepsStream ? [] : rest()
        reads.beginAgain(at: now)
        (lastFailure, isBeginning) = (retryAfterError(at: now), true)
        if isActive, !keepsStream { reconnectNow(at: now) }
        return actions
    }

    /// After a sleep of the machine, postponed work is done at once, and a stream has hardly survived.
    private mutating func wake(at now: Duration) -> [Action] {
        guard isActive else { return [] }
        let actions = closing
        // An earlier `Retry-After` was for a running program, in the network of that time.
        quiet.end()
        reconnectNow(at: now)
        return actions
    }

    private mutating func reconnectNow(at now: Duration) {
        resetBackoff()
        if !isWatched, !reads.isInFlight { reads.schedule(at: now) }
        if hasStream { stream.wait(until: now) }
    }

    private mutating func resetBackoff() {
        reads.resetBackoff()
        stream.resetBackoff()
    }
}

// The outcomes of reads.
extension ConnectionSchedule {
    private mutating func readSucceeded(_ nextReadAfter: Duration?, at now: Duration) {
        // A hint or a caller has begun it.
        if isWatched { reads.begin() }
        guard let isNeededAgain = reads.succeeded(nextAfter: nextReadAfter, at: now) else { return }
        showedLife(at: now)
        (lastFailure, isBeginning) = (nil, false)
        if isWatched { return stream.watchIsRead() }
        guard isActive else { return }
        if stream.isOpen {
            if isNeededAgain { resync(at: now) }
            return
        }
        stream.readSucceeded(at: now)
        reads.poll(from: now)
    }

    private mutating func readFailed(_ error: ConfigError, at now: Duration) {
        if isWatched { return (lastFailure, isBeginning) = (error, false) }
        guard let pause = reads.failed(error) else { return }
        showedLife(at: now)
        lastFailure = error
        if quiet.readFailed(error, at: now) { reads.dropRequest() }
        guard isActive else { return }
        // A draft that has ended does not open again: only a request reads its preview.
        if error.code != .ended { reads.schedule(at: now + pause) }
        stream.readFailed()
    }

    private mutating func readCancelled(at now: Duration) {
        guard let pause = reads.cancelled() else { return }
        showedLife(at: now)
        if isActive { reads.schedule(at: now + pause) }
    }

    /// The stream was not checked during the read.
    private mutating func showedLife(at now: Duration) {
        if let number = stream.number { stream.showedLife(number, at: now) }
    }

    /// A read that is postponed after a failure stays postponed: the next event would request it again.
    private mutating func needRead(at now: Duration) {
        if isActive, !reads.needAgain(), reads.problem == nil { resync(at: now) }
    }

    /// A stream that does not match the state may report it in each of its events, so reads for that reason have pauses
    /// in between.
    private mutating func resync(at now: Duration) {
        if reads.next == nil { reads.schedule(at: now + resyncs.begin()) }
        resyncs.note(at: now)
    }
}

// The events of the stream.
extension ConnectionSchedule {
    private mutating func opened(_ number: Int, at now: Duration) {
        guard stream.opened(number, at: now) else { return }
        lastFailure = reads.problem
        // A failed or cancelled read is repeated; otherwise the stream reports everything.
        if reads.problem == nil, reads.lastSuccess != nil { reads.schedule(at: nil) }
    }

    private mutating func ended(_ number: Int, _ error: ConfigError?, at now: Duration) {
        if isWatched { return watchEnded(number, error, at: now) }
        guard stream.number == number else { return }
        quiet.streamFailed(error, at: now)
        let wasOpen = stream.isOpen
        let isGone = !wasOpen && !stream.hasReadSinceLoss && error?.meansOffline == true
        let pause = stream.ended(error, at: now)
        // Two concurrent backoffs would send twice as many requests as one.
        if isGone, reads.problem == nil, reads.isInFlight { return }
        if !wasOpen { stream.liveUntil = nil }
        if isGone, reads.problem == nil {
            lastFailure = error
            reads.schedule(noLaterThan: now + pause.attempt)
        } else {
            if reads.problem == nil { stream.wait(until: now + pause.opening) }
            // A read shows whether the source is there, where the stream is opened too late for that.
            let isLate = stream.liveUntil.map { $0 < nextOpening ?? now } ?? false
            reads.schedulePoll(from: now, within: isLate ? StreamTimer.replacedWithin / 2 : reads.interval)
        }
    }

    /// A watched source is followed again after an error. Without one, it has nothing more to report.
    private mutating func watchEnded(
        _ number: Int,
        _ error: ConfigError?,
        unread: ConfigError? = nil,
        at now: Duration
    ) {
        guard stream.number == number else { return }
        guard let failure = error ?? unread else {
            stream.rest()
            stream.resetBackoff()
            if reads.lastSuccess != nil { isBeginning = false }
            return
        }
        stream.wait(until: now + stream.ended(failure, at: now).opening)
        // Following has not failed.
        if error == nil { stream.forgetProblem() }
        (lastFailure, isBeginning) = (failure, false)
    }

    /// The error with the source's `Retry-After`; `nil` once that has passed.
    func retryAfterError(at now: Duration) -> ConfigError? { quiet.error(at: now) }
}

// The status for the user.
extension ConnectionSchedule {
    package var phase: SourceStatus.Phase {
        if isOffline { return .offline }
        if hasEnded { return .stopped }
        if isWatched, !isBeginning {
            if lastFailure?.meansOffline == true { return .offline }
            return isStarted && stream.problem == nil ? .streaming : .polling
        }
        let hasRead = reads.lastSuccess != nil
        if isLive, reads.problem == nil, hasRead { return resyncs.isUnsettled ? .polling : .streaming }
        if let lastFailure { return lastFailure.meansOffline ? .offline : .polling }
        return hasRead ? .polling : .starting
    }

    /// Whether the stream is open, or is about to be replaced: a short interruption is not shown.
    private var isLive: Bool { !isWatched && (stream.isOpen || stream.liveUntil != nil) }

    var problem: ConfigError? {
        if isOffline { return nil }
        if isLive { return reads.problem ?? (resyncs.isUnsettled ? .unsettled : nil) }
        return lastFailure ?? stream.problem
    }

    /// Whether the problem is that of the last attempt.
    var hasFailed: Bool { !isOffline && (isLive ? reads.problem : lastFailure) != nil }

    /// The time of the next attempt, unless every change arrives by stream.
    var nextAttempt: Duration? {
        !isWatched && problem == nil && phase != .polling ? nil : [nextRead, nextOpening].compactMap(\.self).min()
    }
}

extension ConfigError {
    /// Whether the source has identified the client and refuses access.
    var isRefusal: Bool { code == .unauthorized || code == .forbidden }

    /// Whether the source was unavailable, and not invalid.
    var meansOffline: Bool { [.unreachable, .unavailable, .rateLimited, .notFound, .ended].contains(code) }

    static let setOffline = ConfigError(
        .offline,
        "not refreshed: the program is set offline; call setOffline(false)"
    )

    static let unanswered = ConfigError(
        .unreachable,
        "the event stream ended, and the server has not answered since"
    )

    static let unsettled = ConfigError(
        .damaged,
        "repeated inconsistencies between the server's events and its state; falling back to polling"
    )
}
