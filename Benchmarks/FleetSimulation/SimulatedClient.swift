// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import RemoteConfig

/// A client: the library's schedule, what it knows, and its connections.
struct SimulatedClient {
    enum Kind: UInt8 {
        case stream
        /// Its streams are refused on the way.
        case polling
        /// It polls a document, from a server or a cache.
        case document, cachedDocument

        var delivery: SourceDelivery {
            switch self {
            case .stream, .polling: .streamed(pollingEvery: .seconds(30))
            case .document, .cachedDocument: .polled(every: .seconds(30))
            }
        }

        var isDocument: Bool { self == .document || self == .cachedDocument }
    }

    /// The beginning of a stream, whose events wait for a read in flight.
    struct Opening {
        /// The position of `hello`.
        var hello: UInt64
        /// Whether a `reset` follows it.
        var isReset: Bool
        /// The position from which changes follow, and the one that they lead to.
        var from: UInt64
        var to: UInt64
        /// The number of events that have been taken.
        var step = 0
    }

    /// The error of a request.
    enum Failure: UInt8 {
        case refused, timedOut, lost
        /// 503, with `Retry-After`.
        case unavailable, busy
        /// Of a proxy.
        case blocked

        var error: ConfigError {
            switch self {
            case .refused: ConfigError(.unreachable, "refused")
            case .timedOut: ConfigError(.unreachable, "timeout")
            case .lost: ConfigError(.unreachable, "lost")
            case .blocked: ConfigError(.unavailable, "blocked")
            case .unavailable, .busy:
                {
                    var error = ConfigError(.unavailable, "unavailable")
                    error.retryAfter = .seconds(self == .busy ? 5 : 1)
                    return error
                }()
            }
        }
    }

    let kind: Kind
    let network: Network
    /// When it was started.
    let start: Duration
    var schedule: ConnectionSchedule
    /// The revision and the digest of its values; 0 if it has none.
    var revision: UInt64 = 0
    var digest = ConfigDigest()
    /// Whether it has to read everything.
    var needsWhole = false

    /// The server of its connection for reads, by its number and that of its start; none if negative.
    var readServer: Int16 = -1
    var readStart: Int16 = 0
    var isReading = false
    /// Whether the read opens a connection.
    var isNew = false
    var lastRead = Duration.zero
    var readFailure = Failure.refused
    var answer: (revision: UInt64, digest: ConfigDigest) = (0, ConfigDigest())

    /// The number of the stream that is open or being opened, and its server; none if 0 and negative.
    var stream: Int32 = 0
    var streamServer: Int16 = -1
    var streamStart: Int16 = 0
    var streamFailure = Failure.refused
    var opening: Opening?
    var streamStarted = Duration.zero
    /// The times until which the requests wait for a server that is behind.
    var (readPatience, streamPatience): (Duration?, Duration?)
    /// The revision from which the group's events follow.
    var joined: UInt64 = 0
    /// The group of clients that receives the same events, and the place in it; none if negative.
    var group: Int16 = -1
    var place: Int32 = -1
    /// The last time at which the schedule was notified of a sign of life.
    var lastSign = Duration.zero
    /// The time of the last event for the schedule.
    var lastTime = Duration.zero
    /// The time of the alarm that is set.
    var alarm: Duration?

    init(kind: Kind, network: Network, start: Duration, schedule: ConnectionSchedule) {
        (self.kind, self.network, self.start, self.schedule) = (kind, network, start, schedule)
        // None has been made.
        lastRead = start - .seconds(3600)
    }

    /// Whether the events of its group change its state.
    var receivesEvents: Bool { group >= 0 && !isReading && opening == nil }

    /// Whether nothing is due as long as its stream is alive.
    var isCalm: Bool { schedule.phase == .streaming && schedule.nextRead == nil && schedule.nextOpening == nil }

    var cursor: RevisionCursor? {
        revision == 0 ? nil : RevisionCursor(epoch: Epoch(rawValue: 1), revision: revision)
    }
}
