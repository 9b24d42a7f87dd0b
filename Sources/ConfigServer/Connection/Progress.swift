// SPDX-License-Identifier: Apache-2.0

internal import NIOCore
internal import NIOHTTP1

/// Distinguishes a client that receives its answer slowly from one that has stopped.
///
/// Only acknowledged bytes count: neither the time that an answer takes, nor the bytes that the kernel accepts, which may
/// be megabytes at once and then none for a minute.
struct WriteProgress {
    enum Verdict: Equatable {
        case nothingOutstanding
        /// The client acknowledges bytes, or has paused for a short time only.
        case progresses
        /// The client has acknowledged nothing for too long.
        case stalled
    }

    private var written = 0
    /// The bytes that were acknowledged at the last check that found progress, and its time.
    private var last: (acknowledged: Int, at: NIODeadline)?
    /// Whether there is something to check.
    private(set) var isWatched = false

    mutating func wrote(_ bytes: Int) {
        written &+= bytes
        isWatched = true
    }

    /// - Parameter patience: how long the client may acknowledge nothing.
    mutating func check(outstanding: Int, at now: NIODeadline, patience: TimeAmount) -> Verdict {
        guard outstanding > 0 else {
            (isWatched, last) = (false, nil)
            return .nothingOutstanding
        }
        let acknowledged = written &- outstanding
        guard let last, acknowledged <= last.acknowledged else {
            last = (acknowledged, now)
            return .progresses
        }
        return now - last.at < patience ? .progresses : .stalled
    }
}

/// The deadline of a request's body: no long pause, and in all as much time as a slow line needs.
///
/// A client that sends a byte now and then to keep a connection open runs out of time; one that keeps the minimum rate does
/// not, however large the body is.
struct BodyProgress {
    private let pause: TimeAmount
    private let timePerByte: TimeAmount
    private var end: NIODeadline
    private(set) var bytes = 0
    /// The time at which the client is dropped unless more arrives.
    private(set) var deadline: NIODeadline

    init(from now: NIODeadline, _ limits: ServerLimits) {
        pause = .seconds(Int64(limits.bodyPauseSeconds))
        timePerByte = .nanoseconds(1_000_000_000 / Int64(max(1, limits.bodyBytesPerSecond)))
        end = now + .seconds(Int64(limits.bodySeconds))
        deadline = min(end, now + pause)
    }

    mutating func received(_ count: Int, at now: NIODeadline) {
        bytes += count
        end = end + timePerByte * count
        deadline = min(end, now + pause)
    }
}

/// The received input that waits for its turn, in order. The channel is not read while it waits.
struct Inbox {
    enum Element {
        case part(HTTPServerRequestPart)
        /// The following bytes are not a request.
        indirect case failure(Problem)
        case end
    }

    private var elements = CircularBuffer<Element>(initialCapacity: 2)
    private var isReadHeld = false

    var isEmpty: Bool { elements.isEmpty }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func next() -> Element? { elements.popFirst() }

    mutating func removeAll() { elements.removeAll(keepingCapacity: true) }

    /// Whether the channel may be read now. If not, ``releaseRead()`` returns true later.
    mutating func mayRead() -> Bool {
        isReadHeld = !isEmpty
        return isEmpty
    }

    /// Whether a deferred read must be made now.
    mutating func releaseRead() -> Bool {
        guard isReadHeld, isEmpty else { return false }
        isReadHeld = false
        return true
    }
}
