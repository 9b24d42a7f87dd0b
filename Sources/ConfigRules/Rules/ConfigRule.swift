// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// Who gets which value of a key, as flagd's feature flags say it, ready to evaluate.
///
/// ```swift
/// let rule = try ConfigRule([
///     "variants": ["pink": "#FFB6C1", "blue": "#0000FF"], "defaultVariant": "pink",
///     "targeting": ["if": [["==": [["var": "language"], "es"]], "blue"]],
/// ])
/// let context = EvaluationContext(targetingKey: "user-42", ["language": "es"])
/// rule.evaluate(key: "app.background.color", in: context, at: 0).variant  // blue
/// ```
///
/// The members are `variants` (values by name, all of one type), `defaultVariant`, `state` (`ENABLED` or `DISABLED`),
/// `targeting`, `metadata` and `bucketing`. The targeting is [JsonLogic](https://jsonlogic.com) with flagd's operators
/// `fractional`, `sem_ver`, `starts_with` and `ends_with`, and `$ref` for an evaluator that rules share. What could only be
/// a mistake is refused: an operator that does not exist, a variant that is not there, a weight that is none.
///
/// Numbers are those of values, so that `1.0` is a weight. Texts are cut and compared by Unicode scalars.
public struct ConfigRule: Sendable {
    /// The rule as it was read, with the way of bucketing.
    public let value: EntryValue
    /// The values by the names of the variants, at least one.
    public let variants: EntryObject
    /// The variant that counts where the targeting chooses none; without it the caller's own default does.
    public let defaultVariant: String?
    /// Whether the rule is switched on.
    public let isEnabled: Bool
    /// How users are put into the parts of a split.
    public let bucketing: Bucketing
    /// What else there is to say of the flag: texts, numbers and Booleans by name.
    public let metadata: EntryObject
    /// Whether the targeting may look at the time, so that the same context may get another variant later.
    package let readsTime: Bool

    /// The variant that stands for the value of a key without a rule.
    package static let plainVariant = "default"

    private let targeting: RuleProgram.Shared

    /// How users are put into the parts of a split. It is stored with the rule, so that no later version moves a user.
    public enum Bucketing: String, Hashable, Sendable, CaseIterable {
        /// MurmurHash3 (x86, 32 bits, seed 0) of the deterministic CBOR of what users are told apart by, scaled to the sum
        /// of the weights: flagd's third way.
        case flagd3 = "flagd-3"

        /// The place of an id among all ids for a flag, 0 or more and less than 1: a split of two parts has the id in the first
        /// part if the place is below its share.
        public func place(of id: String, for flag: String) -> Double {
            Double(DeterministicCBOR.hash(ofPair: flag, id)) * 0x1p-32
        }
    }

    /// Reads a rule.
    ///
    /// - Parameters:
    ///   - value: the rule, which was read within the limits of values.
    ///   - evaluators: the evaluators that rules share.
    /// - Throws: ``RuleError`` with all the mistakes.
    public init(_ value: EntryValue, evaluators: RuleEvaluators = .none) throws(RuleError) {
        var reader = RuleReader(evaluators: evaluators)
        reader.read(value)
        guard reader.compiler.faults.isEmpty else { throw RuleError(faults: reader.compiler.faults) }
        self.value = Self.namingBucketing(value)
        variants = reader.variants
        defaultVariant = reader.defaultVariant
        isEnabled = reader.isEnabled
        self.bucketing = reader.bucketing
        metadata = reader.metadata
        targeting = reader.targeting
        readsTime = isEnabled && targeting.readsTime
    }

    /// A rule that says how users are put into parts: by this version's way, unless it names one.
    public static func namingBucketing(_ rule: EntryValue) -> EntryValue {
        guard case .object(let members) = rule, members["bucketing"] == nil else { return rule }
        let bucketing: EntryObject.Member = ("bucketing", .string(Bucketing.flagd3.rawValue))
        return .object(EntryObject(Array(members) + [bucketing]))
    }

    /// The same of many rules by their keys; what they share stays as it is.
    package static func namingBucketing(in rules: [String: EntryValue]) -> [String: EntryValue] {
        rules.reduce(into: rules) { named, rule in
            if rule.key != EntryKind.sharedRules { named[rule.key] = namingBucketing(rule.value) }
        }
    }

    /// Whether the targeting of a rule refers to a shared evaluator, so that a change of the evaluators concerns it.
    package static func refersToEvaluators(_ rule: EntryValue) -> Bool {
        guard case .object(let members) = rule, let targeting = members["targeting"] else { return false }
        return hasReference(targeting)
    }

    // The recursion is bounded by the depth of a value.
    private static func hasReference(_ value: EntryValue) -> Bool {
        switch value {
        case .object(let members):
            members.contains { $0.key.hasSameScalars(as: RuleCompiler.reference) || hasReference($0.value) }
        case .array(let elements): elements.contains(where: hasReference)
        case .null, .boolean, .integer, .double, .string: false
        }
    }

    /// What the rule gives in a context.
    ///
    /// - Parameters:
    ///   - key: the key of the flag, by which a split of one flag differs from that of another.
    ///   - context: who asks.
    ///   - timestamp: the time, in seconds since 1970, for rules that look at it.
    public func evaluate(key: String, in context: EvaluationContext, at timestamp: Int) -> RuleEvaluation {
        var budget = StepBudget(RuleMachine.maximumSteps)
        return evaluate(key: key, in: context, at: timestamp, within: &budget)
    }

    /// What the rule gives in a context, and how it comes to that.
    public func explain(key: String, in context: EvaluationContext, at timestamp: Int) -> RuleExplanation {
        var budget = StepBudget(RuleMachine.maximumSteps)
        return explain(key: key, in: context, at: timestamp, within: &budget)
    }

    /// The same as one of several explanations, which may take so many steps together.
    package func explain(
        key: String,
        in context: EvaluationContext,
        at timestamp: Int,
        within budget: inout StepBudget
    ) -> RuleExplanation {
        var machine = machine(key: key, in: context, at: timestamp, limit: budget.limit)
        defer { budget.take(machine.steps) }
        machine.decisions = RuleDecisions()
        let evaluation = evaluate(by: &machine)
        return RuleExplanation(evaluation, machine.decisions ?? RuleDecisions(), within: &budget.explanationBytes)
    }
}

// Many keys with one rule.
extension ConfigRule {
    /// How far an evaluation comes before it looks at the key.
    package struct Beginning: Sendable {
        fileprivate let node: Int
        fileprivate let steps: Int
    }

    /// What tells rules apart that were read one by one.
    package var identity: ObjectIdentifier { ObjectIdentifier(targeting) }

    /// Evaluates the conditions that are the same for every key.
    ///
    /// - Returns: where the evaluation goes on for each key; `nil` if each one begins by itself.
    package func begin(
        in context: EvaluationContext,
        at timestamp: Int,
        within budget: inout StepBudget
    ) -> Beginning? {
        guard isEnabled, let root else { return nil }
        var machine = machine(key: "", in: context, at: timestamp, limit: budget.limit)
        defer { budget.take(machine.steps) }
        // An error is reported for each key, whose evaluation begins by itself then.
        guard let node = try? machine.result(from: root), !machine.hasReadFlag else { return nil }
        return Beginning(node: node, steps: machine.steps)
    }

    /// The result of the rule as one of several evaluations that share a limit of steps.
    ///
    /// - Parameter beginning: how far one in the same context at the same time has come.
    package func evaluate(
        key: String,
        in context: EvaluationContext,
        at timestamp: Int,
        after beginning: Beginning? = nil,
        within budget: inout StepBudget
    ) -> RuleEvaluation {
        let steps = beginning?.steps ?? 0
        var machine = machine(
            key: key,
            in: context,
            at: timestamp,
            steps: steps,
            limit: min(steps + budget.limit, RuleMachine.maximumSteps)
        )
        defer { budget.take(machine.steps - steps) }
        return evaluate(by: &machine, from: beginning?.node)
    }
}

extension ConfigRule {
    func machine(
        key: String,
        in context: EvaluationContext,
        at timestamp: Int,
        steps: Int = 0,
        limit: Int = RuleMachine.maximumSteps
    ) -> RuleMachine {
        RuleMachine(
            shared: targeting,
            flag: key,
            context: context,
            timestamp: timestamp,
            steps: steps,
            limit: limit
        )
    }

    /// What stands within a node comes before it.
    private var root: Int? { targeting.program.nodes.isEmpty ? nil : targeting.program.root }

    /// - Parameter node: where to begin; `nil` for the beginning.
    func evaluate(by machine: inout RuleMachine, from node: Int? = nil) -> RuleEvaluation {
        guard isEnabled else { return RuleEvaluation(reason: .disabled) }
        guard let node = node ?? root else { return resolved(defaultVariant, .static) }
        let chosen: EntryValue
        do {
            chosen = try machine.value(of: node, in: .context)
        } catch {
            return Self.failed(Self.message(error, machine.limit))
        }
        switch chosen {
        case .null: return resolved(defaultVariant, .default)
        case .string(let name): return resolved(name, .targetingMatch)
        case .boolean, .integer, .double: return resolved(chosen.text, .targetingMatch)
        case .array: return Self.failed("the targeting gives an array, which names no variant")
        case .object: return Self.failed("the targeting gives an object, which names no variant")
        }
    }

    private static func message(_ error: ExceededLimit, _ limit: Int) -> String {
        switch error {
        case .steps where limit < RuleMachine.maximumSteps:
            "the evaluations of this request take too many steps together; ask for fewer at a time"
        case .steps: "the rule takes more than \(limit) steps"
        case .bytes: "the rule builds more than \(RuleMachine.maximumBytes) bytes of arrays, objects and texts"
        case .depth: "the rule builds a value of more than \(RuleMachine.maximumDepth) levels"
        }
    }

    private func resolved(_ variant: String?, _ reason: EvaluationReason) -> RuleEvaluation {
        guard let variant else { return RuleEvaluation(reason: .default) }
        guard let value = variants[variant] else {
            return Self.failed("the targeting gives '\(variant.excerpt(ofScalars: 60))', which is no variant")
        }
        return RuleEvaluation(variant: variant, value: value, reason: reason)
    }

    private static func failed(_ message: String) -> RuleEvaluation {
        RuleEvaluation(reason: .error, error: EvaluationError(.general, message))
    }
}

extension ConfigRule: Hashable {
    /// Equal when they are written alike, and use the same evaluators.
    public static func == (left: ConfigRule, right: ConfigRule) -> Bool {
        left.value == right.value && left.targeting.program == right.targeting.program
    }

    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
