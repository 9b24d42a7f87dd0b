internal import ConfigModel
internal import Synchronization

/// Those who want to know when a state is replaced.
struct ConfigObservers {
    /// Called with the state before and the one after, outside of any lock, by the one who replaces it.
    typealias Observer = @Sendable (_ previous: ConfigState.Current, _ next: ConfigState.Current) -> Void

    private(set) var observers: [UInt64: Observer] = [:]
    private var nextNumber: UInt64 = 0

    mutating func add(_ observer: @escaping Observer) -> UInt64 {
        nextNumber += 1
        observers[nextNumber] = observer
        return nextNumber
    }

    mutating func remove(_ number: UInt64) {
        observers[number] = nil
    }
}

extension ConfigState {
    /// Replaces the state and tells everyone who observes it.
    ///
    /// It is called by one at a time, so that the observers hear of the states in their order.
    func replace(with next: Current) {
        let (previous, observers) = storage.withLock { storage in
            let previous = storage.current
            storage.current = next
            return (previous, storage.observers.observers)
        }
        for observer in observers.values { observer(previous, next) }
    }

    /// Calls back whenever the state is replaced, for as long as somebody holds what is returned.
    func observe(_ observer: @escaping ConfigObservers.Observer) -> ConfigObservation {
        ConfigObservation(of: self, number: storage.withLock { $0.observers.add(observer) })
    }

    /// How many observe the state at the moment.
    package var observerCount: Int { storage.withLock { $0.observers.observers.count } }
}

/// An observer's place among the others, which it leaves when nobody holds this any more.
final class ConfigObservation: Sendable {
    private let state: ConfigState
    private let number: UInt64

    fileprivate init(of state: ConfigState, number: UInt64) {
        self.state = state
        self.number = number
    }

    deinit {
        state.storage.withLock { $0.observers.remove(number) }
    }
}
