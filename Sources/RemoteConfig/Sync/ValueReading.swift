// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import ConfigRules
internal import Observing

/// Something that values are read from by their keys, always alike: a service, its state, a snapshot of it, or a view of it.
///
/// ```swift
/// struct MenuItem: Codable { var title: String; var url: URL }
///
/// let title = service.value(forKey: "app.title", default: "Hello")
/// let menu = try service.value(forKey: "app.menu", as: [MenuItem].self) ?? []
/// print(title, menu.count, service["app.limit"] ?? "no limit")
/// ```
///
/// Every `Decodable` type is read. A `Date` is a text by RFC 3339, a `URL` one that is absolute, `Data` a text of Base64, and a
/// `Duration` a number of seconds or a text such as `200ms`. Members of an object that the type does not have are passed over.
/// An object may be the value of a key, keys below it, or both: `theme.font.size` and `theme.font` = `{"name": "Mono"}` are one
/// `font` of two members. The empty key is the whole configuration.
///
/// A value that cannot be read as the type counts as missing in its layer (``LayeredSource``): the next layer below that has one
/// of the type serves it, then the bundled default. The error is among the ``ConfigState/problems``, and logged once.
public protocol ValueReading: Sendable {
    /// The entry of a key, with its value, its origin and its place; `nil` if the key is not there.
    func entry(forKey key: String) -> ConfigEntry?

    /// Reads the value of a key as a type. The default reads it from the ``snapshot(below:)``.
    ///
    /// - Returns: the value; `nil` if the key is not there.
    /// - Throws: `typeMismatch` if no layer has a value of the type, with the key, the value's place, and the path of what does
    ///   not fit: `config.json:3:5: app.menu: at [2].url: expected a string, found a number`.
    func value<Value: Decodable>(forKey key: String, as type: Value.Type) throws(ConfigError) -> Value?

    /// A snapshot of what is read, for an object that is spread over a key and the keys below it.
    func snapshot(below key: String) -> ConfigState.Snapshot
}

extension ValueReading {
    /// The value of a key; `nil` if the key is not there. An object has the members that keys below it set as well.
    public subscript(key: String) -> EntryValue? {
        guard let value = entry(forKey: key)?.value else { return nil }
        return value.isObject ? snapshot(below: key).object(atKey: key) ?? value : value
    }

    /// Reads the value of a key as a type.
    ///
    /// - Returns: the value; `nil` if the key is not there.
    /// - Throws: `typeMismatch` if no layer has a value of the type, `invalidKey` for a key that no configuration can have.
    public func value<Value: Decodable>(
        forKey key: String,
        as type: Value.Type = Value.self
    ) throws(ConfigError) -> Value? {
        try snapshot(below: key).value(forKey: key, as: type)
    }

    /// Reads the value of a key as a type; the default if the key is not there, or no layer has a value of the type.
    ///
    /// A value of another type, or a key that no configuration can have, is among the ``ConfigState/problems``, and logged once.
    public func value<Value: Decodable>(
        forKey key: String,
        as type: Value.Type = Value.self,
        default defaultValue: @autoclosure () -> Value
    ) -> Value {
        do throws(ConfigError) {
            return try value(forKey: key, as: type) ?? defaultValue()
        } catch {
            snapshot(below: key).report(error)
            return defaultValue()
        }
    }
}

extension ConfigState.Snapshot: ValueReading {
    /// The entry of a key.
    public func entry(forKey key: String) -> ConfigEntry? {
        let entry = snapshot.entries[key]
        expose(entry, ofKey: key)
        if entry == nil { reportIfInvalid(key) }
        return entry
    }

    /// Reads the value of a key as a type.
    public func value<Value: Decodable>(
        forKey key: String,
        as type: Value.Type = Value.self
    ) throws(ConfigError) -> Value? {
        let entry = snapshot.entries[key]
        // A text or a number is read on its own.
        if let entry, !entry.value.isObject || EntrySnapshot.isOfOneKey(type) {
            do throws(ConfigError) {
                let value = try entry.value(ofKey: key, as: type)
                expose(entry, ofKey: key)
                return value
            } catch {
                if snapshot.layers.count > 1 {
                    return try valueOfParts(forKey: key) { value, _ in try ValueDecoder(value).decode(type) }
                }
                if exposureLog.isOn { expose(key, servedBy: nil) }
                throw error
            }
        }
        if !EntrySnapshot.isOfOneKey(type) {
            let value = try valueOfParts(forKey: key) { value, _ in try ValueDecoder(value).decode(type) }
            if let value { return value }
        } else if exposureLog.isOn {
            expose(key, servedBy: nil)
        }
        if let error = ConfigError(inKey: key) { throw error }
        return nil
    }

    /// This snapshot.
    public func snapshot(below key: String) -> ConfigState.Snapshot { self }
}

extension ConfigState: ValueReading {
    /// The entry of a key now, in the context of the task if it has one (`EvaluationContext.current`).
    public func entry(forKey key: String) -> ConfigEntry? {
        let (entry, dependsOnContext) = observed.read { ($0.snapshot.entries[key], $0.dependsOnContext) }
        guard dependsOnContext else { return entry ?? current.entry(forKey: key) }
        if let context = EvaluationContext.current { return ContextValues(current, for: context).entry(forKey: key) }
        return entry == nil || exposureLog.isOn ? current.entry(forKey: key) : entry
    }

    /// Reads the value of a key now as a type, in the context of the task if it has one.
    public func value<Value: Decodable>(
        forKey key: String,
        as type: Value.Type = Value.self
    ) throws(ConfigError) -> Value? {
        let (entry, dependsOnContext) = observed.read { ($0.snapshot.entries[key], $0.dependsOnContext) }
        let context = dependsOnContext ? EvaluationContext.current : nil
        if let context { return try ContextValues(current, for: context).value(forKey: key, as: type) }
        if let entry, !entry.value.isObject, !dependsOnContext || !exposureLog.isOn,
            // The error is that of the slower way.
            let value = try? entry.value(ofKey: key, as: type)
        {
            return value
        }
        return try current.value(forKey: key, as: type)
    }

    /// The state now, in the context of the task if it has one.
    public func snapshot(below key: String) -> Snapshot {
        current.snapshot(below: key, for: EvaluationContext.current)
    }
}

extension RemoteConfigService: ValueReading {
    /// The entry of a key now.
    public func entry(forKey key: String) -> ConfigEntry? { state.entry(forKey: key) }

    /// Reads the value of a key now as a type, in the context of the task if it has one.
    public func value<Value: Decodable>(
        forKey key: String,
        as type: Value.Type = Value.self
    ) throws(ConfigError) -> Value? {
        try state.value(forKey: key, as: type)
    }

    /// The state now, in the context of the task if it has one.
    public func snapshot(below key: String) -> ConfigState.Snapshot { state.snapshot(below: key) }
}
