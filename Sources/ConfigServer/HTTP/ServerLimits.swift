// SPDX-License-Identifier: Apache-2.0

package struct ServerLimits: Hashable, Sendable {
    /// The most bytes of a request's body: 8 MiB, the same as for a document.
    package var bodyBytes = 8 * 1024 * 1024
    /// The most bytes of all requests' bodies in memory; a request beyond them is answered 503.
    package var allBodyBytes = 128 * 1024 * 1024
    /// The maximum size of all answers in memory that were made for one client each, in bytes; a request beyond it is
    /// answered 503.
    package var allAnswerBytes = 256 * 1024 * 1024
    /// The maximum size of an answer with the results of evaluations, in bytes.
    package var evaluationBytes = 8 * 1024 * 1024
    /// The maximum size of a page of the history, in bytes, unless a single revision is larger.
    package var historyPageBytes = 1024 * 1024
    /// How long the parsing, evaluating or encoding of a request may take, in seconds, with the time that it waits for that
    /// of others.
    package var workSeconds = 5
    package var targetBytes = 8 * 1024
    package var headerFieldBytes = 16 * 1024
    package var headerBytes = 64 * 1024
    package var headerFields = 100
    /// The most connections; the next one is answered 503.
    package var connections = 20_000
    /// How long a request's head may take, in seconds, from its first byte.
    package var headSeconds = 10
    /// How long a request's body may pause, in seconds.
    package var bodyPauseSeconds = 10
    /// How long a request's body may take, in seconds, beside what the least rate allows.
    package var bodySeconds = 120
    /// The least rate of a request's body, in bytes per second: so many bytes postpone its deadline by a second.
    package var bodyBytesPerSecond = 1024
    /// How long a connection stays open without a request, in seconds, from the last acknowledged byte of an answer.
    package var idleSeconds = 75
    /// How long a client may acknowledge nothing of what is sent, in seconds, before its connection is closed.
    package var stalledSeconds = 30
    /// The time between two heartbeats of a stream, in seconds.
    package var heartbeatSeconds = 10
    /// The longest time between two heartbeats: a client takes 25 s without a byte for the end of the connection.
    package static let longestHeartbeatSeconds = 20

    package init() {}
}
