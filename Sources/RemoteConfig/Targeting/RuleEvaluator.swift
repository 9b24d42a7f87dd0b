// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Dispatch
internal import Synchronization

/// Makes the shown state from the layers of a state: the values, and for keys with rules the results of the rules.
///
/// A rule is evaluated when it, its value or the context changes, and when the time comes that it names. Each has a limit of
/// its own, so that its result depends on the layers, the context and the time alone.
struct RuleEvaluator {
    /// The evaluation context; without one no rule is evaluated, and default values apply.
    var context: EvaluationContext?
    /// The rules of all states.
    let rules = KeyedRules()
    /// The last evaluation of all rules of a state.
    private var whole: WholeEvaluation?
    /// The keys whose rules read the time, and the next time at which a result may change, in seconds since 1970.
    private var timed: Set<String> = []
    private(set) var nextChange: Int?

    init(in context: EvaluationContext?) { self.context = context }

    /// An update as it is shown: with the keys whose values differ from those before.
    ///
    /// - Parameter time: The time from which they count.
    mutating func evaluated(
        _ update: EntrySnapshot.Update,
        after former: EntrySnapshot,
        at now: Timestamp,
        dating time: Timestamp
    ) -> EntrySnapshot.Update {
        let snapshot = update.snapshot
        guard snapshot.isComposed || former.isComposed else { return update }
        var names = Set(update.changedKeys.map { EntryKind.named($0).name })
        if names.remove(EntryKind.sharedRules) != nil || snapshot.layers.count != former.layers.count {
            names.formUnion(snapshot.ruledKeys)
        }
        // An object may hide the rules of its members no longer.
        if snapshot.layers.count > 1 {
            names.formUnion(names.flatMap { snapshot.keysAffected(by: $0) + former.keysAffected(by: $0) })
        }
        // All rules of a state are evaluated at one time.
        if !update.changedKeys.isEmpty { names.formUnion(timed) }
        // In order, so that rules are evaluated again in the order in which they were read into memory.
        let rules = self.rules(of: snapshot, names.sorted())
        var next = snapshot
        let others = snapshot.layers.count == 1 ? names : nil
        let changedKeys = evaluate(rules, in: &next, besides: others, after: former, at: now, dating: time)
        return (next, changedKeys)
    }

    /// The same state in another context. A rule is evaluated again if it has read an attribute that differs.
    mutating func evaluated(again snapshot: EntrySnapshot, at now: Timestamp) -> EntrySnapshot.Update {
        let former = whole.take()
        guard snapshot.hasRules else { return (snapshot, []) }
        guard let context else { return unevaluated(snapshot, at: now) }
        var whole = former.flatMap { $0.evaluation === snapshot.evaluation ? $0 : nil }
        let rules = whole?.rules ?? self.rules.rules(forKeys: self.rules.keys(of: snapshot), of: snapshot)
        let evaluations = evaluations(of: rules, after: whole, at: now)
        let timed = whole?.timed ?? rules.indices.filter { rules[$0].readsTime }
        note(timed.map { rules[$0] }, at: now.seconds)
        var results: [EntrySnapshot.RuleResult] = []
        for evaluation in evaluations.joined() {
            let (index, value) = (evaluation.index, evaluation.given.value)
            if let whole, whole.given[index].value == value { continue }
            let result = rules[index].result(giving: value)
            if whole != nil || !snapshot.has(result) { results.append(result) }
        }
        var next = snapshot
        let changedKeys = next.give(results, besides: [], after: snapshot, at: now)
        var failures = whole?.failures ?? [:]
        for evaluation in evaluations.joined() where evaluation.error != nil || !failures.isEmpty {
            failures[evaluation.index] = evaluation.error
        }
        noteProblems(failures.map { (rules[$0], $1) }, of: rules, at: now, in: &next)
        next = next.following(changedKeys)
        let mark = EntryLayer.Mark()
        next.evaluation = mark
        if whole == nil {
            whole = WholeEvaluation(mark, in: context, rules, evaluations.joined().map(\.given), failures, timed)
        } else {
            whole?.update(to: mark, in: context, evaluations.joined().lazy.map { ($0.index, $0.given) }, failures)
        }
        self.whole = whole
        return (next, changedKeys)
    }

    /// The same state with the default values of its keys.
    private mutating func unevaluated(_ snapshot: EntrySnapshot, at now: Timestamp) -> EntrySnapshot.Update {
        var next = snapshot.replacing(Array(snapshot.own))
        next.ruleProblems = []
        let rules = self.rules(of: next, self.rules.keys(of: next))
        let changedKeys = evaluate(rules, in: &next, besides: nil, after: snapshot, at: now)
        return (next.following(changedKeys), changedKeys)
    }

    /// A state with its rules evaluated, independent of its revision.
    mutating func evaluated(alone snapshot: EntrySnapshot, at now: Timestamp) -> EntrySnapshot {
        evaluated(again: snapshot, at: now).snapshot.numbered(snapshot.revision)
    }

    /// Forgets which rules read the time, before all of them are evaluated.
    ///
    /// - Returns: Their keys, sorted.
    mutating func forgetTimes() -> [String] {
        defer { (timed, nextChange) = ([], nil) }
        return timed.sorted()
    }

    /// The same state at a later time.
    ///
    /// - Parameter keys: The keys whose rules read the time.
    mutating func evaluated(later snapshot: EntrySnapshot, _ keys: [String], at now: Timestamp) -> EntrySnapshot.Update
    {
        var next = snapshot
        let changedKeys = evaluate(rules(of: snapshot, keys), in: &next, after: snapshot, at: now)
        return (next.following(changedKeys), changedKeys)
    }

    /// Without a context, only rules that may read the time: they change for other contexts.
    private func rules(of snapshot: EntrySnapshot, _ keys: [String]) -> [KeyedRule] {
        rules.rules(forKeys: keys, of: snapshot, where: context == nil ? ConfigRule.mayReadTime : { _ in true })
    }

    /// Sets the results of rules.
    ///
    /// - Parameter names: Further keys whose values may differ from those of the former state; `nil` for all.
    /// - Returns: The keys whose values differ, sorted.
    private mutating func evaluate(
        _ rules: [KeyedRule],
        in snapshot: inout EntrySnapshot,
        besides names: Set<String>? = [],
        after former: EntrySnapshot,
        at now: Timestamp,
        dating time: Timestamp? = nil
    ) -> [String] {
        let evaluations = evaluations(of: rules, at: now).joined()
        note(rules, at: now.seconds)
        let results = evaluations.map { rules[$0.index].result(giving: $0.given.value) }
            .filter { !snapshot.has($0) }
        let changedKeys = snapshot.give(results, besides: names, after: former, at: time ?? now)
        let failures = evaluations.compactMap { index, _, error in error.map { (rules[index], $0) } }
        noteProblems(failures, of: rules, at: now, in: &snapshot)
        return changedKeys
    }

    /// Sets the errors of evaluated rules.
    private func noteProblems(
        _ failures: [(rule: KeyedRule, error: EvaluationError)],
        of rules: [KeyedRule],
        at now: Timestamp,
        in snapshot: inout EntrySnapshot
    ) {
        // Most states have none, and the keys with rules may be many.
        let evaluated = snapshot.ruleProblems.isEmpty ? [] : Set(rules.map(\.key))
        let others = snapshot.ruleProblems.filter { problem in problem.key.map { !evaluated.contains($0) } ?? false }
        // The value of a higher layer hides the error of a rule.
        let problems = failures.filter { $0.rule.layer <= snapshot.topmostLayer(servingKey: $0.rule.key) ?? .max }
        snapshot.ruleProblems = (others + problems.map { $0.rule.problem($0.error) })
            .sorted { ($0.key ?? "") < ($1.key ?? "") }
        if !rules.isEmpty { snapshot.evaluatedAt = now.seconds }
    }

    private mutating func note(_ rules: [KeyedRule], at time: Int) {
        for keyed in rules where keyed.readsTime {
            guard case .success(let rule) = keyed.rule, let next = rule.nextChange(after: time) else { continue }
            timed.insert(keyed.key)
            nextChange = min(nextChange ?? next, next)
        }
    }

    private typealias Evaluation = (index: Int, given: WholeEvaluation.Given, error: EvaluationError?)

    /// Evaluates rules, many at once by all processors.
    ///
    /// - Parameter last: The last evaluation of the same rules; those whose results are still the same are left out.
    /// - Returns: The results in the order of the rules, some of them in each array.
    private func evaluations(
        of rules: [KeyedRule],
        after last: WholeEvaluation? = nil,
        at now: Timestamp
    ) -> [[Evaluation]] {
        guard let context else { return [rules.indices.map { ($0, WholeEvaluation.Given(value: nil), nil) }] }
        let seconds = now.seconds
        let changed = last.map { RuleInputs(differingBetween: $0.context, and: context) }
        let parts = (rules.count + Self.fewRules - 1) / Self.fewRules
        let results = Mutex([[Evaluation]](repeating: [], count: parts))
        DispatchQueue.concurrentPerform(iterations: parts) { part in
            let start = part * Self.fewRules
            // Processors that count references to the same context wait for one another.
            let own = EvaluationContext(
                targetingKey: context.targetingKey,
                attributes: EntryObject(context.attributes.map(\.self))
            )
            // Each rule has the limit of a single evaluation.
            var budget = StepBudget(.max)
            var beginnings: [ObjectIdentifier: ConfigRule.Beginning?] = [:]
            var evaluations: [Evaluation] = []
            for index in start..<min(start + Self.fewRules, rules.count) {
                let (keyed, progress) = (rules[index], last?.given[index].progress)
                if let progress, let changed, progress.isSame(forKey: keyed.key, in: own, changing: changed) {
                    continue
                }
                let rule: ConfigRule
                switch keyed.rule {
                case .success(let read): rule = read
                case .failure(let error):
                    evaluations.append((index, WholeEvaluation.Given(value: nil), error))
                    continue
                }
                let beginning: ConfigRule.Beginning?
                if let known = progress?.beginning, let changed, known.inputs.isDisjoint(with: changed) {
                    beginning = known
                } else {
                    beginning = beginnings[rule.identity] ?? rule.begin(in: own, at: seconds, within: &budget)
                    beginnings.updateValue(beginning, forKey: rule.identity)
                }
                let (result, next) = rule.evaluateNoting(
                    key: keyed.key,
                    in: own,
                    at: seconds,
                    after: beginning,
                    within: &budget
                )
                let given = WholeEvaluation.Given(value: result.value, progress: keyed.readsTime ? nil : next)
                evaluations.append((index, given, result.error))
            }
            results.withLock { $0[part] = evaluations }
        }
        return results.withLock(\.self)
    }

    private static let fewRules = 2000
}

/// The evaluation of all rules of a state in a context.
private struct WholeEvaluation: Sendable {
    /// The result of a rule.
    struct Given: Sendable {
        let value: EntryValue?
        /// The inputs that it depends on; `nil` if it may be another one in any context, or at another time.
        var progress: ConfigRule.Progress?
    }

    /// The identity of the evaluation, which the state has.
    private(set) var evaluation: EntryLayer.Mark
    private(set) var context: EvaluationContext
    let rules: [KeyedRule]
    /// The results of the rules.
    private(set) var given: [Given]
    /// The errors of the rules that fail, by their places among the rules.
    private(set) var failures: [Int: EvaluationError]
    /// The places of the rules that read the time.
    let timed: [Int]

    init(
        _ evaluation: EntryLayer.Mark,
        in context: EvaluationContext,
        _ rules: [KeyedRule],
        _ given: [Given],
        _ failures: [Int: EvaluationError],
        _ timed: [Int]
    ) {
        (self.evaluation, self.context, self.rules) = (evaluation, context, rules)
        (self.given, self.failures, self.timed) = (given, failures, timed)
    }

    /// Replaces results by those in another context.
    mutating func update(
        to evaluation: EntryLayer.Mark,
        in context: EvaluationContext,
        _ changed: some Sequence<(Int, Given)>,
        _ failures: [Int: EvaluationError]
    ) {
        (self.evaluation, self.context, self.failures) = (evaluation, context, failures)
        for (index, next) in changed { given[index] = next }
    }
}
