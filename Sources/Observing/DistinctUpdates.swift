/// A part of a value as it is now, and then each different one that follows it.
///
/// Nothing is kept for a slow reader: a hint says that there is something new, and the reader gets what is current when
/// it comes to it. So it may skip values, and never ends on an old one. Each iterator is an observer until it ends, which
/// is when its task is cancelled.
package struct DistinctUpdates<Value: Sendable, Part: Equatable & Sendable, Element: Sendable>: AsyncSequence, Sendable
{
    package typealias Failure = Never

    private let value: @Sendable () -> Value
    private let part: @Sendable (Value) -> Part
    private let element: @Sendable (Value, Part) -> Element
    private let subscribe: @Sendable (_ hint: @escaping @Sendable () -> Void) -> [Subscription]

    /// Creates a sequence; nothing is observed before the first iterator.
    ///
    /// - Parameters:
    ///   - value: the value now.
    ///   - part: what has to be different for another element.
    ///   - element: makes the element of a value and its part.
    ///   - subscribe: has its closure called whenever the part may have changed.
    package init(
        value: @escaping @Sendable () -> Value,
        part: @escaping @Sendable (Value) -> Part,
        element: @escaping @Sendable (Value, Part) -> Element,
        subscribe: @escaping @Sendable (_ hint: @escaping @Sendable () -> Void) -> [Subscription]
    ) {
        self.value = value
        self.part = part
        self.element = element
        self.subscribe = subscribe
    }

    package func makeAsyncIterator() -> Iterator { Iterator(self) }

    package struct Iterator: AsyncIteratorProtocol {
        private let updates: DistinctUpdates
        private var hints: AsyncStream<Void>.Iterator
        private var subscriptions: [Subscription]
        private var last: Part?

        fileprivate init(_ updates: DistinctUpdates) {
            self.updates = updates
            // A hint says only that there is something to read, so one that waits stands for all that came since.
            let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
            hints = stream.makeAsyncIterator()
            subscriptions = updates.subscribe { continuation.yield() }
            // The first element is there at once.
            continuation.yield()
        }

        package mutating func next() async -> Element? { await next(isolation: #isolation) }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while !Task.isCancelled, await hints.next(isolation: actor) != nil {
                let value = updates.value()
                let part = updates.part(value)
                if part == last { continue }
                last = part
                return updates.element(value, part)
            }
            subscriptions = []
            return nil
        }
    }
}

extension DistinctUpdates where Value == Part, Value == Element {
    /// The value now, and then each different one that follows it.
    ///
    /// - Parameters:
    ///   - signals: what is sent when the value may have changed.
    ///   - value: the value now.
    package init(signals: [ChangeSignal], value: @escaping @Sendable () -> Value) {
        self.init(value: value, part: { $0 }, element: { $1 }) { hint in
            signals.map { $0.subscribe(hint) }
        }
    }
}
