internal import Synchronization

/// The values that follow, one after the other, for one reader.
///
/// A reader who is slow misses none as long as few enough wait for it; then those in between are left out.
package final class Succession<Value: Sendable>: Sendable {
    private let waiting = Mutex<[Value]>([])
    private let hints = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    private let subscription = Mutex<Subscription?>(nil)

    /// Observes a value from now on.
    ///
    /// - Parameters:
    ///   - observed: holds the values.
    ///   - limit: how many may wait for a slow reader; beyond that they are joined with the newest.
    ///   - isNew: whether a value is one that the reader wants after the one before.
    package init(
        of observed: Observed<Value>,
        limit: Int,
        where isNew: @escaping @Sendable (_ previous: Value, _ next: Value) -> Bool
    ) {
        let subscription = observed.observe { [weak self] previous, next in
            if isNew(previous, next) { self?.append(next, limit) }
        }
        self.subscription.withLock { $0 = subscription }
    }

    private func append(_ value: Value, _ limit: Int) {
        waiting.withLock { waiting in
            if waiting.count >= max(limit, 1) { waiting.removeLast() }
            waiting.append(value)
        }
        hints.continuation.yield()
    }

    /// The next value, once there is one; `nil` when the task is cancelled.
    package func next() async -> Value? {
        var iterator = hints.stream.makeAsyncIterator()
        while true {
            let value = waiting.withLock { waiting in
                waiting.isEmpty ? nil : waiting.removeFirst()
            }
            if let value { return value }
            guard await iterator.next(isolation: #isolation) != nil else { return nil }
        }
    }
}
