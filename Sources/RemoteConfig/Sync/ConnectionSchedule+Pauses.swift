internal import ConfigModel

extension ConnectionSchedule {
    /// The times that the rules speak of.
    struct Timing: Hashable {
        /// The longest pause before the first new attempt.
        var firstBackoff = Duration.milliseconds(200)
        /// The longest pause after anything but a refusal.
        var longestBackoff = Duration.seconds(30)
        /// The longest pause before the first attempt after a refusal, which time alone seldom cures.
        var firstRefusal = Duration.seconds(2)
        /// The longest pause of all.
        var longestRefusal = Duration.seconds(300)
        /// The longest pause between reads because the stream does not fit to the state.
        var longestResync = Duration.seconds(60)
        /// A stream that has lasted this long was a good one: the next failure is the first again.
        var stableAfter = Duration.seconds(60)
        /// A stream without a byte for this long is dead.
        var silenceLimit = Duration.seconds(25)
        /// How often the source is read while there is no stream.
        var pollingInterval = Duration.seconds(30)
        /// The least time from one read that someone asked for to the next.
        var askSpacing = Duration.seconds(1)
        /// A deadline that is missed by this much was slept through.
        var jumpTolerance = Duration.seconds(5)
    }
}

// Pauses, none of which two programs share.
extension ConnectionSchedule {
    /// Any time from none up to a longest one.
    func chance(upTo longest: Duration) -> Duration {
        // Nanoseconds of a year fit into 64 bits.
        let nanoseconds = min(longest, .seconds(365 * 86_400)) / .nanoseconds(1)
        return .nanoseconds(Int64((nanoseconds * jitter()).rounded()))
    }

    /// An interval and up to a fifth of it, so that programs that were started together do not stay together.
    func later(_ interval: Duration) -> Duration {
        interval + chance(upTo: interval / 5)
    }

    /// Full jitter: any pause from none to twice the longest before, so that clients of one server do not return to
    /// it all at once.
    func backoff(_ failures: Int, after error: ConfigError? = nil) -> Duration {
        let isRefusal = error?.isRefusal ?? false
        let first = isRefusal ? timing.firstRefusal : timing.firstBackoff
        let longest = isRefusal ? timing.longestRefusal : timing.longestBackoff
        return chance(upTo: min(first * (1 << min(failures, 20)), longest))
    }

    /// What is polled is never asked more often because it is wrong; only what was not reached is tried sooner at
    /// first.
    func pause(beforeReadingAfter error: ConfigError) -> Duration {
        let backoff = backoff(readFailures, after: error)
        if hasStream { return backoff }
        let stated = [error.freshFor, statedInterval].compactMap(\.self).max()
        let healthy = stated ?? timing.pollingInterval
        let isEarly = timing.firstBackoff * (1 << min(readFailures, 20)) < healthy
        return error.code == .unreachable && isEarly ? min(backoff, healthy) : max(backoff, later(healthy))
    }

    /// Takes in how long a source that was read asks to be left alone, which counts for its stream as well.
    mutating func recordQuietTimeOfRead(_ error: ConfigError, at now: Duration) {
        guard let time = endOfWish(error, at: now), time >= quiet?.until ?? .zero else { return }
        quiet = (time, error)
        askedReadAt = nil
    }

    /// Takes in how long the stream asks to be left alone, which says nothing of reads.
    mutating func recordQuietTimeOfStream(_ error: ConfigError?, at now: Duration) {
        guard let error, let time = endOfWish(error, at: now) else { return }
        streamQuietUntil = max(time, streamQuietUntil ?? time)
    }

    /// A refusal counts for no longer than one that states no time would: it may be that of a network in between.
    private func endOfWish(_ error: ConfigError, at now: Duration) -> Duration? {
        guard let stated = error.retryAfter else { return nil }
        let wish = error.isRefusal ? min(stated, timing.longestRefusal) : stated
        return now + wish + chance(upTo: min(max(wish / 2, timing.firstBackoff), timing.longestBackoff))
    }

    /// What the source said when it asked to be left alone by those who read it; `nil` if that is over.
    func wishToBeLeftAlone(at now: Duration) -> ConfigError? {
        guard let quiet, quiet.until > now else { return nil }
        return quiet.error
    }
}
