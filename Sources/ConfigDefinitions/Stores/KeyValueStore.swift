// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import Observing
internal import Synchronization

/// A place where values are kept by key: the local store of ``ConfigDefinition/stored(key:in:)`` and of tweaks.
///
/// Conform a store of your own with `KeyedSignals`, which it sends after a value has changed and outside its locks.
public protocol KeyValueStore: AnyObject, Sendable {
    /// The store's name for the inspector, such as `tweaks.json`.
    var name: String { get }

    /// The value of a key, or `nil` if there is none. `null` is a value.
    func value(forKey key: String) -> EntryValue?

    /// All values as of now, which the closure returns by their keys. It must be quick, and copy nothing.
    ///
    /// A store that does not implement this returns each value as of the moment when its key is first read.
    func snapshot() -> @Sendable (_ key: String) -> EntryValue?

    /// Sets or removes the values of keys (`nil` removes): all or none of them. Keys are compared by their bytes.
    ///
    /// - Throws: the error because of which nothing was stored.
    func apply(_ changes: [ExactString: EntryValue?]) throws(ConfigError)

    /// The signal that is sent after the value of a key has changed; always the same one for a key.
    func changes(ofKey key: String) -> ChangeSignal
}

extension KeyValueStore {
    /// The values as of the moments when their keys are first read.
    public func snapshot() -> @Sendable (_ key: String) -> EntryValue? {
        let values = ReadOnce<ExactString, EntryValue?>()
        return { key in values.value(of: ExactString(key)) { self.value(forKey: key) } }
    }

    /// Sets the value of a key, or removes it with `nil`.
    public func set(_ value: EntryValue?, forKey key: String) throws(ConfigError) {
        try apply([ExactString(key): value])
    }

    /// Sets the value of a key.
    public func set<Value: ConfigStorable>(_ value: Value, forKey key: String) throws(ConfigError) {
        try set(Value.configConverter.json(of: value), forKey: key)
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
    public func apply(_ changes: [ExactString: EntryValue?]) {
        let changed = values.withLock { $0.apply(changes) }
        signals.send(changed)
    }

    /// The signal of a key.
    public func changes(ofKey key: String) -> ChangeSignal { signals[key] }
}

extension [ExactString: EntryValue] {
    /// The values by their keys.
    var lookup: @Sendable (String) -> EntryValue? { { self[ExactString($0)] } }

    /// Sets or removes values, and returns the keys whose value is another now, sorted.
    mutating func apply(_ changes: [ExactString: EntryValue?]) -> [String] {
        changes.keys.sorted().compactMap { key in
            let value = changes[key] ?? nil
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
