internal import Synchronization

/// A store that forgets everything when the program ends.
public final class MemoryStore: KeyValueStore {
    /// The name that was given.
    public let name: String
    private let values: Mutex<[String: JSONValue]>
    private let signals = KeyedSignals()

    /// Creates a store.
    public init(_ values: [String: JSONValue] = [:], name: String = "memory") {
        self.values = Mutex(values)
        self.name = name
    }

    /// The value of a key.
    public func value(forKey key: String) -> JSONValue? { values.withLock { $0[key] } }

    /// Sets or removes values.
    public func apply(_ changes: [String: JSONValue?]) {
        let changed = values.withLock { $0.apply(changes) }
        signals.send(changed)
    }

    /// The signal of a key.
    public func changes(ofKey key: String) -> ChangeSignal { signals[key] }
}

extension [String: JSONValue] {
    /// Sets or removes values, and returns the keys whose value is another now, sorted.
    mutating func apply(_ changes: [String: JSONValue?]) -> [String] {
        changes.keys.sorted().filter { key in
            let value = changes[key] ?? nil
            if self[key] == value { return false }
            self[key] = value
            return true
        }
    }

    /// The keys whose values differ from another state's, sorted.
    func keys(differingFrom other: Self) -> [String] {
        Set(keys).union(other.keys).filter { self[$0] != other[$0] }.sorted()
    }
}
