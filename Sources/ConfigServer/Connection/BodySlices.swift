// SPDX-License-Identifier: Apache-2.0

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
