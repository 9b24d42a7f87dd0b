// SPDX-License-Identifier: Apache-2.0

#if canImport(Darwin)
    public import ConfigModel
    public import Essentials
    public import Observing

    /// A store in the user's defaults, each value as the text of its JSON.
    ///
    /// It announces the changes that are made through it.
    public final class UserDefaultsStore: KeyValueStore {
        /// The name of the suite, or `user defaults`.
        public let name: String
        private let suiteName: String?
        private let signals = KeyedSignals()

        /// Creates a store in the defaults of a suite; `nil` for those of the program itself.
        public init(suiteName: String? = nil) {
            self.suiteName = suiteName
            name = suiteName ?? "user defaults"
        }

        private var defaults: UserDefaults { UserDefaults(suiteName: suiteName) ?? .standard }

        /// The value of a key. One that another program has set as a plain string, number or Boolean is read as well.
        public func value(forKey key: String) -> EntryValue? {
            switch defaults.object(forKey: key) {
            // A text that is no JSON is a string of another program.
            case let text as String: (try? EntryValue(text: text)) ?? .string(text)
            case let number as NSNumber where CFGetTypeID(number) == CFBooleanGetTypeID(): .boolean(number.boolValue)
            case let number as NSNumber: Int(exactly: number).map(EntryValue.integer) ?? .double(number.doubleValue)
            default: nil
            }
        }

        /// Sets or removes values.
        public func apply(_ changes: [String: EntryValue?]) {
            let defaults = defaults
            for (key, value) in changes {
                if let value {
                    defaults.set(value.canonicalJSON, forKey: key)
                } else {
                    defaults.removeObject(forKey: key)
                }
            }
            signals.send(changes.keys.sorted())
        }

        /// The signal of a key.
        public func changes(ofKey key: String) -> ChangeSignal { signals[key] }
    }
#endif
