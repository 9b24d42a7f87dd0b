// SPDX-License-Identifier: Apache-2.0

/// The limits of a server's input, and its timeouts. The limits of a value are those of `EntryValue`, and the limits of a
/// namespace are `NamespaceQuotas`.
public struct ServerLimits: Hashable, Sendable {
    /// The maximum size of a request's body, in bytes: 8 MiB, the same as for a document.
    public var bodyBytes = 8 * 1024 * 1024
    /// The maximum size of all request bodies in memory, in bytes; a request beyond it receives 503.
    public var allBodyBytes = 128 * 1024 * 1024
    /// The maximum size of all answers in memory that were made for one client each, in bytes; a request beyond it is
    /// answered 503.
    public var allAnswerBytes = 256 * 1024 * 1024
    /// The maximum size of an answer with the results of evaluations, in bytes.
    public var evaluationBytes = 8 * 1024 * 1024
    /// The maximum size of a page of the history, in bytes, unless a single revision is larger.
    public var historyPageBytes = 1024 * 1024
    /// The maximum time for parsing, evaluating or encoding a request, in seconds, including the wait for other requests.
    public var workSeconds = 5
    /// The maximum size of a request's target, in bytes.
    public var targetBytes = 8 * 1024
    /// The maximum size of a field of a request's head, in bytes.
    public var headerFieldBytes = 16 * 1024
    /// The maximum size of a request's head, in bytes.
    public var headerBytes = 64 * 1024
    /// The maximum number of fields of a request's head.
    public var headerFields = 100
    /// The maximum number of connections; the next one receives 503.
    public var connections = 20_000
    /// The maximum time for a request's head, in seconds, from its first byte.
    public var headSeconds = 10
    /// The maximum pause within a request's body, in seconds.
    public var bodyPauseSeconds = 10
    /// The maximum time for a request's body, in seconds, besides the time for its size at the minimum rate.
    public var bodySeconds = 120
    /// The minimum rate of a request's body, in bytes per second: each such number of bytes postpones its deadline by a second.
    public var bodyBytesPerSecond = 1024
    /// The maximum time without a request on a connection, in seconds, from the last acknowledged byte of a response.
    public var idleSeconds = 75
    /// The maximum time without an acknowledgement by a client that has output pending, in seconds, before its connection is
    /// closed.
    public var stalledSeconds = 30
    /// The time between two heartbeats of a stream, in seconds.
    public var heartbeatSeconds = 10
    /// The maximum time between two heartbeats: a client considers a connection lost after 25 s without a byte.
    public static let longestHeartbeatSeconds = 20

    /// Creates the limits of `livery-server`.
    public init() {}
}
