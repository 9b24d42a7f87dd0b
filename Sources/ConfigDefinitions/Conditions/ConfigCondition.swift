// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import ConfigRules
internal import Observing

/// A condition that is true or false, and announces possible changes.
///
/// Conditions are made from conditions with `&&`, `||` and `!`:
///
/// ```swift
/// let title = ConfigDefinition("app.title", default: "Hi")
///     .when(.platform(.linux) && !.language("en"), return: "Moin")
/// ```
///
/// Conditions over the user read the evaluation context: that of the task (`EvaluationContext.current`), else that of the
/// remote configuration (`RemoteConfigService.setContext(_:)`). Rules of the configuration read the same context:
///
/// ```swift
/// let editor = ConfigDefinition("app.new_editor", default: false)
///     .when(.group("beta") || .attribute("plan", is: "pro", "team"), return: true)
/// ```
///
/// A condition of your own names itself, and announces its changes:
///
/// ```swift
/// func isInternal(_ user: @escaping @Sendable () -> String, _ signIns: @escaping ChangeObservation) -> ConfigCondition {
///     ConfigCondition("user is internal", changes: signIns) { user().hasSuffix("@example.com") }
/// }
/// ```
public struct ConfigCondition: Sendable {
    /// The name of the condition in the inspector.
    public let name: String
    /// Whether the condition reads the evaluation context, and so the remote configuration.
    let readsContext: Bool
    private let evaluate: @Sendable (LinkInputs) -> Bool
    private let signals: @Sendable (LinkInputs) -> [ChangeSignal]

    /// Creates a custom condition, whose closure is called often and on any thread.
    ///
    /// - Parameters:
    ///   - name: what explanations call it.
    ///   - changes: observes possible changes; without it, changes are not announced.
    ///   - holds: returns whether the condition is true now.
    public init(
        _ name: String,
        changes: ChangeObservation? = nil,
        holds: @escaping @Sendable () -> Bool
    ) {
        let (question, signals) = (ConditionQuestion(holds), changes.map { [ChangeSignal(watching: $0)] } ?? [])
        self.init(name, holds: { $0.answer(of: question) }, changes: { _ in signals })
    }

    /// Creates a condition that looks at the surroundings, and is looked at again when one of its signals is sent.
    init(
        _ name: String,
        holds: @escaping @Sendable (Surroundings) -> Bool,
        changes: @escaping @Sendable (Surroundings) -> [ChangeSignal]
    ) {
        self.init(name, readsContext: false) {
            holds($0.surroundings)
        } changes: {
            changes($0.surroundings)
        }
    }

    private init(
        _ name: String,
        readsContext: Bool,
        holds: @escaping @Sendable (LinkInputs) -> Bool,
        changes: @escaping @Sendable (LinkInputs) -> [ChangeSignal]
    ) {
        (self.name, self.readsContext) = (name, readsContext)
        (evaluate, signals) = (holds, changes)
    }

    /// Whether the condition is true now, or at the time of a snapshot.
    func holds(in inputs: LinkInputs) -> Bool { evaluate(inputs) }

    /// Whether the condition is true without a remote configuration: of a user, it finds the context of the task alone.
    package func holds(in surroundings: Surroundings) -> Bool { evaluate(LinkInputs(surroundings: surroundings)) }

    /// The signals that announce a possible change of the result.
    func changes(in inputs: LinkInputs) -> [ChangeSignal] { signals(inputs) }
}

extension ConfigCondition {
    /// True if both conditions are; the second is not evaluated if the first is false.
    public static func && (left: ConfigCondition, right: ConfigCondition) -> ConfigCondition {
        both("and", left, right) { left.holds(in: $0) && right.holds(in: $0) }
    }

    /// True if one of the conditions is; the second is not evaluated if the first is true.
    public static func || (left: ConfigCondition, right: ConfigCondition) -> ConfigCondition {
        both("or", left, right) { left.holds(in: $0) || right.holds(in: $0) }
    }

    /// A condition made from two, which look at the same snapshot.
    private static func both(
        _ word: String,
        _ left: ConfigCondition,
        _ right: ConfigCondition,
        holds: @escaping @Sendable (LinkInputs) -> Bool
    ) -> ConfigCondition {
        let name = "(\(left.name) \(word) \(right.name))"
        return ConfigCondition(name, readsContext: left.readsContext || right.readsContext) {
            holds($0.readingOnce())
        } changes: {
            left.changes(in: $0) + right.changes(in: $0)
        }
    }

    /// True if the condition is false.
    public static prefix func ! (condition: ConfigCondition) -> ConfigCondition {
        ConfigCondition(
            "not \(condition.name)",
            readsContext: condition.readsContext,
            holds: { !condition.holds(in: $0) },
            changes: condition.changes
        )
    }
}

extension ConfigCondition {
    /// True on one of these operating systems.
    public static func platform(_ platforms: ProgramFacts.Platform...) -> ConfigCondition {
        fact("platform is " + listed(platforms.map(\.rawValue))) { platforms.contains($0.platform) }
    }

    /// True on a terminal with at least this number of colours: 8, 256 or 16,777,216.
    public static func colors(atLeast count: Int) -> ConfigCondition {
        fact("at least \(count) colours") { ($0.colors ?? 0) >= count }
    }

    /// True for a program whose version is in a range, such as `>=1.2.0 <2.0.0`.
    public static func version(_ range: VersionRange) -> ConfigCondition {
        fact("version is \(range)") { $0.version.map(range.contains) ?? false }
    }

    /// True for users of one of these languages: `pt` includes `pt-BR`.
    public static func language(_ ranges: String...) -> ConfigCondition {
        fact("language is " + listed(ranges)) { facts in
            guard let language = facts.language.flatMap(LanguageTag.init) else { return false }
            return ranges.contains(where: language.matches)
        }
    }

    /// True while an environment variable is set, empty or not.
    public static func environment(_ variable: String) -> ConfigCondition {
        fact("\(variable) is set") { $0.environment[variable] != nil }
    }

    /// True while an environment variable has a value.
    public static func environment(_ variable: String, is value: String) -> ConfigCondition {
        fact("\(variable) is \(value)") { $0.environment[variable] == value }
    }

    /// True for users whose context has an attribute with one of these values: `.attribute("plan", is: "pro", "team")`.
    ///
    /// The attribute `targetingKey` is the identifier of the user.
    public static func attribute(_ name: String, is values: EntryValue...) -> ConfigCondition {
        ofContext("\(name) is " + listed(values.map(\.canonicalJSON))) { $0[name].map(values.contains) ?? false }
    }

    /// True for users in a group: an attribute of their context is an array of names that contains it, or its name alone.
    ///
    /// - Parameters:
    ///   - group: the name of the group, such as `beta`.
    ///   - attribute: the attribute with the groups of a user.
    public static func group(_ group: String, in attribute: String = "groups") -> ConfigCondition {
        ofContext("\(attribute) include \(group)") { members in
            let groups = members[attribute]
            if case .array(let groups) = groups { return groups.contains(.string(group)) }
            return groups == .string(group)
        }
    }

    /// Holds for a share of all ids, of users or devices, and always for the same ids: a split of a rule, for a flag of that
    /// name, has the same users in its first part.
    ///
    /// An id that is in at 10 % is in at 20 %. Another salt selects other ids.
    ///
    /// - Parameters:
    ///   - percent: the share of all ids, 0–100.
    ///   - salt: distinguishes this share from others, such as the key of the definition.
    ///   - id: returns the id now, on any thread, and often; without one the condition does not hold. By default it is the
    ///     targeting key of the evaluation context, whose changes are observed.
    ///   - changes: observes possible changes of the id.
    public static func rollout(
        percent: Double,
        salt: String,
        id: (@Sendable () -> String?)? = nil,
        changes: ChangeObservation? = nil
    ) -> ConfigCondition {
        let name = "\(percent.plainText) % for \(salt)"
        let isIn = { @Sendable (id: String?) in
            guard let id, !id.isEmpty else { return false }
            return RuleBucketing.place(of: id, for: salt) * 100 < percent
        }
        if let id { return ConfigCondition(name, changes: changes) { isIn(id()) } }
        return ofContext(name) { members in
            isIn(members[EvaluationContext.targetingKeyName].flatMap { String(configValue: $0) })
        }
    }

    private static func ofContext(
        _ name: String,
        _ holds: @escaping @Sendable (EntryObject) -> Bool
    ) -> ConfigCondition {
        ConfigCondition(name, readsContext: true) {
            holds($0.context)
        } changes: {
            [$0.remote?.context.changes].compactMap(\.self)
        }
    }

    private static func fact(
        _ name: String,
        _ holds: @escaping @Sendable (ProgramFacts) -> Bool
    ) -> ConfigCondition {
        ConfigCondition(name, holds: { holds($0.facts) }, changes: { [$0.changes] })
    }

    private static func listed(_ names: [String]) -> String { names.joined(separator: " or ") }
}
