// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A value that is replaced as a whole, and its observers.
package final class Observed<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>
    private let observers = ObserverList<(previous: Value, next: Value)>()

    package init(_ value: Value) {
        storage = Mutex(value)
    }

    package var value: Value { storage.withLock { $0 } }

    /// A part of the value now, without a copy of the rest.
    package func read<Part: Sendable>(_ body: (borrowing Value) -> Part) -> Part {
        storage.withLock { body($0) }
    }

    /// Replaces the value and notifies everyone who observes it.
    /// It is called by one at a time, so that the observers are notified of the values in their order.
    package func replace(with next: Value) {
        let (previous, ids) = storage.withLock { value in
            let previous = value
            value = next
            return (previous, observers.ids)
        }
        observers.send((previous, next), to: ids)
    }

    /// Calls back outside of any lock whenever the value is replaced, on the thread that replaces it.
    /// - Returns: what ends it; the closure is called no longer once this is released.
    package func observe(_ observer: @escaping @Sendable (_ previous: Value, _ next: Value) -> Void) -> ObservationToken
    {
        observers.add { observer($0.previous, $0.next) }
    }

    package var observerCount: Int { observers.count }
}

extension Observed {
    /// The value now, and then each that differs in a part from the one before; see ``DistinctUpdates``.
    package func updates<Part: Equatable & Sendable, Element: Sendable>(
        of part: @escaping @Sendable (Value) -> Part,
        element: @escaping @Sendable (Value, Part) -> Element
    ) -> DistinctUpdates<Part, Element> {
        DistinctUpdates(read: {
            let value = self.value
            let part = part(value)
            return (part, element(value, part))
        }) { hint in
            [self.observe { if part($0) != part($1) { hint() } }]
        }
    }
}

/// The current state and then each different one that follows. States are not buffered for a slow reader: a hint announces a
/// change, and the reader reads the current state. It may therefore skip states, but never ends with an old one. Each iterator
/// is an observer until it ends: when it is released, its task is cancelled, or a graceful shutdown begins.
package struct DistinctUpdates<Part: Equatable & Sendable, Element: Sendable>: AsyncSequence, Sendable {
    package typealias Failure = Never

    private let read: @Sendable () -> (part: Part, element: Element)
    private let subscribe: @Sendable (_ hint: @escaping @Sendable () -> Void) -> [ObservationToken]

    /// Nothing is observed before the first iterator.
    ///
    /// - Parameter read: the current element, and the part that must differ for another one.
    package init(
        read: @escaping @Sendable () -> (part: Part, element: Element),
        subscribe: @escaping @Sendable (_ hint: @escaping @Sendable () -> Void) -> [ObservationToken]
    ) {
        self.read = read
        self.subscribe = subscribe
    }

    package func makeAsyncIterator() -> Iterator { Iterator(self) }

    package struct Iterator: AsyncIteratorProtocol {
        private let read: @Sendable () -> (part: Part, element: Element)
        private var hints: UntilShutdown<Void>.Iterator
        private var last: Part?

        fileprivate init(_ updates: DistinctUpdates) {
            read = updates.read
            // A hint only announces that there is something to read, so one pending hint covers all later ones.
            let hints = UntilShutdown<Void>(limit: 1) { hint in
                let subscriptions = updates.subscribe { hint.yield() }
                // The first element is there at once.
                hint.yield()
                return { for subscription in subscriptions { subscription.end() } }
            }
            self.hints = hints.makeAsyncIterator()
        }

        package mutating func next() async -> Element? { await next(isolation: #isolation) }

        package mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            while !Task.isCancelled, await hints.next(isolation: actor) != nil {
                let (part, element) = read()
                if part == last { continue }
                last = part
                return element
            }
            return nil
        }
    }
}

extension DistinctUpdates {
    /// A value now, and then each different one that follows it, as ``areSame(_:_:)`` compares.
    package init(
        value: @escaping @Sendable () -> Element,
        subscribe: @escaping @Sendable (_ hint: @escaping @Sendable () -> Void) -> [ObservationToken]
    ) where Part == Same<Element> {
        let read = { @Sendable in
            let value = value()
            return (part: Same(value), element: value)
        }
        self.init(read: read, subscribe: subscribe)
    }
}
