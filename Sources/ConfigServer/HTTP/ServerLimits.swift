// SPDX-License-Identifier: Apache-2.0

/// How much a server accepts, and how long it waits.
public struct ServerLimits: Hashable, Sendable {
    /// The most bytes of a request's body: 8 MiB, the same as for a document.
    public var bodyBytes = 8 * 1024 * 1024
    /// The most bytes of all requests' bodies in memory; a request beyond them is answered 503.
    public var allBodyBytes = 128 * 1024 * 1024
    /// The maximum size of all answers in memory that were made for one client each, in bytes; a request beyond it is
    /// answered 503.
    public var allAnswerBytes = 256 * 1024 * 1024
    /// The maximum size of an answer with the results of evaluations, in bytes.
    public var evaluationBytes = 8 * 1024 * 1024
    /// The maximum size of a page of the history, in bytes, unless a single revision is larger.
    public var historyPageBytes = 1024 * 1024
    /// How long the parsing, evaluating or encoding of a request may take, in seconds, with the time that it waits for that
    /// of others.
    public var workSeconds = 5
    /// The maximum size of a request's target, in bytes.
    public var targetBytes = 8 * 1024
    /// The maximum size of a field of a request's head, in bytes.
    public var headerFieldBytes = 16 * 1024
    /// The maximum size of a request's head, in bytes.
    public var headerBytes = 64 * 1024
    /// The maximum number of fields of a request's head.
    public var headerFields = 100
    /// The most connections; the next one is answered 503.
    public var connections = 20_000
    /// How long a request's head may take, in seconds, from its first byte.
    public var headSeconds = 10
    /// How long a request's body may pause, in seconds.
    public var bodyPauseSeconds = 10
    /// How long a request's body may take, in seconds, beside what the least rate allows.
    public var bodySeconds = 120
    /// The least rate of a request's body, in bytes per second: so many bytes postpone its deadline by a second.
    public var bodyBytesPerSecond = 1024
    /// How long a connection stays open without a request, in seconds, from the last acknowledged byte of an answer.
    public var idleSeconds = 75
    /// How long a client may acknowledge nothing of what is sent, in seconds, before its connection is closed.
    public var stalledSeconds = 30
    /// The time between two heartbeats of a stream, in seconds.
    public var heartbeatSeconds = 10
    /// The longest time between two heartbeats: a client takes 25 s without a byte for the end of the connection.
    public static let longestHeartbeatSeconds = 20

    /// Creates the limits of `livery-server`.
    public init() {}
}
