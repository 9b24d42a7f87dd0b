// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import ConfigRules
public import Configuration
public import Observation
package import Observing
internal import Synchronization

/// The definitions of a program, and their values at this moment.
///
/// ```swift
/// let title = ConfigDefinition("app.title", default: "Hi")
/// let color = ConfigDefinition("app.color", default: RGBColor(0))
///     .tweak(category: "App", section: "Look", name: "Colour")
/// let reader = ConfigReader(provider: RemoteConfigProvider(service: service))
/// let config = ConfigRepository(remote: reader, tweaks: TweakRepository())
/// config.add(title, color)
/// print(config[title])
/// for await color in config.observe(color) { print(color) }
/// ```
///
/// It may be used from any thread. A definition is observed as a sequence of its values (``observe(_:)``), or, once it was added,
/// with Swift's Observation: `withObservationTracking` tracks which definitions were read, and its observers are notified on the
/// main queue, after pending reads of the main actor.
///
/// The cost of a change depends on the number of definitions with an affected link, not on the number of all definitions.
public final class ConfigRepository: Sendable {
    private struct State {
        var entries: [ExactString: any RepositoryEntry] = [:]
        var subscriptions: [ExactString: [ObservationToken]] = [:]
    }

    /// The inputs in which the definitions' links find their values.
    package let inputs: LinkInputs
    private let state = Mutex(State())
    private let refreshing = RefreshQueue()

    /// Creates a repository without definitions. A link whose source is missing has no override.
    ///
    /// - Parameters:
    ///   - remote: the remote configuration, for ``ConfigDefinition/remote(_:in:)``. Each key that a definition reads is
    ///     watched.
    ///   - watchesWhole: whether the whole remote configuration is watched in place of its keys, and all keys are compared after
    ///     each change: for providers that do not report changes of single keys.
    ///   - object: returns the value of a remote key for definitions of `Codable` types, where a provider has objects and
    ///     returns them neither as texts nor as bytes of JSON. A `RemoteConfigProvider` does.
    ///   - environment: the environment variables, for ``ConfigDefinition/environment(_:in:)``, such as those of an
    ///     `EnvironmentVariablesProvider`. Each is read once, as environment variables stay as they are.
    ///   - store: the store for ``ConfigDefinition/stored(key:in:)``.
    ///   - tweaks: the tweaks for ``ConfigDefinition/tweak(category:section:name:editor:namespace:)``.
    ///   - facts: what conditions are evaluated on; see ``updateFacts(_:)``.
    public convenience init(
        remote: ConfigReader? = nil,
        watchesWhole: Bool = false,
        object: @escaping @Sendable (_ key: String) -> EntryValue? = { _ in nil },
        environment: ConfigReader? = nil,
        store: (any KeyValueStore)? = nil,
        tweaks: TweakRepository? = nil,
        facts: ProgramFacts = .current()
    ) {
        let inputs = LinkInputs(
            remote: remote.map { ObservedReader($0, watching: watchesWhole ? .snapshots : .keys, value: object) },
            environment: environment.map { ObservedReader($0, watching: .constant) },
            store: store,
            tweaks: tweaks,
            surroundings: Surroundings(facts: facts)
        )
        self.init(inputs: inputs)
    }

    /// Creates a repository without definitions.
    package init(inputs: LinkInputs) {
        self.inputs = inputs
    }

    /// The same repository as of now: all definitions have the values of this moment.
    ///
    /// ```swift
    /// let title = ConfigDefinition("title", default: "Hi")
    /// let color = ConfigDefinition("color", default: "pink")
    /// let snapshot = ConfigRepository().snapshot()
    /// print(snapshot[title], snapshot[color])
    /// ```
    ///
    /// A source that only a link names (`.stored(key:in:)`) has the values of the moment when it is first read.
    public func snapshot() -> ConfigRepository {
        let (snapshot, entries) = (ConfigRepository(inputs: inputs.snapshot()), state.withLock(\.entries))
        snapshot.state.withLock { $0.entries = entries.mapValues { $0.copy() } }
        return snapshot
    }

    /// The facts that conditions are evaluated on.
    public var facts: ProgramFacts { inputs.surroundings.facts }

    /// Changes facts, and notifies the conditions that depend on them. A ``snapshot()`` stays as it is.
    public func updateFacts(_ change: (inout ProgramFacts) -> Void) { inputs.surroundings.update(change) }

    /// The current value of a definition, by the definition that was added under its id, or else by itself.
    public subscript<Value>(definition: ConfigDefinition<Value>) -> Value {
        guard let entry = entry(of: definition) else { return definition.value(from: inputs) }
        return entry.value(from: inputs)
    }

    /// Whether a definition is true.
    public func isOn(_ definition: ConfigDefinition<Bool>) -> Bool { self[definition] }

    /// Whether a definition is false.
    public func isOff(_ definition: ConfigDefinition<Bool>) -> Bool { !self[definition] }
}

extension ConfigRepository {
    /// Adds definitions. One with a known id replaces the earlier one; its observers stay, and get the value if it is another.
    ///
    /// If the type is another as well, observers of the earlier one get no more values.
    public func add<each Value>(_ definition: repeat ConfigDefinition<each Value>) {
        repeat add(CollectionOfOne(each definition))
    }

    /// Adds definitions of one type.
    public func add<Value>(_ definitions: some Sequence<ConfigDefinition<Value>>) {
        for definition in definitions { _ = addOne(definition) }
    }

    /// Adds a definition, whose listeners get the values of the program's own context, whichever task adds it.
    private func addOne<Value>(_ definition: ConfigDefinition<Value>) -> DefinitionEntry<Value> {
        EvaluationContext.$current.withValue(nil) { addInProgram(definition) }
    }

    private func addInProgram<Value>(_ definition: ConfigDefinition<Value>) -> DefinitionEntry<Value> {
        for index in definition.links.indices {
            definition.links[index].join(definition, at: index, in: inputs)
        }
        // Before the signals, since they may be sent from then on; what changes in between is found by the refresh below.
        let value = definition.value(from: inputs)
        let entry = state.withLock { state in
            if let entry = state.entries[ExactString(definition.id)] as? DefinitionEntry<Value> {
                entry.replace(with: definition)
                return entry
            }
            let entry = DefinitionEntry(definition, value: value)
            state.entries[ExactString(definition.id)] = entry
            return entry
        }
        // The definition is not captured, since it may retain the signal.
        let id = definition.id
        let subscriptions = definition.changes(in: inputs).map { signal in
            signal.subscribe { [weak self] in self?.refresh(id) }
        }
        let before = state.withLock { $0.subscriptions.updateValue(subscriptions, forKey: ExactString(id)) }
        for subscription in before ?? [] { subscription.end() }
        refresh(id)
        return entry
    }

    private func refresh(_ id: String) {
        EvaluationContext.$current.withValue(nil) {
            refreshing.add([id]) { id in
                state.withLock { $0.entries[ExactString(id)] }?.refresh(from: inputs)
            }
        }
    }

    /// The ids of the definitions, sorted.
    public var ids: [String] { state.withLock { $0.entries.keys.sorted().map(\.string) } }

    /// The explanation of the value of the definition with an id; `nil` if none was added.
    public func explain(id: String) -> ChainExplanation? { explain(id: id, from: inputs) }

    /// Why the definition of an id has the value it has in a snapshot of ``inputs``; `nil` if none was added.
    package func explain(id: String, from inputs: LinkInputs) -> ChainExplanation? {
        state.withLock { $0.entries[ExactString(id)] }?.explain(from: inputs)
    }

    /// The explanation of a definition's value.
    public func explain<Value>(_ definition: ConfigDefinition<Value>) -> ChainExplanation {
        entry(of: definition)?.explain(from: inputs) ?? definition.explain(from: inputs)
    }

    /// The errors of readers that cannot be watched, and of unusable overrides, sorted by definition id.
    ///
    /// Each link of each definition is evaluated, so it takes longer than reading the values.
    public var problems: [ConfigError] {
        let (snapshot, entries) = (inputs.snapshot(), state.withLock(\.entries))
        let ofReaders = [inputs.remote, inputs.environment].compactMap { $0?.problem }
        return ofReaders + entries.sorted { $0.key < $1.key }.flatMap { $0.value.explain(from: snapshot).problems }
    }

    /// The JSON Schemas (2020-12) of the definitions, as one document keyed by remote key.
    ///
    /// ```json
    /// {
    ///   "livery": 1,
    ///   "schemas": {
    ///     "app.speed": {
    ///       "default": 0.5,
    ///       "description": "How fast the headline moves",
    ///       "maximum": 1,
    ///       "minimum": 0,
    ///       "type": "number"
    ///     }
    ///   }
    /// }
    /// ```
    ///
    /// A schema describes the type of the value, its limits, the description and, unless it is secret, the default. It accepts
    /// each value that the definition accepts, and rejects others as far as JSON Schema can express it. If several definitions
    /// share a remote key, a value must satisfy all of them. Definitions without a remote key are left out.
    ///
    /// The same definitions give the same text, with a line for each member, so that changes are easy to review. A repository
    /// needs nothing else for this:
    ///
    /// ```swift
    /// let config = ConfigRepository()
    /// config.add(ConfigDefinition("app.speed", default: 0.5).limited(to: 0...1))
    /// try print(config.schemaDocument())
    /// ```
    ///
    /// - Throws: `typeMismatch` if a default is outside the limits of its definition, `invalidKey` for a remote key that no
    ///   remote configuration can have.
    public func schemaDocument() throws(ConfigError) -> String {
        var export = SchemaExport()
        let entries = state.withLock(\.entries).sorted { $0.key < $1.key }
        for (_, entry) in entries { entry.add(to: &export) }
        return try export.document()
    }

    private func entry<Value>(of definition: ConfigDefinition<Value>) -> DefinitionEntry<Value>? {
        state.withLock { $0.entries[ExactString(definition.id)] } as? DefinitionEntry<Value>
    }
}

extension ConfigRepository {
    /// Calls a closure with each new value of a definition, starting with the next one, and adds the definition if needed.
    ///
    /// Only listeners of definitions whose value has changed are called: in the order of the changes, one at a time, on the
    /// thread that made the change or on one that is already calling listeners, and never within a lock. A listener may
    /// therefore read, add, listen, end a subscription and change values; its own changes are announced after it has returned.
    /// Intermediate values may be skipped if they change faster than the listeners run, but never the last one.
    ///
    /// - Returns: what ends it; the closure is called no longer once this is released.
    package func listen<Value>(
        to definition: ConfigDefinition<Value>,
        _ listener: @escaping @Sendable (Value) -> Void
    ) -> ObservationToken {
        added(definition).known.observe { listener($1) }
    }

    /// The values of a definition, starting with the current one, without consecutive duplicates. Adds the definition if
    /// needed.
    ///
    /// A slow reader skips values but always gets the newest. The sequence ends when its task is cancelled, or when a graceful
    /// shutdown begins (with the trait `ServiceLifecycle`). In a task with a context (`EvaluationContext.current`), the values
    /// are those of the context.
    public func observe<Value>(
        _ definition: ConfigDefinition<Value>
    ) -> some AsyncSequence<Value, Never> & Sendable {
        let (entry, context) = (added(definition), EvaluationContext.current)
        // The closure that refreshes the entry lives as long as the repository.
        return DistinctUpdates(value: {
            EvaluationContext.$current.withValue(context) { entry.value(from: self.inputs) }
        }) { hint in
            // The listeners know the values of the program's own context.
            let ofContext = EvaluationContext.$current.withValue(context) {
                context == nil ? [] : definition.changes(in: self.inputs).map { $0.subscribe(hint) }
            }
            return [entry.known.observe { _, _ in hint() }, entry.corrections.subscribe(hint)] + ofContext
        }
    }

    private func added<Value>(_ definition: ConfigDefinition<Value>) -> DefinitionEntry<Value> {
        entry(of: definition) ?? addOne(definition)
    }
}

extension ConfigRepository: Observable {}

/// A definition of any type in a repository.
private protocol RepositoryEntry: Sendable {
    /// Reads the value, and notifies the listeners if it has become another. Called by one thread at a time.
    func refresh(from inputs: LinkInputs)

    func explain(from inputs: LinkInputs) -> ChainExplanation

    func add(to export: inout SchemaExport)

    /// The same definition, without observers.
    func copy() -> any RepositoryEntry
}

/// A definition in a repository, the value that its listeners know, and the listeners.
private final class DefinitionEntry<Value: Equatable & Sendable>: RepositoryEntry {
    private let definition: Mutex<ConfigDefinition<Value>>
    /// The value that the listeners know.
    let known: Observed<Value>
    /// Notifies readers of a value that the listeners never received.
    let corrections = ChangeSignal()
    /// The number of evaluations in progress.
    private let readers = Atomic(0)
    /// Whether a reader was given a value that the listeners did not know.
    private let isAhead = Atomic(false)
    private let observation = ObservedReading()

    init(_ definition: ConfigDefinition<Value>, value: Value) {
        self.definition = Mutex(definition)
        known = Observed(value)
    }

    func replace(with definition: ConfigDefinition<Value>) {
        self.definition.withLock { $0 = definition }
    }

    /// Evaluates the definition once.
    ///
    /// The value may return to the one that listeners know before they are notified: nothing has then changed for them, but
    /// something has for the caller. A refresh that comes after the value was read must therefore find a mark.
    func value(from inputs: LinkInputs) -> Value {
        observation.access()
        readers.add(1, ordering: .sequentiallyConsistent)
        let value = read(from: inputs)
        if !areSame(value, known.value) { isAhead.store(true, ordering: .sequentiallyConsistent) }
        readers.subtract(1, ordering: .sequentiallyConsistent)
        return value
    }

    // Read outside the lock: a link may ask anything, this repository included.
    private func read(from inputs: LinkInputs) -> Value { definition.withLock { $0 }.value(from: inputs) }

    func explain(from inputs: LinkInputs) -> ChainExplanation {
        observation.access()
        return definition.withLock { $0 }.explain(from: inputs)
    }

    func add(to export: inout SchemaExport) { export.add(definition.withLock { $0 }) }

    func copy() -> any RepositoryEntry { DefinitionEntry(definition.withLock { $0 }, value: known.value) }

    func refresh(from inputs: LinkInputs) {
        // In this order: a reader leaves its mark before it is done.
        let isBeingRead = readers.load(ordering: .sequentiallyConsistent) > 0
        let wasAhead = isAhead.exchange(false, ordering: .sequentiallyConsistent) || isBeingRead
        let value = read(from: inputs)
        let isNew = !areSame(value, known.value)
        if isNew || wasAhead { observation.announceOnMain() }
        if isNew { known.replace(with: value) } else if wasAhead { corrections.send() }
    }
}
