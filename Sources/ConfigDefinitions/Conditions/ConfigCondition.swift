/// Something that holds or does not, and that tells when that may have changed.
///
/// Conditions are made from conditions with `&&`, `||` and `!`:
///
/// ```swift
/// title.when(.platform(.linux) && !.language("en"), return: "…")
/// ```
///
/// One of one's own names itself, and says when it changes:
///
/// ```swift
/// extension ConfigCondition {
///     static func isInternal(_ session: Session) -> ConfigCondition {
///         ConfigCondition("user is internal", changes: session.userChanged) { session.user.isInternal }
///     }
/// }
/// ```
public struct ConfigCondition: Sendable {
    /// What the inspector calls the condition.
    public let name: String
    private let evaluate: @Sendable (Surroundings) -> Bool
    private let signals: @Sendable (Surroundings) -> [ChangeSignal]

    /// Creates a condition of one's own.
    ///
    /// - Parameters:
    ///   - name: what the inspector calls it.
    ///   - signal: what is sent when the closure may return something else; without it nobody hears of a change.
    ///   - holds: whether the condition holds; asked on any thread, and often.
    public init(_ name: String, changes signal: ChangeSignal? = nil, holds: @escaping @Sendable () -> Bool) {
        self.init(name) { _ in
            holds()
        } changes: { _ in
            [signal].compactMap(\.self)
        }
    }

    /// Creates a condition that looks at the surroundings.
    ///
    /// - Parameters:
    ///   - name: what the inspector calls it.
    ///   - holds: whether the condition holds.
    ///   - changes: what is sent when that may have changed.
    public init(
        _ name: String,
        holds: @escaping @Sendable (Surroundings) -> Bool,
        changes: @escaping @Sendable (Surroundings) -> [ChangeSignal]
    ) {
        self.name = name
        evaluate = holds
        signals = changes
    }

    /// Whether the condition holds at this moment.
    public func holds(in surroundings: Surroundings) -> Bool { evaluate(surroundings) }

    /// What is sent whenever that may have changed.
    public func changes(in surroundings: Surroundings) -> [ChangeSignal] { signals(surroundings) }

    /// Whether the condition holds, now and after each change.
    public func values(in surroundings: Surroundings) -> DistinctValues<Bool> {
        DistinctValues(signals: changes(in: surroundings)) { holds(in: surroundings) }
    }
}

extension ConfigCondition {
    /// Holds if both do; the second is not asked if the first does not.
    public static func && (left: ConfigCondition, right: ConfigCondition) -> ConfigCondition {
        ConfigCondition("(\(left.name) and \(right.name))") {
            left.holds(in: $0) && right.holds(in: $0)
        } changes: {
            left.changes(in: $0) + right.changes(in: $0)
        }
    }

    /// Holds if one of them does; the second is not asked if the first does.
    public static func || (left: ConfigCondition, right: ConfigCondition) -> ConfigCondition {
        ConfigCondition("(\(left.name) or \(right.name))") {
            left.holds(in: $0) || right.holds(in: $0)
        } changes: {
            left.changes(in: $0) + right.changes(in: $0)
        }
    }

    /// Holds if the condition does not.
    public static prefix func ! (condition: ConfigCondition) -> ConfigCondition {
        ConfigCondition("not \(condition.name)") {
            !condition.holds(in: $0)
        } changes: {
            condition.changes(in: $0)
        }
    }
}
