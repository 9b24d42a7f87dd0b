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
/// Every `Decodable` type is read. A `Date` is a text by ISO 8601, a `URL` one that is absolute, `Data` a text of Base64, and a
/// `Duration` a number of seconds or a text such as `200ms`. Members of an object that the type does not have are passed over.
/// An object may be the value of a key, keys below it, or both: `theme.font.size` and `theme.font` = `{"name": "Mono"}` are one
/// `font` of two members. The empty key is the whole configuration.
public protocol ValueReading: Sendable {
    /// The entry of a key, with its value, its origin and its place; `nil` if the key is not there.
    func entry(forKey key: String) -> ConfigEntry?

    /// A snapshot of what is read, for an object that is spread over a key and the keys below it.
    func snapshot(below key: String) -> ConfigState.Snapshot
}

extension ValueReading {
    /// The value of a key; `nil` if the key is not there.
    public subscript(key: String) -> EntryValue? { entry(forKey: key)?.value }

    /// Reads the value of a key as a type.
    ///
    /// - Returns: the value; `nil` if the key is not there.
    /// - Throws: `typeMismatch` with the key, the value's place, and the path of what does not fit:
    ///   `config.json:3:5: app.menu: at [2].url: expected a string, found a number`.
    public func value<Value: Decodable>(
        forKey key: String,
        as type: Value.Type = Value.self
    ) throws(ConfigError) -> Value? {
        let entry = entry(forKey: key)
        // A text or a number is read on its own.
        if let entry, !entry.value.isObject { return try entry.value(ofKey: key, as: type) }
        if EntrySnapshot.isOfOneKey(type) { return try entry?.value(ofKey: key, as: type) }
        return try snapshot(below: key).value(ofBranch: key, as: type)
    }

    /// Reads the value of a key as a type; the default if the key is not there, or its value is of another type.
    ///
    /// A value of another type is among the ``ConfigState/problems``, and logged once.
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
        expose(key)
        return snapshot.entries[key]
    }

    /// This snapshot.
    public func snapshot(below key: String) -> ConfigState.Snapshot { self }
}

extension ConfigState: ValueReading {
    /// The entry of a key now, in the context of the task if it has one (`EvaluationContext.current`).
    public func entry(forKey key: String) -> ConfigEntry? {
        let (entry, dependsOnContext) = observed.read { ($0.snapshot.entries[key], $0.dependsOnContext) }
        guard dependsOnContext else { return entry }
        if let context = EvaluationContext.current { return ContextValues(current, for: context).entry(forKey: key) }
        return exposureLog.isOn ? current.entry(forKey: key) : entry
    }

    /// The state now, in the context of the task if it has one.
    public func snapshot(below key: String) -> Snapshot {
        current.snapshot(below: key, for: EvaluationContext.current)
    }
}

extension RemoteConfigService: ValueReading {
    /// The entry of a key now.
    public func entry(forKey key: String) -> ConfigEntry? { state.entry(forKey: key) }

    /// The state now, in the context of the task if it has one.
    public func snapshot(below key: String) -> ConfigState.Snapshot { state.snapshot(below: key) }
}
