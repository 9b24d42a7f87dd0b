// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import Files

/// The state of the connection to a source: its last problem, and the time of the next attempt.
///
/// A source that is watched is followed by one listener; any other has a ``ConnectionSchedule`` of reads and streams. The
/// connection has no clock: it is given the time.
struct Connection {
    /// Whether the source reports by hints, and is followed for as long as a run lasts.
    let isWatched: Bool
    private let source: any ConfigSource
    private let settings: ServiceSettings
    /// The schedule of reads and streams, unless the source is watched.
    var schedule: ConnectionSchedule
    /// Whether the program is set offline.
    private(set) var isOffline: Bool
    /// The number of times the program was set offline: work begun before is ignored.
    private(set) var offlineCount = 0
    /// Whether a run follows the source; `nil` before the first.
    private var isFollowed: Bool?
    /// The retries of following a watched source, or of reading one that reports nothing.
    private var watch = Retry()
    /// The error that ended following a watched source last; `nil` if it was reading that failed.
    private var followError: ConfigError?
    /// The time of the next attempt, kept so that it is computed once.
    private var nextAttempt: (due: Duration, at: Timestamp)?

    init(to source: any ConfigSource, _ settings: ServiceSettings) {
        (self.source, self.settings) = (source, settings)
        isWatched = source.delivery == .watched
        isOffline = settings.isOffline
        schedule = ConnectionSchedule(for: source.delivery, settings.pauses)
        if isOffline { _ = schedule.handle(.wentOffline, at: settings.clock.elapsed) }
    }

    /// The time of the next deadline; `nil` if there is none.
    var deadline: Duration? { [schedule.deadline, watch.due].compactMap(\.self).min() }

    /// Sets the program offline or online.
    ///
    /// - Returns: Whether it was not so already.
    mutating func setOffline(_ isOffline: Bool) -> Bool {
        if isOffline == self.isOffline { return false }
        self.isOffline = isOffline
        if isOffline {
            offlineCount += 1
            watch.attempted()
        }
        return true
    }
}

// A source that is watched.
extension Connection {
    /// The problem because of which the source is not followed until the next attempt.
    private var watchProblem: ConfigError? { watch.due == nil ? nil : followError }

    /// Whether the last attempt to follow the source has failed.
    var cannotFollow: Bool { followError != nil }

    /// Notes an attempt to follow the source.
    mutating func followed() { watch.attempted() }

    /// Whether it is time to follow the source again.
    func followsAgain(at now: Duration) -> Bool { watch.due.map { $0 <= now } ?? false }

    /// Notes the beginning of a run.
    mutating func begin() { isFollowed = true }

    /// Notes the end of the last run, and forgets what has failed.
    mutating func end() { (isFollowed, watch) = (false, Retry()) }

    /// Notes that the source has nothing more to report, or could not be followed and is tried again.
    ///
    /// - Returns: The problem to show, if there is one.
    mutating func followEnded(_ end: FollowEnd, at now: Duration) -> ConfigError? {
        let error = end.followError ?? end.readError
        if error == nil || end.hasLasted { watch.succeeded() }
        followError = nil
        guard let error else { return nil }
        let problem = error.source == nil ? error.naming(source: source.name) : error
        if end.followError != nil { followError = problem }
        watch.failed(at: now, pause: settings.pauses.backoff(watch.failures, after: error))
        return problem
    }
}

/// The end of following a source; without an error if it has nothing more to report.
struct FollowEnd: Sendable {
    var followError: ConfigError?
    /// The error of reading a source that reports nothing.
    var readError: ConfigError?
    /// Whether it was followed for long enough that the next failure is the first again.
    var hasLasted = false
}

// The status for the user.
extension Connection {
    /// Updates the status.
    ///
    /// - Parameters:
    ///   - partProblem: The problem of a part of the source.
    ///   - hasAnswered: Whether the source has answered.
    mutating func show(in status: inout SourceStatus, besides partProblem: ConfigError?, _ hasAnswered: Bool) {
        if status.isSetOffline != isOffline, isWatched {
            // The following read has more details.
            if isOffline { status.phase = .offline } else { showBeginning(in: &status, hasAnswered) }
            (status.problem, status.hasFailed) = (nil, false)
        }
        status.isSetOffline = isOffline
        status.nextAttemptAt = nextAttemptTime()
        if !isWatched {
            (status.phase, status.hasFailed) = (schedule.phase, schedule.hasFailed)
            status.problem = schedule.problem ?? partProblem
        }
        showEnd(in: &status)
    }

    /// Shows why the source cannot be read or followed.
    mutating func show(_ problem: ConfigError, in status: inout SourceStatus) {
        status.phase = problem.meansOffline ? .offline : watchedPhase
        (status.problem, status.hasFailed) = (problem, true)
        status.nextAttemptAt = nextAttemptTime()
        showEnd(in: &status)
    }

    private func showEnd(in status: inout SourceStatus) {
        // Nothing follows the source, whatever a read finds.
        if isFollowed == false, !isOffline { status.phase = .stopped }
    }

    /// The way in which changes of a watched source arrive.
    private var watchedPhase: SourceStatus.Phase {
        isFollowed == true && watchProblem == nil && source.active?.reportsEveryChange() != false
            ? .streaming : .polling
    }

    /// Shows that the source was read.
    ///
    /// - Parameter pause: The time until the next read, if the source specifies it.
    mutating func showReading(
        in status: inout SourceStatus,
        besides partProblem: ConfigError?,
        nextReadAfter pause: Duration? = nil
    ) {
        guard isWatched else {
            // The values and the phase are shown together: the schedule is notified once the values are current.
            var next = schedule
            _ = next.handle(.readSucceeded(nextReadAfter: pause), at: settings.clock.elapsed)
            (status.phase, status.hasFailed) = (next.phase, next.hasFailed)
            status.problem = next.problem ?? partProblem
            return showEnd(in: &status)
        }
        // A read does not show that the source can be followed.
        if watchProblem == nil { watch.attempted() }
        status.phase = watchedPhase
        (status.problem, status.hasFailed) = (watchProblem ?? partProblem, false)
        status.nextAttemptAt = nextAttemptTime()
        showEnd(in: &status)
    }

    /// Shows that a watched source is read next.
    func showBeginning(in status: inout SourceStatus, _ hasAnswered: Bool) {
        if isWatched { status.phase = hasAnswered ? .polling : .starting }
    }

    /// The wall-clock time of the next attempt.
    private mutating func nextAttemptTime() -> Timestamp? {
        guard let due = isWatched ? watch.due : schedule.nextAttempt else {
            nextAttempt = nil
            return nil
        }
        if let nextAttempt, nextAttempt.due == due { return nextAttempt.at }
        let (seconds, attoseconds) = (due - settings.clock.elapsed).components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let time = Timestamp(milliseconds: settings.now().milliseconds + milliseconds)
        nextAttempt = (due, time)
        return time
    }
}

extension ConnectionSchedule {
    fileprivate init(for delivery: SourceDelivery, _ pauses: RetryDelays) {
        switch delivery {
        case .watched: self.init(hasStream: false, pauses)
        case .polled(let interval): self.init(hasStream: false, pollingInterval: interval, pauses)
        case .streamed(let interval): self.init(hasStream: true, pollingInterval: interval, pauses)
        }
    }
}
