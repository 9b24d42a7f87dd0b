// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Synchronization

/// A rule of a layer, ready to be evaluated.
final class KeyedRule: Sendable {
    let key: String
    /// The layer, 0 for the topmost.
    let layer: Int
    /// A rule that cannot be read may be one for newer programs.
    let rule: Result<ConfigRule, EvaluationError>
    /// The entry of the rule.
    let place: ConfigEntry
    /// The default value.
    let defaultValue: ConfigEntry?
    /// Whether the result may change because time passes.
    let readsTime: Bool

    init(
        key: String,
        layer: Int,
        rule: Result<ConfigRule, EvaluationError>,
        place: ConfigEntry,
        defaultValue: ConfigEntry?
    ) {
        (self.key, self.layer, self.rule) = (key, layer, rule)
        (self.place, self.defaultValue) = (place, defaultValue)
        readsTime = if case .success(let rule) = rule { rule.nextChange(after: .min) != nil } else { false }
    }

    /// The entry that shows a value that the rule gives, or the default value.
    func entry(giving value: EntryValue?) -> ConfigEntry? {
        guard let value else { return defaultValue }
        var entry = defaultValue ?? place
        entry.value = value
        return entry
    }

    func result(giving value: EntryValue?) -> EntrySnapshot.RuleResult { (key, layer, value, entry(giving: value)) }

    /// Evaluates the rule.
    ///
    /// - Parameter time: In seconds since 1970.
    func evaluate(in context: EvaluationContext, at time: Int) -> RuleEvaluation {
        switch rule {
        case .success(let rule): rule.evaluate(key: key, in: context, at: time)
        case .failure(let error): RuleEvaluation(reason: .error, error: error)
        }
    }

    /// Explains the result of the rule.
    func explain(in context: EvaluationContext, at time: Int) -> RuleExplanation {
        switch rule {
        case .success(let rule): rule.explain(key: key, in: context, at: time)
        case .failure(let error): RuleExplanation(failed: error)
        }
    }

    func problem(_ error: EvaluationError) -> ConfigError {
        ConfigError(
            .invalidRule,
            "rule failed, using the default value: \(error.message)",
            source: place.source,
            location: place.location,
            key: key,
            underlying: error
        )
    }
}

/// The rules of a service's states, each compiled once, when it is first needed. A rule refers to the evaluators of the
/// layer that has it.
final class KeyedRules: Sendable {
    fileprivate struct Layer {
        /// The contents of the layer that the evaluators are of.
        var mark: EntryLayer.Mark?
        var evaluators = (value: EntryValue?.none, read: Result<RuleEvaluators, EvaluationError>.success(.none))
        /// The rules that were read, and the contents of the layer that they are of.
        var rules: [String: (mark: EntryLayer.Mark, rule: KeyedRule)] = [:]
        /// The same by how they are written: keys whose rules are written alike share one, which saves memory and time.
        var alike: [EntryValue: ConfigRule] = [:]
    }

    private struct State {
        var layers = [KeyedRules.Layer()]
        /// The keys with rules, sorted, of these layers.
        var ruled: (layers: [EntryLayer.Mark], keys: [String]) = ([], [])
    }

    private let state = Mutex(State())

    /// The keys of a state that have rules in any layer, sorted.
    func keys(of snapshot: EntrySnapshot) -> [String] {
        let marks = snapshot.layers.map(\.mark)
        return state.withLock { state in
            if !state.ruled.layers.elementsEqual(marks, by: ===) { state.ruled = (marks, snapshot.ruledKeys.sorted()) }
            return state.ruled.keys
        }
    }

    /// The rule of a key in the topmost layer; `nil` if it has none there.
    func rule(forKey key: String, of snapshot: EntrySnapshot) -> KeyedRule? {
        guard snapshot.hasRules else { return nil }
        return state.withLock { state in
            state.layers[0].rule(forKey: key, of: snapshot.layers[0], at: 0) { _ in true }
        }
    }

    /// The rules of a key, the topmost layer's first.
    func rules(forKey key: String, of snapshot: EntrySnapshot) -> [KeyedRule] {
        snapshot.hasRules ? rules(forKeys: CollectionOfOne(key), of: snapshot) : []
    }

    /// The rules of keys, in the order of the keys.
    ///
    /// - Parameter isNeeded: Whether a rule is needed, by how it is written.
    func rules(
        forKeys keys: some Collection<String>,
        of snapshot: EntrySnapshot,
        where isNeeded: (EntryValue) -> Bool = { _ in true }
    ) -> [KeyedRule] {
        let layers = snapshot.layers
        return state.withLock { state in
            while state.layers.count < layers.count { state.layers.append(Layer()) }
            var rules: [KeyedRule] = []
            for key in keys {
                for (index, layer) in layers.enumerated() {
                    let rule = state.layers[index].rule(forKey: key, of: layer, at: index, where: isNeeded)
                    if let rule { rules.append(rule) }
                }
            }
            return rules
        }
    }
}

extension KeyedRules.Layer {
    private static let fewRules = 2000

    private mutating func readEvaluators(of layer: EntryLayer) {
        if mark === layer.mark { return }
        mark = layer.mark
        let value = layer.held[EntryKind.rule.key(of: EntryKind.sharedRules)]?.value
        if value == evaluators.value, layer.hasRules { return }
        (rules, alike) = ([:], [:])
        evaluators = (value, value.map(Self.evaluators) ?? .success(.none))
    }

    private static func evaluators(_ value: EntryValue) -> Result<RuleEvaluators, EvaluationError> {
        reading { () throws(RuleError) in try RuleEvaluators(value) }.mapError { error in
            EvaluationError(error.code, "invalid shared evaluators: \(error.message)")
        }
    }

    /// The rule of a key in the layer, and its default value.
    fileprivate mutating func rule(
        forKey key: String,
        of layer: EntryLayer,
        at index: Int,
        where isNeeded: (EntryValue) -> Bool
    ) -> KeyedRule? {
        guard layer.hasRules || !rules.isEmpty else { return nil }
        readEvaluators(of: layer)
        let known = rules[key]
        if let known, known.mark === layer.mark { return isNeeded(known.rule.place.value) ? known.rule : nil }
        guard let place = layer.held[EntryKind.rule.key(of: key)] else {
            rules[key] = nil
            return nil
        }
        guard isNeeded(place.value) else { return nil }
        let read = known?.rule.place.value == place.value ? known?.rule.rule : nil
        let rule = read ?? self.read(place.value)
        let keyed = KeyedRule(key: key, layer: index, rule: rule, place: place, defaultValue: layer.held[key])
        rules[key] = (layer.mark, keyed)
        return keyed
    }

    private mutating func read(_ value: EntryValue) -> Result<ConfigRule, EvaluationError> {
        let rule = alike[value].map(Result.success) ?? compiled(value)
        // Only rules that could be read are shared.
        alike[value] = try? rule.get()
        // Rules that no key has any more are forgotten when they are the most.
        if alike.count > 2 * rules.count + Self.fewRules {
            let read = rules.values.map(\.rule).compactMap { rule in
                (try? rule.rule.get()).map { (rule.place.value, $0) }
            }
            alike = Dictionary(read) { $1 }
        }
        return rule
    }

    private func compiled(_ value: EntryValue) -> Result<ConfigRule, EvaluationError> {
        // A rule that refers to evaluators has their error.
        if case .failure(let error) = evaluators.read, ConfigRule.refersToEvaluators(value) { return .failure(error) }
        let known = (try? evaluators.read.get()) ?? .none
        return Self.reading { () throws(RuleError) in try ConfigRule(value, evaluators: known) }
    }

    private static func reading<Value>(_ body: () throws(RuleError) -> Value) -> Result<Value, EvaluationError> {
        Result { () throws(RuleError) in try body() }.mapError { error in
            EvaluationError(.parseError, error.faults.first?.description ?? "invalid rule")
        }
    }
}
