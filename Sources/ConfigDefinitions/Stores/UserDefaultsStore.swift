// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Essentials
internal import Observing

/// A store in the user's defaults (`UserDefaults`), each value as the text of its JSON: for the stored values and tweaks of
/// an app.
///
/// ```swift
/// #if canImport(Darwin)
///     let tweaks = TweakRepository(store: UserDefaultsStore(suiteName: "org.example.shop.tweaks"))
/// #endif
/// ```
///
/// A plain text, number or Boolean that a settings bundle or another program has set is read as well. The store announces
/// the changes that are made through it.
public final class UserDefaultsStore: KeyValueStore {
    /// The name of the suite, or `user defaults`.
    public let name: String
    private let defaults: @Sendable () -> any DefaultsAccess
    private let signals = KeyedSignals()

    package init(name: String, _ defaults: @escaping @Sendable () -> any DefaultsAccess) {
        (self.name, self.defaults) = (name, defaults)
    }

    /// The value of a key.
    public func value(forKey key: String) -> EntryValue? { defaults().value(ofKey: key) }

    /// Sets or removes values.
    public func apply(_ changes: [(key: String, value: EntryValue?)]) {
        let defaults = defaults()
        let changed = changes.lastOfEachKey.filter { defaults.value(ofKey: $0.key.string) != $0.value }
        for (key, value) in changed {
            if let value {
                defaults.set(value.canonicalJSON, forKey: key.string)
            } else {
                defaults.removeObject(forKey: key.string)
            }
        }
        signals.send(changed.map(\.key.string))
    }

    /// Calls a closure after each change of the value of a key, until the closure that it returns is called or released.
    public func observe(_ key: String, _ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        signals[key].observe(didChange)
    }
}

/// The part of `UserDefaults` that the store needs. On Linux the class is in the part of Foundation that this module does
/// not link.
package protocol DefaultsAccess {
    func object(forKey key: String) -> Any?
    func set(_ value: Any?, forKey key: String)
    func removeObject(forKey key: String)
}

extension DefaultsAccess {
    fileprivate func value(ofKey key: String) -> EntryValue? {
        switch object(forKey: key) {
        // A text that is not JSON is a string of another program.
        case let text as String: (try? EntryValue(text: text)) ?? .string(text)
        case let plain?: EntryValue(plain: plain)
        case nil: nil
        }
    }
}

extension EntryValue {
    /// A number or a Boolean as `UserDefaults` returns it.
    fileprivate init?(plain: Any) {
        #if canImport(Darwin)
            // Each NSNumber converts to each type.
            guard let number = plain as? NSNumber else { return nil }
            if CFGetTypeID(number) == CFBooleanGetTypeID() {
                self = .boolean(number.boolValue)
            } else {
                self = Int(exactly: number).map(EntryValue.integer) ?? .double(number.doubleValue)
            }
        #else
            switch plain {
            case let boolean as Bool: self = .boolean(boolean)
            case let number as Int: self = .integer(number)
            case let number as Double: self = .double(number)
            default: return nil
            }
        #endif
    }
}

#if canImport(Darwin)
    extension UserDefaults: DefaultsAccess {}

    extension UserDefaultsStore {
        /// Creates a store in the defaults of a suite; `nil` for those of the program itself.
        public convenience init(suiteName: String? = nil) {
            self.init(name: suiteName ?? "user defaults") { UserDefaults(suiteName: suiteName) ?? .standard }
        }
    }
#endif
