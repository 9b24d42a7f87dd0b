internal import ConfigModel

// What happens to the stream.
extension ConnectionSchedule {
    mutating func opened(_ number: Int, at now: Duration) {
        guard case .opening(number, _) = stream else { return }
        stream = .open(number, since: now, lastSign: now)
        streamProblem = nil
        lastFailure = readProblem
        // A read that has failed, or was given up, is tried again; otherwise the stream says all there is.
        if readProblem == nil, lastSuccessAt != nil { nextReadAt = nil }
    }

    mutating func showedLife(_ number: Int, at now: Duration) {
        switch stream {
        case .opening(number, _): stream = .opening(number, lastSign: now)
        case .open(number, let since, _): stream = .open(number, since: since, lastSign: now)
        default: break
        }
    }

    /// A source may ask for a longer pause than the rules do, within reason, and for no shorter one.
    mutating func gaveRetry(_ number: Int, _ pause: Duration) {
        guard streamNumber == number else { return }
        reconnectPause = min(max(pause, .zero), timing.longestBackoff)
    }

    mutating func ended(_ number: Int, _ error: ConfigError?, at now: Duration) {
        switch stream {
        case .opening(number, _): failedToOpen(error, at: now)
        case .open(number, let since, _): broke(error, after: now - since, at: now)
        default: break
        }
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
        if lifetime >= timing.stableAfter { streamFailures = 0 }
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
        nextReadAt = now + chance(upTo: timing.pollingInterval)
    }
}
