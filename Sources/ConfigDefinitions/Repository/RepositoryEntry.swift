internal import Observation
internal import Synchronization

/// A definition in a repository, whatever its type.
protocol RepositoryEntry: Sendable {
    /// Finds the value, and tells the listeners if it has become another. Called by one thread at a time.
    func refresh(from sources: ConfigSources)

    func explain(from sources: ConfigSources) -> ChainExplanation
}

/// A definition in a repository, the value that its listeners know, and the listeners.
final class DefinitionEntry<Value: Equatable & Sendable>: RepositoryEntry {
    private struct State {
        var definition: ConfigDefinition<Value>
        var value: Value
    }

    private let state: Mutex<State>
    private let listeners = ListenerList<Value>()
    private let registrar = ObservationRegistrar()
    /// Sent after the value has become another.
    let changed = ChangeSignal()

    init(_ definition: ConfigDefinition<Value>, value: Value) {
        state = Mutex(State(definition: definition, value: value))
    }

    func replace(with definition: ConfigDefinition<Value>) {
        state.withLock { $0.definition = definition }
    }

    func value(from sources: ConfigSources) -> Value {
        registrar.access(self, keyPath: \.known)
        return state.withLock(\.definition).value(from: sources)
    }

    func explain(from sources: ConfigSources) -> ChainExplanation {
        registrar.access(self, keyPath: \.known)
        return state.withLock(\.definition).explain(from: sources)
    }

    func listen(_ listener: @escaping @Sendable (Value) -> Void) -> Subscription {
        let id = listeners.add(listener)
        return Subscription { [listeners] in listeners.remove(id) }
    }

    func refresh(from sources: ConfigSources) {
        // Found outside the lock: a link may ask anything, this repository included.
        let value = state.withLock(\.definition).value(from: sources)
        let isNew = state.withLock { state in
            if state.value == value { return false }
            state.value = value
            return true
        }
        guard isNew else { return }
        registrar.withMutation(of: self, keyPath: \.known) {}
        listeners.send(value)
        changed.send()
    }

    /// The value that the listeners know.
    private var known: Value { state.withLock(\.value) }
}

extension DefinitionEntry: Observable {}
