// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Observation
package import Observing
internal import Synchronization

/// The tweaks and actions of a program, with their overrides.
///
/// ```swift
/// let tweaks = TweakRepository(store: FileStore(path: "/var/lib/app/tweaks.json"))
/// tweaks.add(TweakAction("cache.clear", category: "Cache", section: "Disk", name: "Clear") { print("cleared") })
/// for row in tweaks.rows { print(row.category, row.section, row.name) }
/// ```
///
/// It may be used from any thread, and observed: `withObservationTracking` is notified on the main queue.
public final class TweakRepository: Sendable {
    private struct State {
        var rows: [TweakRow] = []
        var indexByID: [ExactString: Int] = [:]
        var subscriptions: [ExactString: [ObservationToken]] = [:]
        var history = TweakHistory()
        /// The error of the last assignment by the subscript.
        var failure: ConfigError?
    }

    /// Sent after a row was added, an override was changed, or an initial value may have changed.
    package let changes = ChangeSignal()
    let persistentStore: any KeyValueStore
    let memoryStore = MemoryStore(name: "in-memory tweaks")
    private let state = Mutex(State())
    private let observation = ObservedReading()

    /// Creates a repository without tweaks, whose overrides persist in a store.
    public init(store: any KeyValueStore = MemoryStore()) {
        persistentStore = store
    }
}

extension TweakRepository {
    /// Adds tweaks of one type. One with a known id replaces the earlier row in its place, if the section is the same.
    public func add<Value>(_ definitions: TweakDefinition<Value>...) {
        for definition in definitions {
            let tweak = Tweak(definition, in: self)
            add(.tweak(tweak))
            let signals = [changes(at: tweak.address)] + tweak.initialChanges
            let subscriptions = signals.map { signal in signal.subscribe { [weak self] in self?.announce() } }
            let before = state.withLock { $0.subscriptions.updateValue(subscriptions, forKey: ExactString(tweak.id)) }
            for subscription in before ?? [] { subscription.end() }
        }
    }

    /// Adds actions. One with a known id replaces the earlier row.
    public func add(_ actions: TweakAction...) {
        for action in actions { add(.action(action)) }
    }

    private func add(_ row: TweakRow) {
        state.withLock { state in
            if let index = state.indexByID[ExactString(row.id)] {
                state.rows[index] = row
            } else {
                state.indexByID[ExactString(row.id)] = state.rows.count
                state.rows.append(row)
            }
        }
        announce()
    }

    /// All rows, in the order in which they were added.
    public var rows: [TweakRow] {
        access()
        return state.withLock(\.rows)
    }

    /// The tweak of an id.
    public func tweak(id: String) -> Tweak? {
        access()
        return knownTweak(id)
    }

    func knownTweak(_ id: String) -> Tweak? {
        state.withLock { state in state.indexByID[ExactString(id)].map { state.rows[$0] } }?.tweak
    }

    private func announce() {
        observation.announceOnMain()
        changes.send()
    }

    /// Reads or changes the history of edits.
    func withHistory<Result: Sendable>(_ body: (inout TweakHistory) -> Result) -> Result {
        state.withLock { body(&$0.history) }
    }

    /// Forgets the failure of an earlier edit, and announces that ``problems`` has it no longer.
    func noteStored() {
        let wasFailing = state.withLock { $0.failure.take() != nil }
        if wasFailing { announce() }
    }

    func access() { observation.access() }
}

extension TweakRepository {
    /// The value of a tweak: its override, or its initial value. Setting it overrides; what cannot be stored is dropped.
    /// ``problems`` has the reasons why an override cannot be used or stored.
    public subscript<Value>(definition: TweakDefinition<Value>) -> Value {
        get {
            if case .value(let value) = usableOverride(of: definition) { value } else { definition.initialValue }
        }
        set {
            do throws(ConfigError) {
                try set(newValue, for: definition)
            } catch {
                state.withLock { $0.failure = error.naming(key: definition.id) }
                announce()
            }
        }
    }

    /// The errors of unusable overrides, in the order of the rows, and of the last assignment by the subscript until the next
    /// successful edit.
    public var problems: [ConfigError] {
        let unusable = rows.compactMap { row in row.tweak?.problem?.naming(key: row.id) }
        return unusable + [state.withLock(\.failure)].compactMap(\.self)
    }

    /// Overrides the value of a tweak, which is added if it was not.
    ///
    /// - Throws: why the override cannot be kept.
    public func set<Value>(_ value: Value, for definition: TweakDefinition<Value>) throws(ConfigError) {
        if knownTweak(definition.id) == nil { add(definition) }
        try edit([ExactString(definition.id): definition.converter.json(of: value)])
    }

    private func usableOverride<Value>(of definition: TweakDefinition<Value>) -> Override<Value> {
        // An unusable override counts as missing; see ``problems``.
        Override(storedOverride(at: definition.address).flatMap(definition.converter.decoded))
    }

    /// Whether a tweak has an override.
    public func hasOverride<Value>(_ definition: TweakDefinition<Value>) -> Bool {
        if case .value = usableOverride(of: definition) { return true }
        return false
    }
}

extension TweakRepository {
    /// The stored override of a tweak, in any form, now or in a snapshot.
    func storedOverride(at address: TweakAddress, in snapshot: LinkInputs? = nil) -> EntryValue? {
        access()
        let store = store(of: address)
        if let snapshot { return snapshot.value(forKey: address.key, in: store) }
        return store.value(forKey: address.key)
    }

    /// The signal that is sent after the override of a tweak has changed.
    func changes(at address: TweakAddress) -> ChangeSignal { store(of: address).changes(ofKey: address.key) }

    func store(of address: TweakAddress) -> any KeyValueStore {
        address.namespace == nil ? memoryStore : persistentStore
    }
}

extension TweakRepository: Observable {}
