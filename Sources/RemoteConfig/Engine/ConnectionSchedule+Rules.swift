// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

// What comes of reads, and when the next one is.
extension ConnectionSchedule {
    mutating func readSucceeded(_ nextReadAfter: Duration?, at now: Duration) {
        guard isReading else { return }
        let isNeededAgain = readAgain
        endRead(at: now)
        lastSuccessAt = now
        (readFailures, readProblem, lastFailure) = (0, nil, nil)
        statedInterval = nextReadAfter.map(atLeastTheOwn)
        guard isActive else { return }
        if isOpen {
            if isNeededAgain { resync(at: now) }
            return
        }
        hasReadSinceLoss = true
        if stream == .held { stream = .waiting(until: now) }
        nextReadAt = now + later(healthyInterval)
    }

    mutating func readFailed(_ error: ConfigError, at now: Duration) {
        guard isReading else { return }
        endRead(at: now)
        (readProblem, lastFailure) = (error, error)
        recordQuietTimeOfRead(error, at: now)
        let pause = pause(beforeReadingAfter: error)
        readFailures += 1
        guard isActive else { return }
        nextReadAt = now + pause
        if case .waiting = stream { stream = .held }
    }

    mutating func readCancelled(at now: Duration) {
        guard isReading else { return }
        endRead(at: now)
        if isActive { nextReadAt = now + backoff(readFailures) }
    }

    private mutating func endRead(at now: Duration) {
        (isReading, readAgain) = (false, false)
        if let number = streamNumber { showedLife(number, at: now) }
    }

    /// A read that is put off because the last one failed stays so: the next event would ask for it again.
    mutating func needRead(at now: Duration) {
        guard isActive else { return }
        if isReading { readAgain = true } else if readProblem == nil { resync(at: now) }
    }

    /// A stream that does not fit may say so in each of its events, so reads for that reason have pauses in between.
    private mutating func resync(at now: Duration) {
        if nextReadAt == nil {
            let longest = pace.backoff.first * (1 << min(max(resyncs.count - 1, 0), 20))
            nextReadAt = now + (resyncs.count == 0 ? .zero : chance(upTo: min(longest, Timing.longestResync)))
            resyncs.count += 1
            totals.resyncs += 1
        }
        resyncs.last = now
    }

    /// Whether the stream has not fitted to the state again and again.
    var isUnsettled: Bool { resyncs.count > Timing.toleratedResyncs }
}

// What happens to the stream.
extension ConnectionSchedule {
    mutating func opened(_ number: Int, at now: Duration) {
        guard case .up(number, nil, _) = stream else { return }
        stream = .up(number, since: now, lastSign: now)
        totals.opened += 1
        streamProblem = nil
        lastFailure = readProblem
        // A read that has failed, or was given up, is tried again; otherwise the stream says all there is.
        if readProblem == nil, lastSuccessAt != nil { nextReadAt = nil }
    }

    mutating func showedLife(_ number: Int, at now: Duration) {
        if case .up(number, let since, _) = stream { stream = .up(number, since: since, lastSign: now) }
    }

    /// A source may ask for a longer pause than the rules do, within reason, and for no shorter one.
    mutating func gaveRetry(_ number: Int, _ pause: Duration) {
        guard streamNumber == number else { return }
        reconnectPause = min(max(pause, .zero), max(pace.backoff.longest, .seconds(30)))
    }

    mutating func ended(_ number: Int, _ error: ConfigError?, at now: Duration) {
        guard case .up(number, let since, _) = stream else { return }
        if let since { broke(error, after: now - since, at: now) } else { failedToOpen(error, at: now) }
    }

    private mutating func failedToOpen(_ error: ConfigError?, at now: Duration) {
        streamProblem = error ?? ConfigError(.badResponse, "the server has ended the stream before it began")
        recordQuietTimeOfStream(error, at: now)
        let pause = backoff(streamFailures, after: error)
        streamFailures += 1
        // Two ramps beside each other would ask twice as often as one.
        let isGone = error?.meansOffline == true && !hasReadSinceLoss
        guard isGone || readProblem != nil else {
            stream = .waiting(until: now + reconnectPause + pause)
            pollSomeTime(from: now)
            return
        }
        stream = .held
        if isReading || readProblem != nil { return }
        lastFailure = error
        nextReadAt = min(nextReadAt ?? now + pause, now + pause)
    }

    private mutating func broke(_ error: ConfigError?, after lifetime: Duration, at now: Duration) {
        if lifetime >= Timing.stableAfter { streamFailures = 0 }
        streamProblem = error
        hasReadSinceLoss = false
        recordQuietTimeOfStream(error, at: now)
        let pause = reconnectPause + backoff(streamFailures, after: error)
        streamFailures += 1
        stream = readProblem == nil ? .waiting(until: now + pause) : .held
        pollSomeTime(from: now)
    }

    /// A client that loses its stream together with many others does not poll together with them.
    private mutating func pollSomeTime(from now: Duration) {
        if isReading || nextReadAt != nil { return }
        nextReadAt = now + chance(upTo: pollingInterval)
    }
}

// Pauses, none of which two programs share.
extension ConnectionSchedule {
    func chance(upTo longest: Duration) -> Duration {
        let nanoseconds = min(longest, Timing.longestPause) / .nanoseconds(1)
        return .nanoseconds(Int64((nanoseconds * jitter()).rounded()))
    }

    /// An interval and up to a fifth of it, so that programs that were started together do not stay together.
    func later(_ interval: Duration) -> Duration {
        interval + chance(upTo: interval / 5)
    }

    /// Full jitter: any pause from none to twice the longest before, so that clients of one server do not return to
    /// it all at once.
    func backoff(_ failures: Int, after error: ConfigError? = nil) -> Duration {
        let backoff = error?.isRefusal == true ? pace.backoffAfterRefusal : pace.backoff
        return chance(upTo: min(backoff.first * (1 << min(failures, 20)), backoff.longest))
    }

    /// What a source states can lengthen the program's own interval, and not shorten it.
    private func atLeastTheOwn(_ stated: Duration) -> Duration {
        min(max(stated, pace.pollingInterval ?? Timing.shortestPolling), Timing.longestPause)
    }

    /// How long what was read last is good for.
    var healthyInterval: Duration { statedInterval ?? pollingInterval }

    /// Whether what was read last is so new that whoever asks gets along with it. With the shortest interval there is,
    /// whoever asks waits for a moment instead.
    func isFresh(at now: Duration) -> Bool {
        guard let lastSuccessAt, pace.minimumFetchInterval > SyncPace.askSpacing else { return false }
        return now < lastSuccessAt + pace.minimumFetchInterval
    }

    /// What is polled is never asked more often because it is wrong; only what was not reached is tried sooner at
    /// first.
    func pause(beforeReadingAfter error: ConfigError) -> Duration {
        let backoff = backoff(readFailures, after: error)
        if hasStream { return backoff }
        let stated = [error.freshFor, statedInterval].compactMap(\.self).max()
        let healthy = stated.map(atLeastTheOwn) ?? pollingInterval
        let isEarly = pace.backoff.first * (1 << min(readFailures, 20)) < healthy
        return error.code == .unreachable && isEarly ? min(backoff, healthy) : max(backoff, later(healthy))
    }

    /// How long a source that was read asks to be left alone counts for its stream as well.
    mutating func recordQuietTimeOfRead(_ error: ConfigError, at now: Duration) {
        guard let time = endOfWish(error, at: now), time >= quiet?.until ?? .zero else { return }
        quiet = (time, error)
        askedReadAt = nil
    }

    /// How long the stream asks to be left alone says nothing of reads.
    mutating func recordQuietTimeOfStream(_ error: ConfigError?, at now: Duration) {
        guard let error, let time = endOfWish(error, at: now) else { return }
        streamQuietUntil = max(time, streamQuietUntil ?? time)
    }

    /// A refusal's wish counts for five minutes at most: it may be that of a network in between.
    private func endOfWish(_ error: ConfigError, at now: Duration) -> Duration? {
        guard let stated = error.retryAfter else { return nil }
        let wish = min(stated, error.isRefusal ? Timing.longestWishOfRefusal : Timing.longestPause)
        return now + wish + chance(upTo: min(max(wish / 2, pace.backoff.first), pace.backoff.longest))
    }

    /// What the source said when it asked to be left alone by those who read it; `nil` if that is over.
    func wishToBeLeftAlone(at now: Duration) -> ConfigError? {
        guard let quiet, quiet.until > now else { return nil }
        return quiet.error
    }
}

// What the user sees.
extension ConnectionSchedule {
    private var isOpen: Bool { if case .up(_, .some, _) = stream { true } else { false } }

    var phase: SyncStatus.Phase {
        if isOffline { return .offline }
        let hasRead = lastSuccessAt != nil
        if isOpen, readProblem == nil, hasRead { return isUnsettled ? .polling : .live }
        if let lastFailure { return lastFailure.meansOffline ? .offline : .error }
        return hasRead ? .polling : .starting
    }

    var problem: ConfigError? {
        if isOffline { return nil }
        if isOpen { return readProblem ?? (isUnsettled ? .unsettled : nil) }
        return lastFailure ?? streamProblem
    }

    /// When the next attempt is due, unless every change arrives as it happens.
    var nextAttempt: Duration? {
        problem == nil && phase != .polling ? nil : [nextRead, nextOpening].compactMap(\.self).min()
    }

    /// Whether a read that someone asked for is still to begin.
    var isAsked: Bool { askedReadAt != nil }
}

extension ConfigError {
    /// Whether the source knows who asks and does not want to answer.
    var isRefusal: Bool { code == .unauthorized || code == .forbidden }

    /// Whether the source was not there, rather than there and wrong.
    var meansOffline: Bool { [.unreachable, .unavailable, .rateLimited, .notFound].contains(code) }

    static let setOffline = ConfigError(
        .offline,
        "the program has been set offline, so nothing was asked; end that with setOffline(false)"
    )

    static let unsettled = ConfigError(
        .damaged,
        "the server's events do not fit its state again and again; the state is read instead, with pauses in between"
    )
}
