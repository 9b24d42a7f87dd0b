// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

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
/// The numbers are no part of what makes two states differ: ``ConfigState/updates()`` yields nothing for
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
