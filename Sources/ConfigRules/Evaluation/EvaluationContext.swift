// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// The evaluation context (user, device, …) that rules match against.
///
/// ```swift
/// let context = EvaluationContext(targetingKey: "user-42", ["language": "es", "version": "2.1.0"])
/// ```
public struct EvaluationContext: Sendable {
    /// The identifier by which a split assigns users to variants, such as an account number; rules read it as `{"var":
    /// "targetingKey"}`.
    public var targetingKey: String?
    /// Further attributes, by name.
    ///
    /// The names `targetingKey` and `$flagd` are taken: a rule that reads them finds the key above, and the flag.
    public var attributes: EntryObject

    /// Creates a context.
    public init(targetingKey: String? = nil, _ attributes: [String: EntryValue] = [:]) {
        self.init(targetingKey: targetingKey, attributes: EntryObject(attributes.map { (key: $0, value: $1) }))
    }

    /// Creates a context.
    public init(targetingKey: String? = nil, attributes: EntryObject) {
        (self.targetingKey, self.attributes) = (targetingKey, attributes)
    }

    /// The context as one object with the targeting key among the attributes, as in OpenFeature's protocol.
    public var members: EntryObject {
        var members = attributes
        members.setMember(Self.targetingKeyName, to: targetingKey.map { .string($0) })
        return members
    }

    /// The context of this task, such as the user of the request that it answers: what values are read for in place of the
    /// program's own context.
    ///
    /// ```swift
    /// let user = EvaluationContext(targetingKey: "user-42")
    /// EvaluationContext.$current.withValue(user) { print(service["app.title"] ?? "no title") }
    /// ```
    @TaskLocal public static var current: EvaluationContext?

    /// Runs a closure that is not part of the request that a task answers, such as calling the observers of the
    /// program's values: without the task's context, and without its ``JSONRequest``.
    package static func withoutCurrent<Result>(_ body: () throws -> Result) rethrows -> Result {
        if current == nil, JSONRequest.current == nil { return try body() }
        return try $current.withValue(nil) { try JSONRequest.with(nil, body) }
    }

    /// The name of the targeting key among the members.
    package static let targetingKeyName = "targetingKey"
}

extension EvaluationContext: Hashable {
    /// Equal when both have the same targeting key, byte by byte, and equal attributes.
    public static func == (left: EvaluationContext, right: EvaluationContext) -> Bool {
        left.targetingKey.map { ExactString($0) } == right.targetingKey.map { ExactString($0) }
            && left.attributes == right.attributes
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(targetingKey.map { ExactString($0) })
        hasher.combine(attributes)
    }
}

extension RuleInputs {
    /// The attributes that differ between two contexts.
    package init(differingBetween one: EvaluationContext, and other: EvaluationContext) {
        self = .none
        if one.targetingKey.map({ ExactString($0) }) != other.targetingKey.map({ ExactString($0) }) {
            insert(.targetingKey)
        }
        for (name, value) in one.attributes where other.attributes[name] != value { insert(RuleInputs(of: name)) }
        for (name, _) in other.attributes where one.attributes[name] == nil { insert(RuleInputs(of: name)) }
    }
}
