// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigRules
internal import Dispatch
internal import Synchronization

/// Makes the current state from a source's contents: the values, and for keys with rules the results of the rules.
///
/// A rule is evaluated when it, its value or the context changes, so that rules do not slow lookups.
struct RuleEvaluator {
    /// The evaluation context; without one no rule is evaluated, and default values apply.
    var context: EvaluationContext?
    /// The rules that were read, by key.
    private var rules: [String: ReadRule] = [:]
    /// The same by how they are written: keys whose rules are written alike share one, which saves memory and time.
    private var alike: [EntryValue: ConfigRule] = [:]
    /// The evaluators that they share, compiled once.
    private var shared = (value: EntryValue?.none, evaluators: Result<RuleEvaluators, EvaluationError>.success(.none))

    /// The rules of a state, ready to be evaluated in one context after another, and what each has given.
    private var whole: (revision: UInt64, rules: [KeyedRule], given: [EntryValue?])?

    private struct ReadRule {
        let value: EntryValue
        let rule: Result<ConfigRule, EvaluationError>
    }

    private final class KeyedRule: Sendable {
        let key: String
        let rule: Result<ConfigRule, EvaluationError>
        /// The entry of the rule.
        let place: ConfigEntry
        /// The default value.
        let value: ConfigEntry?

        init(
            key: String,
            rule: Result<ConfigRule, EvaluationError>,
            place: ConfigEntry,
            value: ConfigEntry?
        ) {
            (self.key, self.rule, self.place, self.value) = (key, rule, place, value)
        }
    }

    init(in context: EvaluationContext?) { self.context = context }

    /// An update as it is shown: with the keys whose values differ from those before.
    mutating func evaluated(
        _ update: EntrySnapshot.Update,
        after former: EntrySnapshot,
        at now: Timestamp
    ) -> EntrySnapshot.Update {
        guard update.snapshot.hasRules || update.snapshot.hasDefaults || former.hasRules else { return update }
        whole = nil
        var changedKeys = update.changedKeys
        if !changedKeys.isEmpty { changedKeys += update.snapshot.movedDefaults(since: former) }
        var keys = Set(changedKeys.map { EntryKind.named($0).name })
        if keys.remove(EntryKind.sharedRules) != nil { keys.formUnion(update.snapshot.ruledKeys) }
        return evaluated(keys, in: update.snapshot, after: former, at: now)
    }

    /// The same state in another context.
    mutating func evaluated(again snapshot: EntrySnapshot, at now: Timestamp) -> EntrySnapshot.Update {
        guard snapshot.hasRules else { return (snapshot, []) }
        let (rules, former) = rules(of: snapshot)
        let (given, problems) = values(of: rules, at: now)
        var changes: [(key: String, entry: ConfigEntry?)] = []
        for (index, rule) in rules.enumerated() {
            if let former, former[index] == given[index] { continue }
            let defaultValue = rule.value?.value
            let known = former.map { $0[index] ?? defaultValue } ?? snapshot.entries[rule.key]?.value
            let value = given[index] ?? defaultValue
            if known == value { continue }
            let entry = value.map { value in
                var entry = rule.value ?? rule.place
                entry.value = value
                if known != nil { entry.changedAt = now }
                return entry
            }
            changes.append((rule.key, entry))
        }
        var next = snapshot
        next.ruleProblems = problems
        if !changes.isEmpty {
            next.entries.replace(changes)
            next = next.numbered(snapshot.revision + 1)
        }
        whole = (next.revision, rules, given)
        return (next, changes.map(\.key))
    }

    /// The rules of a state, by their keys; and what each has given last, if that is known.
    private mutating func rules(of snapshot: EntrySnapshot) -> (rules: [KeyedRule], former: [EntryValue?]?) {
        if let whole, whole.revision == snapshot.revision { return (whole.rules, whole.given) }
        let held = snapshot.held
        readShared(of: held)
        let rules = snapshot.ruledKeys.sorted().compactMap { key in
            held[EntryKind.rule.key(of: key)].map { place in
                KeyedRule(key: key, rule: read(place.value, ofKey: key), place: place, value: held[key])
            }
        }
        return (rules, nil)
    }

    /// Before the rules of another state are evaluated, which may have the same revision.
    mutating func forgetWhole() { whole = nil }

    /// A state with its rules evaluated, independent of its revision.
    mutating func evaluated(alone snapshot: EntrySnapshot, at now: Timestamp) -> EntrySnapshot {
        forgetWhole()
        defer { forgetWhole() }
        return evaluated(again: snapshot, at: now).snapshot
    }

    private typealias Part = (values: [EntryValue?], problems: [ConfigError])

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
            var beginnings: [ObjectIdentifier: ConfigRule.Beginning?] = [:]
            var budget = Self.budget(ofRules: rules.count, sharedBy: parts)
            var problems: [ConfigError] = []
            let values = rules[start..<min(start + Self.fewRules, rules.count)].map { keyed -> EntryValue? in
                let rule: ConfigRule
                switch keyed.rule {
                case .success(let read): rule = read
                case .failure(let error):
                    problems.append(Self.problem(error, ofKey: keyed.key, at: keyed.place))
                    return nil
                }
                let beginning = beginnings[rule.identity] ?? rule.begin(in: own, at: seconds, within: &budget)
                beginnings.updateValue(beginning, forKey: rule.identity)
                let given = rule.evaluate(key: keyed.key, in: own, at: seconds, after: beginning, within: &budget)
                if let error = given.error { problems.append(Self.problem(error, ofKey: keyed.key, at: keyed.place)) }
                return given.value
            }
            results.withLock { $0[part] = (values, problems) }
        }
        return results.withLock { ($0.flatMap(\.values), $0.flatMap(\.problems)) }
    }

    static func problem(
        _ error: EvaluationError,
        ofKey key: String,
        at place: ConfigEntry
    ) -> ConfigError {
        ConfigError(
            .invalidRule,
            "rule failed, using the default value: \(error.message)",
            source: place.source,
            location: place.location,
            key: key,
            underlying: error
        )
    }

    private static let fewRules = 2000

    /// The cost of all rules of a state together, so that none keeps a program busy: as much as those of a request to a
    /// server, and 100 steps more for each rule. Rules beyond it give the default value.
    private static func budget(ofRules count: Int, sharedBy parts: Int = 1) -> StepBudget {
        StepBudget((5_000_000 + 100 * count) / max(parts, 1))
    }

    private mutating func evaluated(
        _ keys: Set<String>,
        in snapshot: EntrySnapshot,
        after former: EntrySnapshot,
        at now: Timestamp
    ) -> EntrySnapshot.Update {
        let held = snapshot.held
        readShared(of: held)
        var (next, changedKeys, problems) = (snapshot, [String](), [ConfigError]())
        var budget = Self.budget(ofRules: keys.count)
        // In order, so that rules are evaluated again in the order in which they were read into memory.
        for key in keys.sorted() {
            let (known, shown) = (former.entries[key], snapshot.entries[key])
            var entry = entry(ofKey: key, in: held, at: now, within: &budget, &problems)
            if let known, known.value == entry?.value {
                entry?.changedAt = known.changedAt
            } else if known?.value != entry?.value {
                changedKeys.append(key)
                if known != nil { entry?.changedAt = now }
            }
            if entry != shown { next.entries[key] = entry }
        }
        if !problems.isEmpty || !next.ruleProblems.isEmpty {
            let known = next.ruleProblems.filter { problem in problem.key.map { !keys.contains($0) } ?? false }
            next.ruleProblems = (known + problems).sorted { ($0.key ?? "") < ($1.key ?? "") }
        }
        return (next, changedKeys)
    }

    private mutating func entry(
        ofKey key: String,
        in held: ConfigEntries,
        at now: Timestamp,
        within budget: inout StepBudget,
        _ problems: inout [ConfigError]
    ) -> ConfigEntry? {
        let value = held[key]
        guard let place = held[EntryKind.rule.key(of: key)] else {
            rules[key] = nil
            return value
        }
        guard let context else { return value }
        switch read(place.value, ofKey: key) {
        case .success(let rule):
            let given = rule.evaluate(key: key, in: context, at: now.seconds, within: &budget)
            if let error = given.error { problems.append(Self.problem(error, ofKey: key, at: place)) }
            guard let shown = given.value else { return value }
            var entry = value ?? place
            entry.value = shown
            return entry
        case .failure(let error):
            problems.append(Self.problem(error, ofKey: key, at: place))
            return value
        }
    }

    private mutating func readShared(of held: ConfigEntries) {
        let value = held[EntryKind.rule.key(of: EntryKind.sharedRules)]?.value
        if value == shared.value { return }
        (shared, rules, alike) = ((value, CompiledRules.evaluators(of: held)), [:], [:])
    }

    private mutating func read(_ value: EntryValue, ofKey key: String) -> Result<ConfigRule, EvaluationError> {
        if let known = rules[key], known.value == value { return known.rule }
        let rule = alike[value].map(Result.success) ?? CompiledRules.read(value, shared.evaluators)
        rules[key] = ReadRule(value: value, rule: rule)
        // Only rules that could be read are shared.
        alike[value] = try? rule.get()
        // Rules that no key has any more are forgotten when they are the most.
        if alike.count > 2 * rules.count + Self.fewRules {
            alike = Dictionary(
                rules.values.compactMap { known in
                    (try? known.rule.get()).map { (known.value, $0) }
                }
            ) { $1 }
        }
        return rule
    }
}
