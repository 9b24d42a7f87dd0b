internal import Observation
internal import Observing
internal import Synchronization

/// A definition in a repository, whatever its type.
protocol RepositoryEntry: Sendable {
    /// Reads the value, and notifies the listeners if it has become another. Called by one thread at a time.
    func refresh(from sources: ConfigSources)

    func explain(from sources: ConfigSources) -> ChainExplanation
}

/// A definition in a repository, the value that its listeners know, and the listeners.
final class DefinitionEntry<Value: Equatable & Sendable>: RepositoryEntry {
    private let definition: Mutex<ConfigDefinition<Value>>
    /// The value that the listeners know.
    let known: Observed<Value>
    private let registrar = ObservationRegistrar()

    init(_ definition: ConfigDefinition<Value>, value: Value) {
        self.definition = Mutex(definition)
        known = Observed(value)
    }

    func replace(with definition: ConfigDefinition<Value>) {
        self.definition.withLock { $0 = definition }
    }

    func value(from sources: ConfigSources) -> Value {
        registrar.access(self, keyPath: \.known)
        return definition.withLock(\.self).value(from: sources)
    }

    func explain(from sources: ConfigSources) -> ChainExplanation {
        registrar.access(self, keyPath: \.known)
        return definition.withLock(\.self).explain(from: sources)
    }

    func refresh(from sources: ConfigSources) {
        // Read outside the lock: a link may ask anything, this repository included.
        let value = definition.withLock(\.self).value(from: sources)
        if value == known.value { return }
        registrar.withMutation(of: self, keyPath: \.known) {}
        known.replace(with: value)
    }
}

extension DefinitionEntry: Observable {}
