// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The relation of a program's configuration to its source.
public struct SourceStatus: Hashable, Sendable {
    /// The way in which changes of the source arrive now.
    public enum Phase: String, Hashable, Sendable {
        /// The source has not answered yet in this run of the program, or for the present context.
        case starting
        /// Every change arrives as it happens: the stream of the server is open, or the file is watched. A stream that has
        /// ended counts as open until the first attempt to replace it fails, for at most 1.5 s.
        case streaming
        /// The source can be read, and is read at intervals, or by ``RemoteConfigService/refresh(timeout:)`` alone where the
        /// service has not run yet. ``SourceStatus/problem`` is why a source that could be streamed is not; a file without
        /// a problem is where the system does not report every change.
        case polling
        /// The last attempt did not reach the source, which is retried; or its stream has ended, and it has not answered
        /// since; or the program has been set offline (``SourceStatus/isSetOffline``).
        case offline
        /// The last run of the service has ended, or the service is paused, so nothing follows the source;
        /// ``RemoteConfigService/refresh(timeout:)`` reads it.
        case stopped
    }

    /// The origin of the current values.
    public typealias Origin = ValueOrigin

    /// The way in which changes of the source arrive now.
    public var phase: Phase
    /// The source as the user named it.
    public var source: String
    /// The origin of the current values.
    public var origin = Origin.nothing
    /// The time at which the source's current contents were made, if it reports it.
    public var modifiedAt: Timestamp?
    /// The time of the configuration's last change while the program ran.
    public var lastChangeAt: Timestamp?
    /// The current problem, if there is one.
    public var problem: ConfigError?
    /// Whether the last attempt to read or to reach the source failed, because of the ``problem``: the last good values stay,
    /// and may be out of date. Otherwise a problem concerns a part of the source, or only its stream.
    public var hasFailed = false
    /// The problem of the cache for the next start, if there is one: it was damaged, or cannot be written.
    public var cacheProblem: ConfigError?
    /// When the next attempt is due, if something is wrong or the source is polled; `nil` if only
    /// ``RemoteConfigService/refresh(timeout:)`` makes another.
    public var nextAttemptAt: Timestamp?
    /// The start of the read in progress, if it has taken more than half a second: the source is slow, or sends its response in
    /// small pieces. `nil` at the end of the read.
    public var readingSince: Timestamp?
    /// Whether the program was set offline (``RemoteConfigService/setOffline(_:)``) and makes no request. The phase is
    /// `offline` then.
    public var isSetOffline = false
    /// Whether ``RemoteConfigService/activate()``, or the next launch, changes a value; see ``ActivationPolicy``. Fetched
    /// rules that make no difference in the current context are staged as well; this becomes `true` with a context in which
    /// they do.
    public var hasStagedChanges = false

    /// The counters, which are not compared between states.
    package var statistics: SourceStatistics {
        get { counted.value }
        set { counted.value = newValue }
    }
    private var counted = Uncompared(SourceStatistics())

    /// Creates the status before the first reading.
    public init(source: String) {
        self.source = source
        phase = .starting
    }
}
