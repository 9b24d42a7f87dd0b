// SPDX-License-Identifier: Apache-2.0

/// An event at a time.
struct Event {
    enum Kind: UInt8 {
        /// The client starts, and the next one after it.
        case start
        /// The client's deadline.
        case alarm
        /// The server answers the client's read, then its stream.
        case readServed, streamServed
        /// The client has the answer.
        case readReceived, streamReceived
        case readFailed, streamFailed
        /// The network loses the client's stream, unnoticed or with an error.
        case streamLost, streamReset
        /// The client's connection for reads may have been idle for too long.
        case idle
        /// The server writes events to its streams, and a group of clients has them.
        case flush, arrival
        case heartbeat
        /// The server closes a connection whose client does not answer.
        case forget
        /// The server reads the commits of others.
        case poll
        case publish, publishServed
        /// A server or the store is lost or back, and the balancer notices.
        case lost, back, noticed, storeLost, storeBack, slow
    }

    var time: Duration
    var order: UInt64
    var kind: Kind
    /// The client, the server or the group.
    var subject: Int32
    /// The number of the client's stream, or of the server's start.
    var number: Int32
}

/// Events in the order of their times, and of their creation.
struct EventQueue {
    /// Each before its children, of which there are ``width``.
    private var heap: [Event] = []
    private static let width = 4

    var next: Duration? { heap.first?.time }

    /// The number of all events so far.
    private(set) var count: UInt64 = 0

    mutating func add(_ kind: Event.Kind, at time: Duration, _ subject: Int = 0, number: Int = 0) {
        count += 1
        let event = Event(
            time: time,
            order: count,
            kind: kind,
            subject: Int32(subject),
            number: Int32(truncatingIfNeeded: number)
        )
        heap.append(event)
        var place = heap.count - 1
        while place > 0, event.isBefore(heap[(place - 1) / Self.width]) {
            heap[place] = heap[(place - 1) / Self.width]
            place = (place - 1) / Self.width
        }
        heap[place] = event
    }

    mutating func removeFirst() -> Event {
        let (first, last) = (heap[0], heap.removeLast())
        if heap.isEmpty { return first }
        heap.withUnsafeMutableBufferPointer { heap in
            var place = 0
            while true {
                var least = place * Self.width + 1
                if least >= heap.count { break }
                for child in least + 1..<max(min(least + Self.width, heap.count), least + 1)
                where heap[child].isBefore(heap[least]) { least = child }
                if !heap[least].isBefore(last) { break }
                heap[place] = heap[least]
                place = least
            }
            heap[place] = last
        }
        return first
    }
}

extension Event {
    fileprivate func isBefore(_ other: Event) -> Bool {
        time == other.time ? order < other.order : time < other.time
    }
}
