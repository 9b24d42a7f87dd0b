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
    /// The draft whose preview the values are; `nil` for a configuration.
    public var preview: String?
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

/// The counters of a service since its creation.
package struct SourceStatistics: Hashable, Sendable {
    /// The time of the last successful report of the source's contents: a read, or an event of its stream.
    package var lastSuccessAt: Timestamp?
    /// The number of reads of the source, with any outcome.
    package var fetches = 0
    /// The number of failed reads since the last good one.
    package var consecutiveFailures = 0
    /// The number of bytes received over the network: by reads, with headers and compressed bodies, whatever their outcome, and
    /// by streams, without their headers. Redirects, and a response that led to another token, are not counted.
    package var bytesReceived = 0
    /// The number of streams opened after the first one.
    package var reconnects = 0
    /// The number of times the stream did not match the state, so that the state was read instead.
    package var resyncs = 0

    /// Creates the numbers of the beginning.
    package init() {}
}

/// The counters of a service since its creation.
///
/// The numbers are no part of what makes two states differ: ``ConfigState/observe()`` yields nothing for
/// them, so that a heartbeat wakes no observer. Read them when you need them:
///
/// ```swift
/// let status = service.state.current.status
/// print(status.consecutiveFailures, status.bytesReceived)
/// ```
///
/// swift-metrics gets the same, once a backend has been set, with the dimension `source`: host and port, `local`, or
/// `layers` for the whole of a ``LayeredSource``. Layers of the same name have their place behind it, as in `local#1`
/// for the topmost.
///
/// - `livery_client_fetches_total`, a counter with the dimension `outcome`: `changed`, `staged`, `unchanged`, `failed`
/// - `livery_client_fetch_duration_seconds`, a timer
/// - `livery_client_received_bytes_total`, `livery_client_reconnects_total` and `livery_client_resyncs_total`, counters
/// - `livery_client_consecutive_failures`, a gauge
/// - `livery_client_revision`, a gauge: the server's revision that is shown, or the program's own without a server
/// - `livery_client_last_success_timestamp_seconds`, a gauge: the time since 1970, from which a backend gets the age
extension SourceStatus {
    /// The time of the last successful report of the source's contents: a read, or an event of its stream.
    public var lastSuccessAt: Timestamp? { statistics.lastSuccessAt }

    /// The number of reads of the source, with any outcome.
    public var fetches: Int { statistics.fetches }

    /// The number of failed reads since the last good one.
    public var consecutiveFailures: Int { statistics.consecutiveFailures }

    /// The number of bytes received over the network: by reads, with headers and compressed bodies, whatever their outcome, and
    /// by streams, without their headers. Redirects, and a response that led to another token, are not counted.
    public var bytesReceived: Int { statistics.bytesReceived }

    /// The number of streams opened after the first one.
    public var reconnects: Int { statistics.reconnects }

    /// The number of times the stream did not match the state, so that the state was read instead.
    public var resyncs: Int { statistics.resyncs }
}
