/// The values of something over time: the present one first, then each that differs from the one before.
///
/// A slow consumer skips to the newest value; it never ends on an old one. The sequence is endless; cancel the task to
/// leave it.
public struct DistinctValues<Element: Equatable & Sendable>: AsyncSequence, Sendable {
    private let signals: [ChangeSignal]
    private let read: @Sendable () -> Element

    init(signals: [ChangeSignal], read: @escaping @Sendable () -> Element) {
        self.signals = signals
        self.read = read
    }

    /// Begins to listen.
    public func makeAsyncIterator() -> Iterator {
        // A signal says only that there is something to read, so one that waits stands for all that came since.
        let (ticks, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let subscriptions = signals.map { signal in signal.subscribe { continuation.yield() } }
        return Iterator(ticks: ticks.makeAsyncIterator(), subscriptions: subscriptions, read: read)
    }

    /// Waits for the next value.
    public struct Iterator: AsyncIteratorProtocol {
        private var ticks: AsyncStream<Void>.Iterator
        private let subscriptions: [Subscription]
        private let read: @Sendable () -> Element
        private var last: Element?

        init(ticks: AsyncStream<Void>.Iterator, subscriptions: [Subscription], read: @escaping @Sendable () -> Element)
        {
            self.ticks = ticks
            self.subscriptions = subscriptions
            self.read = read
        }

        /// The next value that differs from the one before, or `nil` once the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> Element? {
            while await ticks.next(isolation: actor) != nil {
                let value = read()
                if value == last { continue }
                last = value
                return value
            }
            return nil
        }
    }
}
