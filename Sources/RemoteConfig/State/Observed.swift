internal import Synchronization

/// A value that is replaced whole, and those who want to know when it is.
final class Observed<State: Sendable>: Sendable {
    /// Called with the state before and the one after, outside of any lock, by the one who replaces it.
    typealias Observer = @Sendable (_ previous: State, _ next: State) -> Void

    private struct Storage: Sendable {
        var state: State
        var observers: [UInt64: Observer] = [:]
        var nextNumber: UInt64 = 0
    }

    private let storage: Mutex<Storage>

    init(_ state: State) {
        storage = Mutex(Storage(state: state))
    }

    /// The state now.
    var state: State { storage.withLock(\.state) }

    /// A part of the state now, without a copy of the rest.
    func read<Part: Sendable>(_ body: (borrowing State) -> Part) -> Part {
        storage.withLock { body($0.state) }
    }

    /// Replaces the state and tells everyone who observes it.
    ///
    /// It is called by one at a time, so that the observers hear of the states in their order.
    func replace(with next: State) {
        let (previous, observers) = storage.withLock { storage in
            let previous = storage.state
            storage.state = next
            return (previous, storage.observers)
        }
        for observer in observers.values { observer(previous, next) }
    }

    /// Calls back whenever the state is replaced, for as long as somebody holds what is returned.
    func observe(_ observer: @escaping Observer) -> Observation {
        let number = storage.withLock { storage in
            storage.nextNumber += 1
            storage.observers[storage.nextNumber] = observer
            return storage.nextNumber
        }
        return Observation(of: self, number: number)
    }

    /// How many observe the state at the moment.
    var observerCount: Int { storage.withLock(\.observers.count) }

    /// An observer's place among the others, which it leaves when nobody holds this any more.
    final class Observation: Sendable {
        private let observed: Observed
        private let number: UInt64

        fileprivate init(of observed: Observed, number: UInt64) {
            self.observed = observed
            self.number = number
        }

        deinit {
            // Released outside the lock: what an observer holds may have something to do at its end.
            let observer = observed.storage.withLock { $0.observers.removeValue(forKey: number) }
            withExtendedLifetime(observer) {}
        }
    }
}
