// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel

/// When a source is read: at intervals, after failures, and on request.
struct ReadTimer {
    private let pauses: RetryDelays
    /// The interval between reads while there is no stream.
    let interval: Duration
    /// Whether no stream reports changes.
    private let isOnly: Bool
    private(set) var isInFlight = false
    /// Whether the stream has called for another read during this one.
    private var isNeededAgain = false
    private var failures = 0
    /// When the next read is due by the rules.
    private(set) var next: Duration?
    /// When a requested read begins, if it has to wait for the one before.
    private var requested: Duration?
    private var lastRequest: Duration?
    /// The error of the last read; `nil` if it succeeded.
    private(set) var problem: ConfigError?
    private(set) var lastSuccess: Duration?
    /// How long the source stated that its last good state stays fresh.
    private var statedInterval: Duration?

    /// The shortest interval, whatever a source states.
    private static let shortest = Duration.milliseconds(50)

    init(every interval: Duration, isOnly: Bool, _ pauses: RetryDelays) {
        (self.isOnly, self.pauses) = (isOnly, pauses)
        self.interval = pauses.policy.pollingInterval ?? min(max(interval, Self.shortest), RetryDelays.longest)
    }

    /// When a read is due, unless one is in flight.
    var due: Duration? { isInFlight ? nil : [next, requested].compactMap(\.self).min() }

    /// Whether the last read succeeded.
    var isGood: Bool { lastSuccess != nil && problem == nil }

    /// Whether a requested read is still to begin.
    var isRequested: Bool { requested != nil }

    /// When what was read last is read again, where nothing reports changes.
    var healthyInterval: Duration { statedInterval ?? interval }

    /// Whether what was read last is so new that it answers a request. With the shortest interval, requests wait for a
    /// moment instead.
    func isFresh(at now: Duration) -> Bool {
        guard let lastSuccess, pauses.policy.minimumFetchInterval > ConnectionPolicy.askSpacing else { return false }
        return now < lastSuccess + pauses.policy.minimumFetchInterval
    }
}

// The next read.
extension ReadTimer {
    mutating func schedule(at time: Duration?) { next = time }

    /// Arranges a read at a time, or leaves the one that is due earlier.
    mutating func schedule(noLaterThan time: Duration) { next = min(next ?? time, time) }

    /// A source that was just read is not read again, and after a failure there is a pause.
    mutating func start(at now: Duration) {
        if isInFlight { return }
        if let problem {
            next = now + pause(after: problem)
        } else if let lastSuccess {
            next = max(now, lastSuccess + pauses.later(healthyInterval))
        } else {
            next = now
        }
    }

    /// A client that loses its stream together with many others does not poll together with them.
    mutating func schedulePoll(from now: Duration, within limit: Duration) {
        if !isInFlight, next == nil { next = now + pauses.chance(upTo: min(limit, interval)) }
    }

    /// A request does not wait for a backoff, but for a moment after the last one.
    mutating func request(at now: Duration) {
        if isInFlight || isRequested { return }
        requested = lastRequest.map { max(now, $0 + ConnectionPolicy.askSpacing) } ?? now
        lastRequest = requested
    }

    mutating func dropRequest() { requested = nil }

    /// Has a read in flight followed by another one.
    ///
    /// - Returns: Whether a read is in flight.
    mutating func needAgain() -> Bool {
        isNeededAgain = isInFlight
        return isInFlight
    }

    mutating func rest() { (next, isNeededAgain) = (nil, false) }

    /// Forgets what was read, which was of another context, and requests of it.
    mutating func beginAgain(at now: Duration) {
        (problem, lastSuccess, statedInterval, lastRequest) = (nil, nil, nil, nil)
        if isRequested { requested = now }
    }

    /// Forgets the failures, so that pauses begin with the shortest.
    mutating func resetBackoff() { failures = 0 }
}

// The beginning and the end of reads.
extension ReadTimer {
    mutating func begin() { (next, requested, isInFlight) = (nil, nil, true) }

    /// - Returns: Whether another read is needed; `nil` if none was in flight.
    mutating func succeeded(nextAfter stated: Duration?, at now: Duration) -> Bool? {
        guard let isNeeded = end() else { return nil }
        (lastSuccess, failures, problem) = (now, 0, nil)
        statedInterval = stated.map(lengthened)
        return isNeeded
    }

    /// Arranges the next read after a success.
    mutating func poll(from now: Duration) { next = now + pauses.later(healthyInterval) }

    /// - Returns: The pause before the next read; `nil` if none was in flight.
    mutating func failed(_ error: ConfigError) -> Duration? {
        guard end() != nil else { return nil }
        problem = error
        defer { failures += 1 }
        return pause(after: error)
    }

    /// - Returns: The pause before the next read; `nil` if none was in flight.
    mutating func cancelled() -> Duration? { end().map { _ in pauses.backoff(failures) } }

    private mutating func end() -> Bool? {
        guard isInFlight else { return nil }
        defer { (isInFlight, isNeededAgain) = (false, false) }
        return isNeededAgain
    }

    /// An invalid answer never makes a source be polled more often; only an unreachable source is tried sooner at first.
    private func pause(after error: ConfigError) -> Duration {
        let backoff = pauses.backoff(failures, after: error)
        if !isOnly { return backoff }
        let healthy = [error.freshFor, statedInterval].compactMap(\.self).max().map(lengthened) ?? interval
        let isEarly = pauses.policy.backoff.lowerBound * (1 << min(failures, 20)) < healthy
        return error.code == .unreachable && isEarly ? min(backoff, healthy) : max(backoff, pauses.later(healthy))
    }

    /// The source's interval can lengthen the program's own, but not shorten it.
    private func lengthened(_ stated: Duration) -> Duration {
        min(max(stated, pauses.policy.pollingInterval ?? Self.shortest), RetryDelays.longest)
    }
}
