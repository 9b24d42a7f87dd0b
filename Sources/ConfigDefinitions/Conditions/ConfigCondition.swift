// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
public import ConfigRules
public import Observing

/// Something that holds or does not, and announces when that may have changed.
///
/// Conditions are made from conditions with `&&`, `||` and `!`:
///
/// ```swift
/// let title = ConfigDefinition("app.title", default: "Hi")
///     .when(.platform(.linux) && !.language("en"), return: "Moin")
/// ```
///
/// A condition of your own names itself, and announces its changes:
///
/// ```swift
/// func isInternal(_ user: @escaping @Sendable () -> String, changes: ChangeSignal) -> ConfigCondition {
///     ConfigCondition("user is internal", changes: changes) { user().hasSuffix("@example.com") }
/// }
/// ```
public struct ConfigCondition: Sendable {
    /// What the inspector calls the condition.
    public let name: String
    private let evaluate: @Sendable (Surroundings) -> Bool
    private let signals: @Sendable (Surroundings) -> [ChangeSignal]

    /// Creates a condition of your own, which is asked on any thread, and often.
    ///
    /// - Parameters:
    ///   - name: what explanations call it.
    ///   - signal: what is sent when the closure may return something else; without it, changes are not announced.
    ///   - holds: whether it holds now.
    public init(_ name: String, changes signal: ChangeSignal? = nil, holds: @escaping @Sendable () -> Bool) {
        let question = ConditionQuestion(holds)
        self.init(name, holds: { $0.answer(of: question) }, changes: { _ in [signal].compactMap(\.self) })
    }

    /// Creates a condition that looks at the surroundings, and is looked at again when one of its signals is sent.
    public init(
        _ name: String,
        holds: @escaping @Sendable (Surroundings) -> Bool,
        changes: @escaping @Sendable (Surroundings) -> [ChangeSignal]
    ) {
        self.name = name
        evaluate = holds
        signals = changes
    }

    /// Whether the condition holds at this moment, or at that of a snapshot.
    public func holds(in surroundings: Surroundings) -> Bool { evaluate(surroundings) }

    /// What is sent whenever that may have changed.
    public func changes(in surroundings: Surroundings) -> [ChangeSignal] { signals(surroundings) }
}

extension ConfigCondition {
    /// Holds if both do; the second is not asked if the first does not.
    public static func && (left: ConfigCondition, right: ConfigCondition) -> ConfigCondition {
        both("and", left, right) { left.holds(in: $0) && right.holds(in: $0) }
    }

    /// Holds if one of them does; the second is not asked if the first does.
    public static func || (left: ConfigCondition, right: ConfigCondition) -> ConfigCondition {
        both("or", left, right) { left.holds(in: $0) || right.holds(in: $0) }
    }

    /// A condition made from two, which look at the same snapshot.
    private static func both(
        _ word: String,
        _ left: ConfigCondition,
        _ right: ConfigCondition,
        holds: @escaping @Sendable (Surroundings) -> Bool
    ) -> ConfigCondition {
        ConfigCondition("(\(left.name) \(word) \(right.name))") {
            holds($0.snapshot())
        } changes: {
            left.changes(in: $0) + right.changes(in: $0)
        }
    }

    /// Holds if the condition does not.
    public static prefix func ! (condition: ConfigCondition) -> ConfigCondition {
        ConfigCondition(
            "not \(condition.name)",
            holds: { !condition.holds(in: $0) },
            changes: condition.changes
        )
    }
}

extension ConfigCondition {
    /// Holds on one of these operating systems.
    public static func platform(_ platforms: Platform...) -> ConfigCondition {
        fact("platform is " + listed(platforms.map(\.rawValue))) { platforms.contains($0.platform) }
    }

    /// Holds on a processor of one of these architectures.
    public static func architecture(_ architectures: Architecture...) -> ConfigCondition {
        fact("architecture is " + listed(architectures.map(\.rawValue))) {
            architectures.contains($0.architecture)
        }
    }

    /// Holds on a terminal that shows at least so many colours: 8, 256 or 16,777,216.
    public static func colors(atLeast count: Int) -> ConfigCondition {
        fact("at least \(count) colours") { ($0.colors ?? 0) >= count }
    }

    /// Holds for a program whose version is in a range, such as `>=1.2.0 <2.0.0`.
    public static func version(_ range: VersionRange) -> ConfigCondition {
        fact("version is \(range)") { $0.version.map(range.contains) ?? false }
    }

    /// Holds for users of one of these languages: `pt` holds for `pt-BR` as well.
    public static func language(_ ranges: String...) -> ConfigCondition {
        fact("language is " + listed(ranges)) { facts in
            guard let language = facts.language.flatMap(LanguageTag.init) else { return false }
            return ranges.contains(where: language.matches)
        }
    }

    /// Holds while an environment variable is set, empty or not.
    public static func environment(_ variable: String) -> ConfigCondition {
        fact("\(variable) is set") { $0.environment[variable] != nil }
    }

    /// Holds while an environment variable has a value.
    public static func environment(_ variable: String, is value: String) -> ConfigCondition {
        fact("\(variable) is \(value)") { $0.environment[variable] == value }
    }

    /// Holds for a share of all ids, of users or devices, and always for the same ids: a split of a rule, for a flag of that
    /// name, has the same users in its first part.
    ///
    /// An id that is in at 10 % is in at 20 %. Another salt draws other ids.
    ///
    /// - Parameters:
    ///   - percent: the share of all ids, 0–100.
    ///   - salt: what makes this share another one than those of others, such as the key of the definition.
    ///   - signal: what is sent when the id may have changed.
    ///   - id: the id now, asked on any thread, and often; without one the condition does not hold. By default it is the
    ///     targeting key of the task's context.
    public static func rollout(
        percent: Double,
        salt: String,
        changes signal: ChangeSignal? = nil,
        id: @escaping @Sendable () -> String? = { EvaluationContext.current?.targetingKey }
    ) -> ConfigCondition {
        ConfigCondition("\(percent.plainText) % for \(salt)", changes: signal) {
            guard let id = id(), !id.isEmpty else { return false }
            return ConfigRule.Bucketing.flagd3.place(of: id, for: salt) * 100 < percent
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
