public import ConfigModel

/// A place where values are kept by key: the local store of ``ConfigDefinition/stored(key:in:)`` and of tweaks.
///
/// Conform a store of your own with ``KeyedSignals``, which it sends after a value has changed and outside its locks.
public protocol KeyValueStore: Sendable {
    /// The store's name for the inspector, such as `tweaks.json`.
    var name: String { get }

    /// The value of a key, or `nil` if there is none. `null` is a value.
    func value(forKey key: String) -> JSONValue?

    /// Sets or removes the values of keys, all or none of them.
    ///
    /// - Parameter changes: the new values by key; `nil` removes one.
    /// - Throws: an error that says why nothing could be kept.
    func apply(_ changes: [String: JSONValue?]) throws(ConfigError)

    /// What is sent after the value of a key has changed: always the same signal for one key.
    func changes(ofKey key: String) -> ChangeSignal
}

extension KeyValueStore {
    /// Sets the value of a key, or removes it with `nil`.
    public func set(_ value: JSONValue?, forKey key: String) throws(ConfigError) {
        try apply([key: value])
    }

    /// Sets the value of a key.
    public func set<Value: ConfigStorable>(_ value: Value, forKey key: String) throws(ConfigError) {
        try set(Value.configConverter.json(of: value), forKey: key)
    }
}
