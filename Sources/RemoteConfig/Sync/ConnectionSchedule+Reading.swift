internal import ConfigModel

// What comes of reads, and when the next one is.
extension ConnectionSchedule {
    mutating func readSucceeded(_ nextReadAfter: Duration?, at now: Duration) {
        guard isReading else { return }
        let isNeededAgain = readAgain
        endRead(at: now)
        lastSuccessAt = now
        (readFailures, readProblem, lastFailure) = (0, nil, nil)
        statedInterval = nextReadAfter
        guard isActive else { return }
        if case .open = stream {
            if isNeededAgain { resync(at: now) }
            return
        }
        hasReadSinceLoss = true
        if stream == .held { stream = .waiting(until: now) }
        nextReadAt = now + later(nextReadAfter ?? timing.pollingInterval)
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
            let longest = timing.firstBackoff * (1 << min(max(resyncs.count - 1, 0), 20))
            nextReadAt = now + (resyncs.count == 0 ? .zero : chance(upTo: min(longest, timing.longestResync)))
            resyncs.count += 1
        }
        resyncs.last = now
    }

    /// Whether the stream has not fitted to the state again and again.
    var isUnsettled: Bool { resyncs.count > ResyncCount.tolerated }
}

/// How often a stream has lately not fitted to the state.
struct ResyncCount: Hashable {
    /// A stream that begins, or skips a change, now and then costs a read without anything being wrong.
    static let tolerated = 3

    var count = 0
    /// When it was last so.
    var last: Duration?

    /// Begins anew after a time of peace.
    mutating func forget(at now: Duration, after peace: Duration) {
        if let last, now >= last + peace { self = ResyncCount() }
    }
}
