internal import ConfigModel
internal import ConfigRules

/// Makes what is shown of what a source holds: values, and of keys that have rules what the rules give.
///
/// A rule is evaluated when it, its value or the context changes, so that a lookup costs what it costs without rules.
struct RuleEvaluator {
    /// Who the program is used by; without one nothing is evaluated, and everybody's value counts.
    var context: EvaluationContext?
    /// The rules that were read, by key.
    private var rules: [String: ReadRule] = [:]
    /// What they share, as it was read with them.
    private var shared: (value: EntryValue?, evaluators: [String: EntryValue]) = (nil, [:])

    private struct ReadRule {
        let value: EntryValue
        /// `nil` if only newer programs can read it.
        let rule: ConfigRule?
    }

    init(in context: EvaluationContext?) { self.context = context }

    /// An update as it is shown: with the keys whose values differ from those before.
    mutating func evaluated(
        _ update: EntrySnapshot.Update,
        after former: EntrySnapshot,
        at now: Timestamp
    ) -> EntrySnapshot.Update {
        guard update.snapshot.hasRules || former.hasRules else { return update }
        var keys = Set(update.changedKeys.map { EntryKind.named($0).name })
        if keys.remove(EntryKind.sharedRules) != nil { keys.formUnion(update.snapshot.ruledKeys) }
        return evaluated(keys, in: update.snapshot, after: former, at: now)
    }

    /// The same state in another context.
    mutating func evaluated(again snapshot: EntrySnapshot, at now: Timestamp) -> EntrySnapshot.Update {
        var update = evaluated(snapshot.ruledKeys, in: snapshot, after: snapshot, at: now)
        if !update.changedKeys.isEmpty { update.snapshot = update.snapshot.numbered(snapshot.revision + 1) }
        return update
    }

    private mutating func evaluated(
        _ keys: some Collection<String>,
        in snapshot: EntrySnapshot,
        after former: EntrySnapshot,
        at now: Timestamp
    ) -> EntrySnapshot.Update {
        let held = snapshot.held
        readShared(of: held)
        var (next, changedKeys) = (snapshot, [String]())
        for key in keys {
            let (known, shown) = (former.entries[key], snapshot.entries[key])
            var entry = entry(ofKey: key, in: held, at: now)
            if let known, known.value == entry?.value {
                entry?.changedAt = known.changedAt
            } else if known?.value != entry?.value {
                changedKeys.append(key)
                if known != nil { entry?.changedAt = now }
            }
            if entry != shown { next.entries[key] = entry }
        }
        return (next, changedKeys.sorted())
    }

    private mutating func entry(ofKey key: String, in held: ConfigEntries, at now: Timestamp) -> EntrySnapshot.Entry? {
        let value = held[key]
        guard let rule = held[EntryKind.rule.key(of: key)] else {
            rules[key] = nil
            return value
        }
        guard let context,
            let given = read(rule.value, ofKey: key)?.evaluate(key: key, in: context, at: now.seconds).value
        else { return value }
        var entry = value ?? rule
        entry.value = given
        return entry
    }

    private mutating func readShared(of held: ConfigEntries) {
        let value = held[EntryKind.rule.key(of: EntryKind.sharedRules)]?.value
        if value == shared.value { return }
        let evaluators = value.flatMap { try? ConfigRule.evaluators($0) } ?? [:]
        (shared, rules) = ((value, evaluators), [:])
    }

    private mutating func read(_ value: EntryValue, ofKey key: String) -> ConfigRule? {
        if let known = rules[key], known.value == value { return known.rule }
        let rule = try? ConfigRule(value, evaluators: shared.evaluators)
        rules[key] = ReadRule(value: value, rule: rule)
        return rule
    }
}

extension Timestamp {
    /// The time in whole seconds since 1970, as rules see it.
    var seconds: Int { Int(milliseconds / 1000) }
}
