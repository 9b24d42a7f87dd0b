// SPDX-License-Identifier: Apache-2.0

/// What happens at a time.
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
        /// The network loses the client's stream, which nobody notices, or with an error.
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
    private var heap: [Event] = []
    private var count: UInt64 = 0

    var next: Duration? { heap.first?.time }

    mutating func add(_ kind: Event.Kind, at time: Duration, _ subject: Int = 0, number: Int = 0) {
        count += 1
        heap.append(
            Event(time: time, order: count, kind: kind, subject: Int32(subject), number: Int32(truncatingIfNeeded: number))
        )
        var index = heap.count - 1
        while index > 0, Self.isBefore(heap[index], heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    mutating func removeFirst() -> Event {
        heap.swapAt(0, heap.count - 1)
        let first = heap.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2] where child < heap.count && Self.isBefore(heap[child], heap[least]) {
                least = child
            }
            if least == index { return first }
            heap.swapAt(index, least)
            index = least
        }
    }

    private static func isBefore(_ left: Event, _ right: Event) -> Bool {
        left.time == right.time ? left.order < right.order : left.time < right.time
    }
}
