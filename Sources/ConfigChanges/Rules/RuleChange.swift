// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
import ConfigRules

/// The change of a rule in words. What words would hide is a difference of JSON.
///
/// ```
/// ~ rollout of blue: 50 % → 100 % of users where plan is pro
/// ~ variant blue: "#0000FF" → "#0000EE"
/// ```
package struct RuleChange: Hashable, Sendable {
    /// The lines.
    package let diff: ValueDiff
    /// Whether the rule was added or removed.
    private let isWhole: Bool

    /// - Parameters:
    ///   - old: the rule as it is stored; `nil` for a new one.
    ///   - new: `nil` if the rule was removed.
    package init(from old: EntryValue?, to new: EntryValue?) {
        isWhole = old == nil || new == nil
        let (before, after) = (StoredRule.withBucketing(old), StoredRule.withBucketing(new))
        let lines: [ValueDiff.Line]
        if let before, let after {
            lines = RuleComparison(old: before, new: after).lines
        } else {
            lines = (before?.lines ?? []).map(ValueDiff.Line.removed) + (after?.lines ?? []).map(ValueDiff.Line.added)
        }
        diff = lines.isEmpty ? ValueDiff(from: old, to: new) : ValueDiff(lines)
    }

    /// - Returns: `nil` for a change of a value, of a schema or of the shared evaluators.
    package init?(_ change: KeyChange) {
        guard change.kind == .rule, change.key != EntryKind.sharedRules else { return nil }
        self.init(from: change.old, to: change.new)
    }

    /// The lines as one: `rollout of blue: 50 % → 100 % of users; - variant green: "#00FF00"`.
    package var words: String {
        let words = diff.lines.compactMap { line -> String? in
            switch line {
            case .same, .gap: nil
            case .changed(let text): text
            case .removed(let text): (isWhole ? "" : "- ") + String(text.drop { $0 == " " })
            case .added(let text): (isWhole ? "" : "+ ") + String(text.drop { $0 == " " })
            }
        }
        return words.joined(separator: "; ")
    }
}

extension HistoryRecord {
    /// The new value as JSON, or the new rule in words; `nil` if the entry was removed.
    package var words: String? {
        guard let value else { return nil }
        return RuleChange(KeyChange(key: key, kind: kind, old: nil, new: value))?.words ?? value.canonicalJSON
    }
}

extension StoredRule {
    /// The rule with its algorithm: one that names none has this version's.
    fileprivate static func withBucketing(_ rule: EntryValue?) -> StoredRule? {
        StoredRule(rule.map { ConfigRule.namingBucketing($0) })
    }

    fileprivate var state: String { isDisabled ? "disabled" : "enabled" }

    /// The targeting in words, also of a disabled rule.
    fileprivate var sentences: [String] {
        RuleSentences(.object(members.setting("state", to: nil).setting("bucketing", to: nil))).lines
    }

    fileprivate var bucketing: String { members["bucketing"].flatMap { String(configValue: $0) } ?? "none" }
    fileprivate var hasSplit: Bool { ConfigRule.hasSplit(.object(members)) }

    /// The members without words.
    fileprivate var rest: EntryValue {
        let named = ["state", "defaultVariant", "variants", "targeting", "bucketing"]
        return .object(EntryObject(members.filter { !named.contains($0.key) }))
    }

    /// The whole rule in words.
    fileprivate var lines: [String] {
        let named = ["state", "defaultVariant", "variants", "targeting", "bucketing"]
        let state = isDisabled ? RuleSentences(.object(members)).lines : []
        // It is also the variant of users without a targeting key.
        let rest = targeting == nil ? [] : ["default variant: \(defaultWord)"]
        let values = variants.map { "variant \($0.key.asWord): \($0.value.canonicalJSON)" }
        let others = members.filter { !named.contains($0.key) }.map { "\($0.key.asWord): \($0.value.canonicalJSON)" }
        return state + sentences + (RuleSentences.bucketing(of: members).map { [$0] } ?? []) + rest + values + others
    }

    fileprivate var defaultWord: String { defaultVariant?.asWord ?? "none" }

    /// The shares of the variants by a part of the targeting; `nil` if it contains conditions.
    fileprivate func split(_ outcome: EntryValue?) -> ConstantSplit? {
        switch outcome {
        case nil, .null: defaultVariant.map { ConstantSplit(all: $0) }
        case .string(let variant): ConstantSplit(all: variant)
        case .some(let outcome):
            ConstantSplit(outcome, among: variants, by: RuleBucketing(of: members))
                .flatMap { $0.hasRepeatedVariants ? nil : $0 }
        }
    }
}

/// The comparison of two stored rules.
private struct RuleComparison {
    let old, new: StoredRule

    var lines: [ValueDiff.Line] {
        var lines = memberLines("state", of: "state") { $0.state }
        lines += targetingLines
        lines += memberLines("default variant", of: "defaultVariant") { $0.defaultWord }
        lines += variantLines
        let moves = old.hasSplit && new.hasSplit ? ", which moves users to other variants" : ""
        lines += memberLines("buckets", of: "bucketing", moves) { $0.bucketing }
        if old.rest != new.rest { lines += ValueDiff(from: old.rest, to: new.rest).lines }
        return lines
    }

    /// The change of a member in words, or as JSON if the words are the same.
    private func memberLines(
        _ label: String,
        of name: String,
        _ consequence: String = "",
        words: (StoredRule) -> String
    ) -> [ValueDiff.Line] {
        let (former, next) = (old.members[name], new.members[name])
        if former == next { return [] }
        let values = TextPair(
            (words(old), words(new)),
            orWhole: (former?.canonicalJSON ?? "none", next?.canonicalJSON ?? "none")
        )
        return [.changed("\(label): \(values.words)\(consequence)")]
    }

    private var hasSameDefault: Bool {
        old.defaultVariant.map(ExactString.init(_:)) == new.defaultVariant.map(ExactString.init(_:))
    }

    private var variantLines: [ValueDiff.Line] {
        let removed = old.variants.filter { new.variants[$0.key] == nil }.map { variant in
            "variant \(variant.key.asWord): \(variant.value.canonicalJSON)"
        }
        var (added, changed): ([String], [ValueDiff.Line]) = ([], [])
        for (name, value) in new.variants {
            guard let former = old.variants[name] else {
                added.append("variant \(name.asWord): \(value.canonicalJSON)")
                continue
            }
            if former == value { continue }
            if former.isShort, value.isShort {
                let values = TextPair(former.canonicalJSON, value.canonicalJSON)
                changed.append(.changed("variant \(name.asWord): \(values.words)"))
            } else {
                changed += [.changed("variant \(name.asWord):")] + ValueDiff(from: former, to: value).lines
            }
        }
        return changed + ValueDiff.distinct(added.map(ValueDiff.Line.added) + removed.map(ValueDiff.Line.removed))
    }
}

// The targeting.
extension RuleComparison {
    private var targetingLines: [ValueDiff.Line] {
        if old.targeting == new.targeting {
            // A missing targeting, null and {} differ in the reason of an evaluation.
            return memberLines("targeting", of: "targeting") { _ in "" }
        }
        if let rollouts = rollouts(from: old.targeting, to: new.targeting, for: []), !rollouts.isEmpty {
            return rollouts.map(ValueDiff.Line.changed)
        }
        let diff = ValueDiff(fromLines: old.sentences, to: new.sentences)
        let isChanged = diff.lines.contains { line in
            switch line {
            case .same, .gap: false
            case .removed, .added, .changed: true
            }
        }
        // An abbreviated sentence may leave the change out.
        let isShort = (old.sentences + new.sentences).allSatisfy { sentence in
            sentence.utf8.count < RuleSentences.maximumScalars && !sentence.contains("…")
        }
        if isChanged, isShort { return diff.lines }
        return [.changed("targeting:")] + ValueDiff(from: old.targeting, to: new.targeting).lines
    }

    /// The changed shares of variants in words; `nil` if more than shares has changed.
    ///
    /// - Parameter conditions: the conditions of the users, from the outer one on; `nil` where no earlier one applies.
    private func rollouts(from before: EntryValue?, to after: EntryValue?, for conditions: [String?]) -> [String]? {
        if before == after { return [] }
        if let former = old.split(before), let next = new.split(after) {
            return shares(from: former, to: next, for: conditions)
        }
        guard let former = before?.branches, let next = after?.branches, former.count == next.count else { return nil }
        var words: [String] = []
        for index in former.indices {
            let isBranch = !index.isMultiple(of: 2)
            guard isBranch || index == former.count - 1 else {
                if former[index] != next[index] { return nil }
                continue
            }
            let condition = isBranch ? RuleSentences.condition(former[index - 1]) : nil
            let found = rollouts(from: former[index], to: next[index], for: conditions + [condition])
            guard let found else { return nil }
            words += found
        }
        return words
    }

    private func shares(from before: ConstantSplit, to after: ConstantSplit, for conditions: [String?]) -> [String]? {
        let (isSplit, wasSplit) = (after.order.count > 1, before.order.count > 1)
        guard isSplit || wasSplit,
            before.order.filter(after.order.contains) == after.order.filter(before.order.contains)
        else { return nil }
        let users = Self.users(conditions)
        let names = before.order + after.order.filter { !before.order.contains($0) }
        let rollouts = names.compactMap { name -> String? in
            // The default variant gets what the others leave.
            if hasSameDefault, old.defaultVariant.map(ExactString.init(_:)) == name { return nil }
            let shares = Percentage.descriptions(before.share(of: name), after.share(of: name))
            if shares.0 == shares.1 { return nil }
            return "rollout of \(name.string.asWord): \(shares.0) → \(shares.1) of \(users)"
        }
        if isSplit != wasSplit, rollouts.isEmpty { return nil }
        return rollouts
            + buckets(from: wasSplit ? before : nil, to: isSplit ? after : nil).map { "buckets of \(users): \($0)" }
    }

    /// The source of the buckets of a new split unless it is the targeting key, or its change.
    private func buckets(from before: ConstantSplit?, to after: ConstantSplit?) -> [String] {
        guard let after, before?.bucketing != after.bucketing else { return [] }
        let next = ConstantSplit.words(ofBucketing: after.bucketing)
        guard let before else { return [next] }
        let sources = TextPair(
            (ConstantSplit.words(ofBucketing: before.bucketing), next),
            orWhole: (before.bucketing?.canonicalJSON ?? "none", after.bucketing?.canonicalJSON ?? "none")
        )
        return ["\(sources.words), which moves users to other variants"]
    }

    private static func users(_ conditions: [String?]) -> String {
        let known = conditions.compactMap(\.self)
        if known.isEmpty { return conditions.isEmpty ? "users" : "all other users" }
        return "users where " + known.map { known.count > 1 ? "(\($0))" : $0 }.joined(separator: " and ")
    }
}

extension String {
    fileprivate var asWord: String { RuleSentences.quotedName(self) }
}

extension EntryValue {
    private static let shortBytes = 200

    fileprivate var isShort: Bool { canonicalByteCount <= Self.shortBytes }

    /// The conditions of an `if` operation, each with its result after it, and the result for all others.
    fileprivate var branches: [EntryValue]? {
        guard case .object(let operation) = self, operation.count == 1, case .array(let arguments)? = operation["if"]
        else { return nil }
        return arguments
    }
}
