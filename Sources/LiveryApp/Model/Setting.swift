import ConfigModel

/// A configuration value that the screen uses: its key, its default, and the last good value.
struct Setting<Value: ConfigValueConvertible & Hashable & Sendable>: Hashable, Sendable {
    let key: String
    /// Used until the configuration has a value of its own, and again when it no longer has one.
    let defaultValue: Value
    /// What the configuration says.
    private var configured: Value
    /// What was set on the screen of tweaks.
    var override: Value?
    /// Why the configuration's present value is not used.
    private(set) var problem: ConfigError?

    init(_ key: String, default defaultValue: Value) {
        self.key = key
        self.defaultValue = defaultValue
        configured = defaultValue
    }

    /// The value to use.
    var value: Value { override ?? configured }

    /// Takes the value from a configuration. One that cannot be read leaves the last good value in place.
    mutating func update(from snapshot: ConfigSnapshot) {
        do throws(ConfigError) {
            configured = try snapshot.value(forKey: key) ?? defaultValue
            problem = nil
        } catch {
            problem = error
        }
    }
}
