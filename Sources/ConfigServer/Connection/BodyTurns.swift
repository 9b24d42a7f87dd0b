// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import Synchronization

/// The connections of one event loop whose next slice of a body waits for its turn.
final class BodyTurns {
    static let pause = TimeAmount.milliseconds(1)
    /// The time without an answer to others after which a body is read as fast as it arrives.
    private static let lull = TimeAmount.milliseconds(100)

    private let metrics: ServerMetrics
    private let eventLoop: any EventLoop
    private var readers = CircularBuffer<ConnectionHandler>()
    /// The time until which requests on other connections than the reading one are expected.
    private var othersUntil = NIODeadline.uptimeNanoseconds(0)

    init(_ metrics: ServerMetrics, on eventLoop: any EventLoop) {
        (self.metrics, self.eventLoop) = (metrics, eventLoop)
    }

    /// Whether a connection may be read at once. Otherwise it has read a slice of a long body while others are answered, and
    /// reads the next one after the connections before it.
    func mayRead(_ connection: ConnectionHandler) -> Bool {
        guard connection.slices.endSlice() else { return true }
        let (now, answers) = (NIODeadline.now(), metrics.answerCount.load(ordering: .relaxed))
        if connection.slices.othersWereAnswered(of: answers) { othersUntil = now + Self.lull }
        if othersUntil <= now { return true }
        readers.append(connection)
        if readers.count == 1 { scheduleRead() }
        return false
    }

    private func scheduleRead() {
        eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
            // A connection that has been closed in the meantime has no context.
            readers.removeFirst().context?.read()
            if !readers.isEmpty { scheduleRead() }
        }
    }
}

/// Divides the reads of one connection into slices, so that the sender of a long request body does not delay other clients.
///
/// A sender of megabytes occupies one processor, and the event loop that reads them another one, though work on large bodies
/// waits for its turn anyway (``WorkPool``). While other connections are answered, each event loop therefore reads one slice
/// of a long body in a millisecond (``BodyTurns``). Otherwise a body is read as fast as it arrives.
struct BodySlices {
    static let bytes = 64 * 1024

    private var received = 0
    /// The number of answers on all connections that this connection knows of.
    private var answers: Int

    /// - Parameter answers: how many requests have been answered on all connections.
    init(answers: Int) {
        self.answers = answers
    }

    /// A request begins.
    mutating func begin() { received = 0 }

    mutating func received(_ count: Int) { received += count }

    /// A request on this connection has been answered.
    mutating func answered() { answers &+= 1 }

    /// Begins the next slice if this one has been read.
    ///
    /// - Returns: whether it has.
    mutating func endSlice() -> Bool {
        guard received >= Self.bytes else { return false }
        received = 0
        return true
    }

    /// Whether requests on other connections have been answered since the last call.
    ///
    /// - Parameter all: how many requests have been answered on all connections.
    mutating func othersWereAnswered(of all: Int) -> Bool {
        defer { answers = all }
        return all != answers
    }
}
