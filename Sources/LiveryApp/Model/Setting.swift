import ConfigModel

/// A configuration value that the screen uses: its key, its default, and the last good value.
struct Setting<Value: ConfigValueConvertible & Hashable & Sendable>: Hashable, Sendable {
    let key: String
    /// Used until the configuration has a value of its own, and again when it no longer has one.
    let defaultValue: Value
    private(set) var value: Value
    /// Why the configuration's present value is not used.
    private(set) var problem: ConfigError?

    init(_ key: String, default defaultValue: Value) {
        self.key = key
        self.defaultValue = defaultValue
        value = defaultValue
    }

    /// Takes the value from a configuration. One that cannot be read leaves the last good value in place.
    mutating func update(from snapshot: ConfigSnapshot) {
        do throws(ConfigError) {
            value = try snapshot.value(forKey: key) ?? defaultValue
            problem = nil
        } catch {
            problem = error
        }
    }
}
