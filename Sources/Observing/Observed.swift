internal import Synchronization

/// A value that is replaced whole, and those who are notified when it is.
///
/// ```swift
/// let level = Observed(3)
/// let subscription = level.observe { previous, next in print(previous, next) }
/// level.replace(with: 4)
/// for await level in level.updates() { … }
/// ```
package final class Observed<Value: Sendable>: Sendable {
    private let storage: Mutex<Value>
    private let observers = ObserverList<(previous: Value, next: Value)>()

    package init(_ value: Value) {
        storage = Mutex(value)
    }

    /// The value now.
    package var value: Value { storage.withLock { $0 } }

    /// A part of the value now, without a copy of the rest.
    package func read<Part: Sendable>(_ body: (borrowing Value) -> Part) -> Part {
        storage.withLock { body($0) }
    }

    /// Replaces the value and notifies everyone who observes it.
    ///
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
    ///
    /// - Returns: what ends it; the closure is called no longer once this is released.
    package func observe(_ observer: @escaping @Sendable (_ previous: Value, _ next: Value) -> Void) -> Subscription {
        observers.add { observer($0.previous, $0.next) }
    }

    /// How many observe the value at the moment.
    package var observerCount: Int { observers.count }
}

extension Observed {
    /// The value now, and then each that differs in a part from the one before; see ``DistinctUpdates``.
    ///
    /// - Parameters:
    ///   - part: what has to be different for another element.
    ///   - element: makes the element of a value and its part.
    package func updates<Part: Equatable & Sendable, Element: Sendable>(
        of part: @escaping @Sendable (Value) -> Part,
        element: @escaping @Sendable (Value, Part) -> Element
    ) -> DistinctUpdates<Value, Part, Element> {
        DistinctUpdates(value: { self.value }, part: part, element: element) { hint in
            [self.observe { if part($0) != part($1) { hint() } }]
        }
    }
}

extension Observed where Value: Equatable {
    /// Replaces the value unless it is the same already.
    package func update(to next: Value) {
        if value != next { replace(with: next) }
    }
}
