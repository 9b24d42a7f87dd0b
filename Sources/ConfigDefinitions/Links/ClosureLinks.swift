internal import ConfigModel
public import Observing

/// Overrides with a fixed value while a condition holds.
struct ConditionLink<Value: Equatable & Sendable>: ConfigLink {
    let condition: ConfigCondition
    let value: Value

    var name: String { "when \(condition.name)" }

    func answer(from sources: ConfigSources) -> Override<Value> {
        condition.holds(in: sources.surroundings) ? .value(value) : .none
    }

    func changes(in sources: ConfigSources) -> [ChangeSignal] { condition.changes(in: sources.surroundings) }
}

/// Overrides with what a closure says.
struct DynamicLink<Value: Equatable & Sendable>: ConfigLink {
    let name: String
    let signal: ChangeSignal?
    let answer: @Sendable () throws(ConfigError) -> Override<Value>

    func answer(from sources: ConfigSources) throws(ConfigError) -> Override<Value> { try answer() }

    func changes(in sources: ConfigSources) -> [ChangeSignal] { [signal].compactMap(\.self) }
}

extension ConfigDefinition {
    /// Overrides with a value while a condition holds.
    public func when(_ condition: ConfigCondition, return value: Value) -> ConfigDefinition {
        link(ConditionLink(condition: condition, value: value))
    }

    /// Overrides with a value while a closure returns true.
    ///
    /// - Parameters:
    ///   - name: what the inspector calls the condition.
    ///   - signal: what is sent when the closure may return something else; without it, changes are not announced.
    ///   - value: the value.
    ///   - condition: asked on any thread, whenever the value is asked for.
    public func when(
        _ name: String = "a condition",
        changes signal: ChangeSignal? = nil,
        return value: Value,
        _ condition: @escaping @Sendable () -> Bool
    ) -> ConfigDefinition {
        when(ConfigCondition(name, changes: signal, holds: condition), return: value)
    }

    /// Overrides with a value always, with nil as well.
    public func `static`(_ value: Value) -> ConfigDefinition {
        link(DynamicLink(name: "static", signal: nil) { .value(value) })
    }

    /// Overrides with what a closure returns, each time the value is asked for.
    ///
    /// - Parameters:
    ///   - name: what the inspector calls the link.
    ///   - signal: what is sent when the closure may return something else; without it, changes are not announced.
    ///   - value: asked on any thread.
    public func dynamic(
        _ name: String = "dynamic",
        changes signal: ChangeSignal? = nil,
        _ value: @escaping @Sendable () -> Value
    ) -> ConfigDefinition {
        link(DynamicLink(name: name, signal: signal) { .value(value()) })
    }

    /// Overrides with what a closure returns, unless that is ``Override/none``.
    ///
    /// Where the value itself may be nil, the compiler asks which of the two `.none` means: write `Override.none`.
    public func dynamic(
        _ name: String = "dynamic",
        changes signal: ChangeSignal? = nil,
        _ answer: @escaping @Sendable () -> Override<Value>
    ) -> ConfigDefinition {
        link(DynamicLink(name: name, signal: signal, answer: answer))
    }
}
