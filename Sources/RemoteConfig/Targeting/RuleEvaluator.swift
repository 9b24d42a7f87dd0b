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
    /// The rules of the state that was evaluated last, with their results.
    private var whole: (evaluation: EntryLayer.Mark?, rules: [KeyedRule], given: [EntryValue?])?
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
        let (changedKeys, _) = evaluate(rules, in: &next, besides: others, after: former, at: now, dating: time)
        return (next, changedKeys)
    }

    /// The same state in another context.
    mutating func evaluated(again snapshot: EntrySnapshot, at now: Timestamp) -> EntrySnapshot.Update {
        guard snapshot.hasRules else { return (snapshot, []) }
        if context == nil { return unevaluated(snapshot, at: now) }
        let known = whole.flatMap { $0.evaluation != nil && $0.evaluation === snapshot.evaluation ? $0 : nil }
        let rules = known?.rules ?? self.rules(of: snapshot, self.rules.keys(of: snapshot))
        var next = snapshot
        let (changedKeys, given) = evaluate(rules, in: &next, after: snapshot, at: now, known: known?.given)
        next = next.following(changedKeys)
        next.evaluation = EntryLayer.Mark()
        whole = (next.evaluation, rules, given)
        return (next, changedKeys)
    }

    /// The same state with the default values of its keys.
    private mutating func unevaluated(_ snapshot: EntrySnapshot, at now: Timestamp) -> EntrySnapshot.Update {
        var next = snapshot.replacing(Array(snapshot.own))
        next.ruleProblems = []
        let rules = self.rules(of: next, self.rules.keys(of: next))
        let (changedKeys, _) = evaluate(rules, in: &next, besides: nil, after: snapshot, at: now)
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
        let (changedKeys, _) = evaluate(rules(of: snapshot, keys), in: &next, after: snapshot, at: now)
        return (next.following(changedKeys), changedKeys)
    }

    /// Without a context, only rules that may read the time: they change for other contexts.
    private func rules(of snapshot: EntrySnapshot, _ keys: [String]) -> [KeyedRule] {
        rules.rules(forKeys: keys, of: snapshot, where: context == nil ? ConfigRule.mayReadTime : { _ in true })
    }

    /// Sets the results of rules.
    ///
    /// - Parameters:
    ///   - names: Further keys whose values may differ from those of the former state; `nil` for all.
    ///   - known: What the rules gave before, if that is known.
    /// - Returns: The keys whose values differ, sorted, and what the rules give.
    private mutating func evaluate(
        _ rules: [KeyedRule],
        in snapshot: inout EntrySnapshot,
        besides names: Set<String>? = [],
        after former: EntrySnapshot,
        at now: Timestamp,
        dating time: Timestamp? = nil,
        known: [EntryValue?]? = nil
    ) -> (changedKeys: [String], given: [EntryValue?]) {
        let (given, failures) = values(of: rules, at: now)
        note(rules, at: now.seconds)
        let results = rules.indices.compactMap { index -> EntrySnapshot.RuleResult? in
            if let known, known[index] == given[index] { return nil }
            let result = rules[index].result(giving: given[index])
            return known == nil && snapshot.has(result) ? nil : result
        }
        let changedKeys = snapshot.give(results, besides: names, after: former, at: time ?? now)
        // Most states have none, and the keys with rules may be many.
        let evaluated = snapshot.ruleProblems.isEmpty ? [] : Set(rules.map(\.key))
        let others = snapshot.ruleProblems.filter { problem in problem.key.map { !evaluated.contains($0) } ?? false }
        // The value of a higher layer hides the error of a rule.
        let problems = failures.filter { $0.rule.layer <= snapshot.topmostLayer(servingKey: $0.rule.key) ?? .max }
        snapshot.ruleProblems = (others + problems.map { $0.rule.problem($0.error) })
            .sorted { ($0.key ?? "") < ($1.key ?? "") }
        if !rules.isEmpty { snapshot.evaluatedAt = now.seconds }
        return (changedKeys, given)
    }

    private mutating func note(_ rules: [KeyedRule], at time: Int) {
        for keyed in rules where keyed.readsTime {
            guard case .success(let rule) = keyed.rule, let next = rule.nextChange(after: time) else { continue }
            timed.insert(keyed.key)
            nextChange = min(nextChange ?? next, next)
        }
    }

    private typealias Part = (values: [EntryValue?], failures: [(rule: KeyedRule, error: EvaluationError)])

    /// The results of rules, and the errors of the rules that fail; many at once by all processors.
    private func values(of rules: [KeyedRule], at now: Timestamp) -> Part {
        guard let context else { return (rules.map { _ in nil }, []) }
        let seconds = now.seconds
        let parts = (rules.count + Self.fewRules - 1) / Self.fewRules
        let results = Mutex([Part](repeating: ([], []), count: parts))
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
            var failures: [(rule: KeyedRule, error: EvaluationError)] = []
            let values = rules[start..<min(start + Self.fewRules, rules.count)].map { keyed -> EntryValue? in
                let rule: ConfigRule
                switch keyed.rule {
                case .success(let read): rule = read
                case .failure(let error):
                    failures.append((keyed, error))
                    return nil
                }
                let beginning = beginnings[rule.identity] ?? rule.begin(in: own, at: seconds, within: &budget)
                beginnings.updateValue(beginning, forKey: rule.identity)
                let given = rule.evaluate(key: keyed.key, in: own, at: seconds, after: beginning, within: &budget)
                if let error = given.error { failures.append((keyed, error)) }
                return given.value
            }
            results.withLock { $0[part] = (values, failures) }
        }
        return results.withLock { ($0.flatMap(\.values), $0.flatMap(\.failures)) }
    }

    private static let fewRules = 2000
}
