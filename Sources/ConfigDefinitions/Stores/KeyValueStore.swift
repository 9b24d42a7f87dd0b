// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Observing
internal import Synchronization

/// A place where values are kept by key: the local store of ``ConfigDefinition/stored(key:in:)`` and of tweaks.
///
/// ```swift
/// import Synchronization
///
/// /// A store that forgets everything when the program ends.
/// final class SessionStore: KeyValueStore {
///     private struct State {
///         var values: [String: EntryValue] = [:]
///         var observers: [Int: (key: String, didChange: @Sendable () -> Void)] = [:]
///         var count = 0
///     }
///     private let state = Mutex(State())
///     let name = "session"
///
///     func value(forKey key: String) -> EntryValue? { state.withLock { $0.values[key] } }
///
///     func apply(_ changes: [(key: String, value: EntryValue?)]) {
///         for (key, value) in changes { state.withLock { $0.values[key] = value } }
///         // Outside the lock, since an observer may read.
///         for observer in state.withLock(\.observers).values where changes.contains(where: { $0.key == observer.key }) {
///             observer.didChange()
///         }
///     }
///
///     func observe(_ key: String, _ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
///         let number = state.withLock { state in
///             state.count += 1
///             state.observers[state.count] = (key, didChange)
///             return state.count
///         }
///         return { self.state.withLock { _ = $0.observers.removeValue(forKey: number) } }
///     }
/// }
/// ```
public protocol KeyValueStore: AnyObject, Sendable {
    /// The store's name for the inspector, such as `tweaks.json`.
    var name: String { get }

    /// The value of a key, or `nil` if there is none. `null` is a value.
    func value(forKey key: String) -> EntryValue?

    /// All values as of now, which the closure returns by their keys. It must be quick, and copy nothing.
    ///
    /// A store that does not implement this returns each value as of the moment when its key is first read.
    func snapshot() -> @Sendable (_ key: String) -> EntryValue?

    /// Sets or removes the values of keys (`nil` removes): all or none of them. Of several values of a key, the last counts.
    ///
    /// - Throws: the error because of which nothing was stored.
    func apply(_ changes: [(key: String, value: EntryValue?)]) throws(ConfigError)

    /// Calls a closure after each change of the value of a key, on any thread and outside the store's locks.
    ///
    /// - Returns: what ends it.
    func observe(_ key: String, _ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void
}

extension KeyValueStore {
    /// The values as of the moments when their keys are first read.
    public func snapshot() -> @Sendable (_ key: String) -> EntryValue? {
        let values = ReadOnce<ExactString, EntryValue?>()
        return { key in values.value(of: ExactString(key)) { self.value(forKey: key) } }
    }

    /// Sets the value of a key, or removes it with `nil`.
    public func set(_ value: EntryValue?, forKey key: String) throws(ConfigError) {
        try apply([(key, value)])
    }

    /// Sets the value of a key.
    public func set<Value: ConfigStorable>(_ value: Value, forKey key: String) throws(ConfigError) {
        try set(Value.configConverter.json(of: value), forKey: key)
    }

    /// A signal that is sent after the value of a key has changed.
    func changes(ofKey key: String) -> ChangeSignal { .forwarding { self.observe(key, $0) } }

    /// Sets or removes the values of keys, each of which has one value.
    func apply(_ changes: [ExactString: EntryValue?]) throws(ConfigError) {
        try apply(changes.sorted { $0.key < $1.key }.map { ($0.key.string, $0.value) })
    }
}

/// A store that forgets everything when the program ends.
public final class MemoryStore: KeyValueStore {
    /// The name that was given.
    public let name: String
    private let values: Mutex<[ExactString: EntryValue]>
    private let signals = KeyedSignals()

    /// Creates a store.
    public init(_ values: [String: EntryValue] = [:], name: String = "memory") {
        self.values = Mutex(Dictionary(values.map { (ExactString($0), $1) }) { $1 })
        self.name = name
    }

    /// The value of a key.
    public func value(forKey key: String) -> EntryValue? { values.withLock { $0[ExactString(key)] } }

    /// All values as of now.
    public func snapshot() -> @Sendable (_ key: String) -> EntryValue? { values.withLock(\.self).lookup }

    /// Sets or removes values.
    public func apply(_ changes: [(key: String, value: EntryValue?)]) {
        let changed = values.withLock { $0.apply(changes) }
        signals.send(changed)
    }

    /// Calls a closure after each change of the value of a key, until the closure that it returns is called or released.
    public func observe(_ key: String, _ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        signals[key].observe(didChange)
    }
}

extension [ExactString: EntryValue] {
    /// The values by their keys.
    var lookup: @Sendable (String) -> EntryValue? { { self[ExactString($0)] } }

    /// Sets or removes values, and returns the keys whose value is another now, sorted.
    mutating func apply(_ changes: [(key: String, value: EntryValue?)]) -> [String] {
        changes.lastOfEachKey.compactMap { key, value in
            if self[key] == value { return nil }
            self[key] = value
            return key.string
        }
    }

    /// The keys whose values differ from another state's, sorted.
    func keys(differingFrom other: Self) -> [String] {
        Set(keys).union(other.keys).filter { self[$0] != other[$0] }.sorted().map(\.string)
    }
}

extension [(key: String, value: EntryValue?)] {
    /// The last value that these changes have for each key, sorted by the keys.
    var lastOfEachKey: [(key: ExactString, value: EntryValue?)] {
        let changes = map { (key: ExactString($0.key), value: $0.value) }
        if count < 2 { return changes }
        return Dictionary(changes) { $1 }.sorted { $0.key < $1.key }
    }
}
