/// How much a server takes and for how long it waits.
package struct ServerLimits: Hashable, Sendable {
    /// The most bytes of a request's body: 8 MiB, as much as a document may have.
    package var bodyBytes = 8 * 1024 * 1024
    /// The most bytes of a request's target.
    package var targetBytes = 8 * 1024
    /// The most bytes of a header field.
    package var headerFieldBytes = 16 * 1024
    /// The most bytes of all header fields together.
    package var headerBytes = 64 * 1024
    /// The most header fields.
    package var headerFields = 100
    /// The most connections; one more is told to come back later.
    package var connections = 20_000
    /// How long a client may take for a request's head, once it has begun.
    package var headSeconds = 10
    /// How long a client may be silent in a request's body.
    package var bodyPauseSeconds = 10
    /// How long a client may take for a request's whole body, beside what the least rate allows.
    package var bodySeconds = 120
    /// The least rate of a request's body, in bytes per second: so many put the end of the body off by a second.
    package var bodyBytesPerSecond = 1024
    /// How long a connection is kept open without a request, once the last answer has been taken.
    package var idleSeconds = 75
    /// How long a client may take nothing of what is sent to it before it is dropped.
    package var stalledSeconds = 30
    /// How often a stream tells where the server is.
    package var heartbeatSeconds = 10
    /// The longest that it may be: clients take 25 s without a byte for the end of the connection.
    package static let longestHeartbeatSeconds = 20
    /// Failed attempts at authentication that an address has a minute.
    package var failedAttemptsPerMinute = 20

    package init() {}
}
