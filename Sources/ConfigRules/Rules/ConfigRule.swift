// SPDX-License-Identifier: Apache-2.0

public import ConfigModel

/// A rule that selects a value of a key by context, in the format of flagd's feature flags, ready to evaluate.
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
/// `fractional`, `sem_ver`, `starts_with` and `ends_with`, and `$ref` for a shared evaluator. Unknown operators, missing
/// variants and invalid weights are rejected.
///
/// `bucketing` names the algorithm that divides users: `flagd-3`, or `flagd-2` or `flagd-1` for rules of an older flagd.
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
    /// The algorithm that assigns users to the parts of a split.
    package let bucketing: RuleBucketing
    /// The metadata of the flag: strings, numbers and Booleans by name.
    public let metadata: EntryObject

    /// The variant for the value of a key without a rule.
    package static let plainVariant = "default"
    /// The maximum sum of the weights of a split: 2^31 − 1.
    package static var maximumTotalWeight: Int { RuleSplit.maximumTotal }

    private let targeting: RuleProgram.Shared

    /// Reads a rule.
    ///
    /// - Parameters:
    ///   - value: the rule, which was read within the limits of values.
    ///   - evaluators: the operations that rules share, by name, as an object; a rule uses one as `{"$ref": "name"}`.
    /// - Throws: `invalidRule` with one of the `violations` for each error, up to 100.
    public init(_ value: EntryValue, evaluators: EntryValue? = nil) throws(ConfigError) {
        do throws(RuleError) {
            try self.init(value, evaluators: try evaluators.map(RuleEvaluators.init) ?? .none)
        } catch {
            throw ConfigError(error)
        }
    }

    /// Reads a rule without shared evaluators.
    package init(_ value: EntryValue) throws(RuleError) { try self.init(value, evaluators: RuleEvaluators.none) }

    /// Reads a rule.
    ///
    /// - Throws: ``RuleError`` with all errors.
    package init(_ value: EntryValue, evaluators: RuleEvaluators) throws(RuleError) {
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
    }

    /// The rule with a `bucketing` member: this version's algorithm, unless the rule names one.
    public static func namingBucketing(_ rule: EntryValue) -> EntryValue { namingBucketing(rule, as: .current) }

    /// The same with an algorithm for a rule that names none.
    package static func namingBucketing(_ rule: EntryValue, as bucketing: RuleBucketing) -> EntryValue {
        guard case .object(let members) = rule, members["bucketing"] == nil else { return rule }
        return .object(EntryObject(Array(members) + [("bucketing", .string(bucketing.rawValue))]))
    }

    /// The same for many rules by key; shared evaluators stay unchanged.
    package static func namingBucketing(in rules: [String: EntryValue]) -> [String: EntryValue] {
        rules.reduce(into: rules) { named, rule in
            if rule.key != EntryKind.sharedRules { named[rule.key] = namingBucketing(rule.value) }
        }
    }

    /// Whether a rule, or a shared evaluator, divides users by a split.
    package static func hasSplit(_ rule: EntryValue) -> Bool {
        rule.contains { $0.members?["fractional"] != nil }
    }

    /// Whether the targeting of a rule refers to a shared evaluator, so that a change of the evaluators concerns it.
    package static func refersToEvaluators(_ rule: EntryValue) -> Bool {
        hasPart(of: rule) { $0.refersToEvaluator }
    }

    /// Whether a rule may read the time, decided without compiling it: ``nextChange(after:)`` of the compiled rule is exact.
    package static func mayReadTime(_ rule: EntryValue) -> Bool {
        hasPart(of: rule) { part in
            switch part {
            case .string(let text): text.utf8.starts(with: RuleAttribute.flag.name.utf8)
            case .object(let members): part.refersToEvaluator || members["var"].map { !$0.isNameOfVariable } ?? false
            default: false
            }
        }
    }

    private static func hasPart(of rule: EntryValue, where isFound: (EntryValue) -> Bool) -> Bool {
        guard case .object(let members) = rule, let targeting = members["targeting"] else { return false }
        return targeting.contains(isFound)
    }

    /// Returns the first second after a time at which the same context may get another variant, because the targeting uses
    /// the time.
    ///
    /// A comparison of the time with a constant changes at that constant; any other use of the time counts as a change every
    /// 10 seconds.
    ///
    /// - Parameter timestamp: seconds since 1970.
    /// - Returns: seconds since 1970; `nil` if the variant stays the same.
    package func nextChange(after timestamp: Int) -> Int? {
        isEnabled ? targeting.times.nextChange(after: timestamp) : nil
    }

    /// Evaluates the rule in a context.
    ///
    /// - Parameters:
    ///   - key: the key of the flag, by which a split of one flag differs from that of another.
    ///   - context: the evaluation context.
    ///   - timestamp: the time, in seconds since 1970, for rules that look at it.
    public func evaluate(key: String, in context: EvaluationContext, at timestamp: Int) -> RuleEvaluation {
        var budget = StepBudget(RuleMachine.maximumSteps)
        return evaluate(key: key, in: context, at: timestamp, within: &budget)
    }

    /// Evaluates the rule in a context and records its decisions.
    public func explain(key: String, in context: EvaluationContext, at timestamp: Int) -> RuleExplanation {
        var budget = StepBudget(RuleMachine.maximumSteps)
        return explain(key: key, in: context, at: timestamp, within: &budget)
    }

    /// The same as one of several explanations that share a limit of steps.
    package func explain(
        key: String,
        in context: EvaluationContext,
        at timestamp: Int,
        within budget: inout StepBudget
    ) -> RuleExplanation {
        var machine = machine(key: key, in: context, at: timestamp, limit: budget.limit)
        defer { budget.take(machine.steps) }
        machine.decisions = RuleDecisions()
        let evaluation = evaluate(by: &machine, within: budget)
        return RuleExplanation(evaluation, machine.decisions ?? RuleDecisions(), within: &budget.explanationBytes)
    }
}

// Many keys with one rule, and one key in many contexts.
extension ConfigRule {
    /// The progress of an evaluation before it reads the key.
    package struct Beginning: Sendable {
        fileprivate let node: Int32
        fileprivate let steps: Int32
        /// The attributes that were read so far.
        package let inputs: RuleInputs
        /// The split that decides.
        fileprivate let split: SplitPlace?
    }

    /// The result of an evaluation, and what it depends on besides the time and the key.
    package struct Progress: Sendable {
        /// The beginning, if the rule is the same for every key until there.
        package let beginning: Beginning?
        /// All attributes that were read.
        package let inputs: RuleInputs
        /// The part of the split that has decided.
        fileprivate let part: Int?

        /// Whether the result is the same in another context.
        ///
        /// - Parameter changed: The attributes that differ between the contexts.
        package func isSame(forKey key: String, in context: EvaluationContext, changing changed: RuleInputs) -> Bool {
            if inputs.isDisjoint(with: changed) { return true }
            guard let part, let beginning, let split = beginning.split, beginning.inputs.isDisjoint(with: changed)
            else {
                return false
            }
            return split.part(of: key, in: context) == part
        }
    }

    /// An identity that distinguishes rules that were parsed separately.
    package var identity: ObjectIdentifier { ObjectIdentifier(targeting) }

    /// Evaluates the conditions that are the same for every key.
    ///
    /// - Returns: the point at which the evaluation continues for each key; `nil` if each one starts from the beginning.
    package func begin(
        in context: EvaluationContext,
        at timestamp: Int,
        within budget: inout StepBudget
    ) -> Beginning? {
        guard isEnabled, let root else { return nil }
        var machine = machine(key: "", in: context, at: timestamp, limit: budget.limit)
        defer { budget.take(machine.steps) }
        // Errors are reported for each key, whose evaluation then starts from the beginning.
        guard let node = try? machine.result(from: root), !machine.hasReadFlag else { return nil }
        return Beginning(
            node: Int32(node),
            steps: Int32(machine.steps),
            inputs: machine.inputs,
            // Near the limit, an evaluation with a longer key may fail.
            split: machine.steps + 32 <= RuleMachine.maximumSteps
                ? SplitPlace(of: node, in: targeting.program, bucketing) : nil
        )
    }

    /// Evaluates the rule as one of several evaluations that share a limit of steps.
    ///
    /// - Parameter beginning: how far one in the same context at the same time has come.
    package func evaluate(
        key: String,
        in context: EvaluationContext,
        at timestamp: Int,
        after beginning: Beginning? = nil,
        within budget: inout StepBudget
    ) -> RuleEvaluation {
        evaluateNoting(key: key, in: context, at: timestamp, after: beginning, within: &budget).evaluation
    }

    /// The same with what the result depends on.
    package func evaluateNoting(
        key: String,
        in context: EvaluationContext,
        at timestamp: Int,
        after beginning: Beginning?,
        within budget: inout StepBudget
    ) -> (evaluation: RuleEvaluation, progress: Progress) {
        let steps = Int(beginning?.steps ?? 0)
        let limit = min(steps + budget.limit, RuleMachine.maximumSteps)
        var machine = machine(key: key, in: context, at: timestamp, limit: limit)
        machine.steps = steps
        machine.inputs = beginning?.inputs ?? .none
        defer { budget.take(machine.steps - steps) }
        let evaluation = evaluate(by: &machine, from: beginning.map { Int($0.node) }, within: budget)
        let part = evaluation.error == nil && beginning?.split != nil ? machine.part : nil
        return (evaluation, Progress(beginning: beginning, inputs: machine.inputs, part: part))
    }
}

/// A split of a few fixed parts by the key and the targeting key: enough to find the part without a look at the rule.
private struct SplitPlace: Sendable {
    private let bucketing: RuleBucketing
    private let total: UInt32
    /// The sums of the weights up to the first parts; those of the last one, and of a part that is not there, are never reached.
    private var ends: (UInt32, UInt32, UInt32) = (.max, .max, .max)

    /// An evaluation with a longer key may exceed its limit.
    private static let maximumKeyBytes = 256

    /// - Returns: `nil` if the node is no such split.
    init?(of node: Int, in program: RuleProgram, _ bucketing: RuleBucketing) {
        guard case .split(let index) = program.nodes[node], bucketing != .flagd1 else { return nil }
        let split = program.splits[Int(index)]
        guard split.bucketBy == nil, let total = split.fixedTotal, (1...RuleSplit.maximumTotal).contains(total),
            split.parts.count <= 4
        else { return nil }
        var end: UInt32 = 0
        let sums = split.parts.dropLast().map { part in
            if case .fixed(_, let weight) = part { end += UInt32(weight) }
            return end
        }
        if sums.count > 0 { ends.0 = sums[0] }
        if sums.count > 1 { ends.1 = sums[1] }
        if sums.count > 2 { ends.2 = sums[2] }
        (self.bucketing, self.total) = (bucketing, UInt32(total))
    }

    /// The number of the part that a context falls into; `nil` if an evaluation is needed.
    func part(of key: String, in context: EvaluationContext) -> Int? {
        guard let id = context.targetingKey, !id.isEmpty, id.utf8.count <= Self.maximumKeyBytes else { return nil }
        let bucket = UInt32((UInt64(bucketing.hash(of: id, for: key)) * UInt64(total)) >> 32)
        return bucket < ends.0 ? 0 : bucket < ends.1 ? 1 : bucket < ends.2 ? 2 : 3
    }
}

extension ConfigRule {
    func machine(
        key: String,
        in context: EvaluationContext,
        at timestamp: Int,
        limit: Int = RuleMachine.maximumSteps
    ) -> RuleMachine {
        RuleMachine(targeting, bucketing, flag: key, in: context, at: timestamp, limit: limit)
    }

    /// The children of a node precede it.
    private var root: Int? { targeting.program.nodes.isEmpty ? nil : targeting.program.root }

    /// - Parameter node: where to begin; `nil` for the beginning.
    func evaluate(
        by machine: inout RuleMachine,
        from node: Int? = nil,
        within budget: StepBudget = StepBudget(RuleMachine.maximumSteps)
    ) -> RuleEvaluation {
        guard isEnabled else { return RuleEvaluation(reason: .disabled) }
        guard let node = node ?? root else { return resolved(defaultVariant, .static) }
        let chosen: EntryValue
        do {
            chosen = try machine.value(of: node, in: .context)
        } catch {
            let isOfSeveral = error == .steps && machine.limit < RuleMachine.maximumSteps
            return Self.failed(isOfSeveral ? "\(budget.message)" : Self.message(error))
        }
        switch chosen {
        case .null: return resolved(defaultVariant, .default)
        case .string(let name): return resolved(name, .targetingMatch)
        case .boolean, .integer, .double: return resolved(chosen.text, .targetingMatch)
        case .array: return Self.failed("the targeting returned an array, not the name of a variant")
        case .object: return Self.failed("the targeting returned an object, not the name of a variant")
        }
    }

    private static func message(_ error: ExceededLimit) -> String {
        switch error {
        case .steps: "the rule requires more than \(RuleMachine.maximumSteps) steps"
        case .bytes: "the rule creates more than \(RuleMachine.maximumBytes) bytes of intermediate values"
        case .depth: "the rule creates a value with more than \(RuleMachine.maximumDepth) levels"
        }
    }

    private func resolved(_ variant: String?, _ reason: EvaluationReason) -> RuleEvaluation {
        guard let variant else { return RuleEvaluation(reason: .default) }
        guard let value = variants[variant] else {
            return Self.failed("the targeting returned '\(variant.excerpt(ofScalars: 60))', which is not a variant")
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

extension EntryValue {
    fileprivate var refersToEvaluator: Bool { members?[RuleCompiler.reference] != nil }

    /// Whether it names one variable, as an argument of `var`.
    fileprivate var isNameOfVariable: Bool {
        switch self {
        case .string(let name): !name.isEmpty
        case .array(let arguments): arguments.first?.isNameOfVariable ?? false
        default: false
        }
    }

    /// Whether a part of the value, or the value itself, fulfils a condition.
    // The recursion is bounded by the depth of a value.
    fileprivate func contains(_ isFound: (EntryValue) -> Bool) -> Bool {
        if isFound(self) { return true }
        return switch self {
        case .object(let members): members.contains { $0.value.contains(isFound) }
        case .array(let elements): elements.contains { $0.contains(isFound) }
        case .null, .boolean, .integer, .double, .string: false
        }
    }
}
