public import Observation
public import Observing
internal import Synchronization

/// The definitions of a program, and their values at this moment.
///
/// ```swift
/// let config = ConfigRepository(sources: ConfigSources(remote: remote, tweaks: tweaks))
/// config.add(title, color)
/// let subscription = config.listen(to: title) { text in show(text) }
/// for await color in config.values(of: color) { … }
/// ```
///
/// It may be used from any thread. Only listeners of a definition whose value has become another are called: in the order of
/// the changes, one at a time, on the thread that made the change or on one that is calling listeners already, and never
/// within a lock. So a listener may read, add, listen, end a subscription and change values; what it changes is announced
/// when it has returned. Values that follow each other faster than the listeners are called may be skipped, but not the last.
///
/// What a change costs depends on how many definitions have a link that it concerns, not on how many there are.
///
/// Added definitions can be observed: `withObservationTracking` sees which of them were read.
public final class ConfigRepository: Sendable {
    private struct State {
        var entries: [String: any RepositoryEntry] = [:]
        // By the signal, the definitions that it concerns, and by the definition, its signals.
        var concerned: [ChangeSignal: Set<String>] = [:]
        var signals: [String: [ChangeSignal]] = [:]
        var subscriptions: [ChangeSignal: Subscription] = [:]
    }

    /// Where the links of the definitions find their values.
    public let sources: ConfigSources
    private let state = Mutex(State())
    private let refreshing = RefreshQueue()

    /// Creates a repository without definitions.
    public init(sources: ConfigSources = ConfigSources()) {
        self.sources = sources
    }

    /// The value of a definition at this moment, by the definition that was added under its id, or else by itself.
    public subscript<Value>(definition: ConfigDefinition<Value>) -> Value {
        guard let entry = entry(of: definition) else { return definition.value(from: sources) }
        return entry.value(from: sources)
    }

    /// Whether a definition is true.
    public func isOn(_ definition: ConfigDefinition<Bool>) -> Bool { self[definition] }

    /// Whether a definition is false.
    public func isOff(_ definition: ConfigDefinition<Bool>) -> Bool { !self[definition] }
}

extension ConfigRepository {
    /// Adds definitions. One with a known id replaces the earlier one; listeners stay, and are called if the value is another.
    ///
    /// If the type is another as well, the earlier one's listeners are not called any more.
    public func add<each Value>(_ definition: repeat ConfigDefinition<each Value>) {
        repeat addOne(each definition)
    }

    /// Adds definitions of one type.
    public func add<Value>(_ definitions: some Sequence<ConfigDefinition<Value>>) {
        for definition in definitions { addOne(definition) }
    }

    private func addOne<Value>(_ definition: ConfigDefinition<Value>) {
        for (index, link) in definition.links.enumerated() {
            link.join(definition, at: index, in: sources)
        }
        // Before the signals, since they may be sent from then on; what changes in between is found by the refresh below.
        let value = definition.value(from: sources)
        state.withLock { state in
            if let entry = state.entries[definition.id] as? DefinitionEntry<Value> {
                entry.replace(with: definition)
            } else {
                state.entries[definition.id] = DefinitionEntry(definition, value: value)
            }
        }
        connect(definition.id, to: definition.changes(in: sources))
        refresh([definition.id])
    }

    /// The ids of the definitions, sorted.
    public var ids: [String] { state.withLock { $0.entries.keys.sorted() } }

    /// Why the definition of an id has the value it has; `nil` if none was added.
    public func explain(id: String) -> ChainExplanation? {
        state.withLock { $0.entries[id] }?.explain(from: sources)
    }

    /// Why a definition has the value it has.
    public func explain<Value>(_ definition: ConfigDefinition<Value>) -> ChainExplanation {
        entry(of: definition)?.explain(from: sources) ?? definition.explain(from: sources)
    }

    private func entry<Value>(of definition: ConfigDefinition<Value>) -> DefinitionEntry<Value>? {
        state.withLock { $0.entries[definition.id] } as? DefinitionEntry<Value>
    }
}

extension ConfigRepository {
    /// Calls a closure with each new value of a definition, which is added if it was not. The present value is not one.
    ///
    /// - Returns: what ends it; the closure is called no longer once this is released.
    public func listen<Value>(
        to definition: ConfigDefinition<Value>,
        _ listener: @escaping @Sendable (Value) -> Void
    ) -> Subscription {
        added(definition).known.observe { listener($1) }
    }

    /// The values of a definition, which is added if it was not: the present one, then each that differs from the one before.
    ///
    /// A slow reader skips values but always gets the newest. The sequence ends when its task is cancelled.
    public func values<Value>(
        of definition: ConfigDefinition<Value>
    ) -> some AsyncSequence<Value, Never> & Sendable {
        let entry = added(definition)
        // What refreshes the entry lives as long as the repository.
        return DistinctUpdates(value: { entry.value(from: self.sources) }, part: { $0 }, element: { $1 }) { hint in
            [entry.known.observe { _, _ in hint() }]
        }
    }

    private func added<Value>(_ definition: ConfigDefinition<Value>) -> DefinitionEntry<Value> {
        while true {
            if let entry = entry(of: definition) { return entry }
            addOne(definition)
        }
    }
}

extension ConfigRepository {
    /// Makes the signals of a definition those that concern it.
    private func connect(_ id: String, to signals: [ChangeSignal]) {
        let (isNew, ended) = state.withLock { state in
            let before = state.signals.updateValue(signals, forKey: id) ?? []
            let isNew = signals.filter { state.concerned[$0] == nil }
            for signal in signals { state.concerned[signal, default: []].insert(id) }
            var ended: [Subscription?] = []
            for signal in Set(before).subtracting(signals) {
                state.concerned[signal]?.remove(id)
                guard state.concerned[signal]?.isEmpty == true else { continue }
                state.concerned[signal] = nil
                ended.append(state.subscriptions.removeValue(forKey: signal))
            }
            return (isNew, ended)
        }
        for subscription in ended { subscription?.end() }
        for signal in isNew { subscribe(to: signal) }
    }

    private func subscribe(to signal: ChangeSignal) {
        // The signal is not captured: it would keep itself alive.
        let key = WeakSignal(signal)
        let subscription = signal.subscribe { [weak self] in
            guard let self, let signal = key.signal else { return }
            refresh(state.withLock { $0.concerned[signal] } ?? [])
        }
        let unwanted: Subscription? = state.withLock { state in
            // Another definition may have let go of the signal meanwhile.
            if state.concerned[signal] == nil { return subscription }
            return state.subscriptions.updateValue(subscription, forKey: signal)
        }
        unwanted?.end()
        // Others may have counted on this subscription while it was under way.
        refresh(state.withLock { $0.concerned[signal] } ?? [])
    }

    private func refresh(_ ids: some Sequence<String>) {
        refreshing.add(ids) { id in
            state.withLock { $0.entries[id] }?.refresh(from: sources)
        }
    }
}

extension ConfigRepository: Observable {}

private struct WeakSignal: Sendable {
    weak let signal: ChangeSignal?

    init(_ signal: ChangeSignal) { self.signal = signal }
}
