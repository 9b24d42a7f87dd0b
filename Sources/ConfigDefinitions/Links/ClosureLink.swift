// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import ConfigRules
internal import Observing

/// A link made of closures.
struct ClosureLink<Value: Equatable & Sendable>: ConfigLink {
    let name: String
    var signals: @Sendable (LinkInputs) -> [ChangeSignal?] = { _ in [] }
    let find: @Sendable (LinkInputs) throws(ConfigError) -> Override<Value>
    /// Whether the app's own code finds the value, which may then depend on the user.
    var isOfApp = false

    func answer(from inputs: LinkInputs) throws(ConfigError) -> Override<Value> { try find(inputs) }

    func changes(in inputs: LinkInputs) -> [ChangeSignal] { signals(inputs).compactMap(\.self) }

    func context(in inputs: LinkInputs) -> (text: String, changes: ChangeSignal)? {
        guard isOfApp else { return nil }
        return inputs.remote?.context
            ?? EvaluationContext.current.map { (EntryValue.object($0.members).canonicalJSON, ChangeSignal()) }
    }
}

extension ConfigDefinition {
    /// Overrides with a value while a condition is true.
    public func when(_ condition: ConfigCondition, return value: Value) -> ConfigDefinition {
        let name = "when \(condition.name)"
        let link = ClosureLink<Value>(name: name, signals: { condition.changes(in: $0) }) { inputs in
            condition.holds(in: inputs) ? .value(value) : .noOverride
        }
        return self.link(link, reading: condition.readsContext ? .unknown : .surroundings)
    }

    /// Overrides with a value while a closure returns true. The closure is called on any thread at each read.
    ///
    /// - Parameters:
    ///   - name: what explanations call the condition.
    ///   - changes: observes possible changes; without it, changes are not announced.
    ///   - value: the value while it is true.
    ///   - condition: returns whether the value applies now.
    public func when(
        _ name: String = "a condition",
        changes: ChangeObservation? = nil,
        return value: Value,
        _ condition: @escaping @Sendable () -> Bool
    ) -> ConfigDefinition {
        when(ConfigCondition(name, changes: changes, holds: condition), return: value)
    }

    /// Overrides with a value always, with nil as well.
    public func `static`(_ value: Value) -> ConfigDefinition {
        link(ClosureLink(name: "static") { _ in .value(value) }, reading: .nothing)
    }

    /// Overrides with the result of a closure, which is called on any thread at each read: a link of an app's own.
    ///
    /// ```swift
    /// let isQuiet = ConfigDefinition("app.quiet", default: false)
    ///     .dynamic("flag --quiet") { CommandLine.arguments.contains("--quiet") ? true : nil }
    /// ```
    ///
    /// - Parameters:
    ///   - name: what explanations call the link.
    ///   - changes: observes possible changes; without it, changes are not announced.
    ///   - value: returns the value; `nil` leaves the decision to the links below. Where the value itself may be nil, `return nil`
    ///     does so, while an optional of the app, or `.some(nil)`, overrides with nil. If it throws, as for a malformed value, the
    ///     links below decide as well, and an explanation has the error.
    public func dynamic(
        _ name: String = "dynamic",
        changes: ChangeObservation? = nil,
        _ value: @escaping @Sendable () throws(ConfigError) -> Value?
    ) -> ConfigDefinition {
        let signal = changes.map(ChangeSignal.init(watching:))
        var link = ClosureLink<Value>(name: name, signals: { _ in [signal] }) { _ throws(ConfigError) in
            Override(try value())
        }
        link.isOfApp = true
        return self.link(link, reading: .nothing)
    }

    /// Overrides with the value of a key in a local store, by default that of the ``ConfigRepository``; a missing key overrides
    /// nothing, not even with nil.
    public func stored(key: String, in store: (any KeyValueStore)? = nil) -> ConfigDefinition where Value: Codable {
        stored(key: key, in: store, as: .automatic)
    }

    /// The same with a converter, for any type.
    public func stored(
        key: String,
        in store: (any KeyValueStore)? = nil,
        as converter: ValueConverter<Value>
    ) -> ConfigDefinition {
        let signals = { @Sendable (inputs: LinkInputs) in [(store ?? inputs.store)?.changes(ofKey: key)] }
        let link = ClosureLink<Value>(name: "stored \(key)", signals: signals) { (inputs) throws(ConfigError) in
            try converter.override((store ?? inputs.store).flatMap { inputs.value(forKey: key, in: $0) }, key: key)
        }
        return self.link(link, reading: store.map { .own(ObjectIdentifier($0)) } ?? .values)
    }
}
