// SPDX-License-Identifier: Apache-2.0

package import Basics

/// The progress of an exchange, as a value: its input, its limits, and its end.
package struct HTTPProgress {
    package enum Limit: Sendable {
        /// Beyond this many bytes the body is rejected, or beyond the size that the response's head allows if that is larger.
        case refuse(above: Int, unless: (@Sendable (HTTPHeaders) -> Int?)? = nil)
        /// While this many bytes wait for their reader, no more are taken.
        case pause(at: Int)
    }

    package enum Verdict {
        case taken
        /// Not accepted: show the bytes again on request.
        case later
        /// Not accepted, and no more is needed.
        case refused
    }

    /// Host and port, for messages; a connector may add how it reaches them.
    package var server: String
    private let timeouts: HTTPTimeouts
    private(set) var limit: Limit
    private let start: ContinuousClock.Instant
    private var lastSign: ContinuousClock.Instant
    private var received = 0
    /// The number of bytes received, head and body, before decompression.
    var receivedBytes = 0

    /// The minimum rate, in bytes per second; a server above it counts as slow, not as failed.
    private static let slowestRate = 16 * 1024

    private(set) var head: HTTPResponseHead?
    private(set) var unread: [UInt8] = []
    private(set) var isPaused = false
    private(set) var outcome: Result<Void, OperationFailure>?
    /// Raised whenever a reader may find something new.
    private(set) var version: UInt64 = 0

    package init(server: String, timeouts: HTTPTimeouts, limit: Limit, start: ContinuousClock.Instant = .now) {
        self.server = server
        self.timeouts = timeouts
        self.limit = limit
        self.start = start
        lastSign = start
    }

    /// A head has arrived; interim ones (1xx) are only a sign of life.
    mutating func received(_ head: HTTPResponseHead, at now: ContinuousClock.Instant) {
        guard outcome == nil else { return }
        lastSign = now
        guard head.status >= 200 else { return }
        self.head = head
        if case .refuse(let most, let allowedSize?) = limit, let allowed = allowedSize(head.headers) {
            limit = .refuse(above: max(most, allowed))
        }
        version += 1
    }

    mutating func received(_ bytes: some Collection<UInt8>, at now: ContinuousClock.Instant) -> Verdict {
        guard outcome == nil else { return .refused }
        lastSign = now
        received += bytes.count
        switch limit {
        case .refuse(let most, _) where unread.count + bytes.count > most:
            unread = []
            end(.failure(OperationFailure(.tooLarge, "the response of \(server) is larger than \(most.inMebibytes)")))
            return .refused
        case .pause(let most) where unread.count >= most:
            isPaused = true
            return .later
        default:
            unread += bytes
            version += 1
            return .taken
        }
    }

    mutating func drainUnread(at now: ContinuousClock.Instant = .now) -> [UInt8] {
        if isPaused { lastSign = now }
        isPaused = false
        defer { unread = [] }
        return unread
    }

    /// The exchange is over; only its first end counts.
    mutating func end(_ outcome: Result<Void, OperationFailure>) {
        guard self.outcome == nil else { return }
        // libcurl reports no error for a connection that closes between two lines of the head.
        if head == nil, case .success = outcome {
            self.outcome = .failure(.cutShort(by: server))
        } else {
            self.outcome = outcome
        }
        version += 1
    }

    /// The time at which the exchange fails unless something happens; `nil` if it does not wait for the server.
    var deadline: ContinuousClock.Instant? {
        guard outcome == nil else { return nil }
        let next = isPaused ? nil : lastSign + (head == nil ? timeouts.answer : timeouts.idle)
        return [next, end].compactMap(\.self).min()
    }

    private var end: ContinuousClock.Instant? {
        timeouts.total.map { start + $0 + .seconds(received / Self.slowestRate) }
    }

    mutating func checkTime(_ now: ContinuousClock.Instant) {
        guard let deadline, now >= deadline else { return }
        end(.failure(OperationFailure(.unreachable, delay(at: now))))
    }

    private func delay(at now: ContinuousClock.Instant) -> String {
        if let end, now >= end {
            return "\(server) is too slow: no complete response within \((end - start).inSeconds)"
        }
        if head == nil { return "no response from \(server) within \(timeouts.answer.inSeconds)" }
        return "incomplete response from \(server): no data for \(timeouts.idle.inSeconds)"
    }
}

extension OperationFailure {
    /// - Parameter peer: the server, or the proxy that may be to blame.
    package static func cutShort(by peer: String) -> OperationFailure {
        OperationFailure(.unreachable, "\(peer) closed the connection before the response was complete")
    }
}

extension Duration {
    /// In seconds with at most one fractional digit, such as `10 s`.
    var inSeconds: String {
        let tenths = components.seconds * 10 + components.attoseconds / 100_000_000_000_000_000
        return tenths % 10 == 0 ? "\(tenths / 10) s" : "\(tenths / 10).\(tenths % 10) s"
    }
}

extension Int {
    fileprivate var inMebibytes: String {
        self >= 1 << 20 ? "\(self >> 20) MiB" : "\(self) bytes"
    }
}
