// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules

/// The exact shares of a rule that gives all users one variant, or divides them by a split with constant weights.
struct ExactShares: Sendable {
    /// A part of the users, in the order of the split.
    private struct Part {
        /// `nil` for the default value of the key.
        var variant: ExactString?
        var value: EntryValue?
        var weight: Int
    }

    private let parts: [Part]
    private let total: Int
    /// The split, if it has more than one part with users.
    private let division: ConstantSplit?

    /// - Returns: `nil` for a rule whose shares depend on the users.
    init?(_ rule: ConfigRule?) {
        var split: ConstantSplit?
        if let rule, rule.isEnabled, let stored = StoredRule(rule.value) {
            if let targeting = stored.targeting {
                guard let constant = ConstantSplit(targeting, among: rule.variants, by: rule.bucketing),
                    constant.isExact
                else {
                    return nil
                }
                split = constant
            } else {
                split = rule.defaultVariant.map { ConstantSplit(all: $0) }
            }
        }
        total = split?.total ?? 1
        parts =
            split?.parts.map { part in
                Part(variant: part.variant, value: rule?.variants[part.variant.string], weight: part.weight)
            } ?? [Part(weight: 1)]
        division = split.flatMap { $0.isDivided ? $0 : nil }
    }

    func share(of variant: ExactString?) -> Percentage {
        Percentage(weight: parts.reduce(0) { $0 + ($1.variant == variant ? $1.weight : 0) }, total: total)
    }

    /// The share of the users whose value another rule changes.
    ///
    /// - Parameter defaultValue: the value where a rule selects no variant.
    /// - Returns: `nil` if the two rules compute the buckets of users differently.
    func moved(to next: ExactShares, defaultValue: EntryValue?) -> Percentage? {
        if let division, let other = next.division, !division.hasSameBuckets(as: other) { return nil }
        // A common measure of both rules, below 2^62.
        let measure = total * next.total
        var (left, right) = (parts[...], next.parts[...])
        var (start, moved) = (0, 0)
        var ends = (now: 0, then: 0)
        while let now = left.first, let then = right.first {
            let (nowEnd, thenEnd) = (ends.now + now.weight * next.total, ends.then + then.weight * total)
            let end = min(nowEnd, thenEnd)
            if (now.value ?? defaultValue) != (then.value ?? defaultValue) { moved += end - start }
            start = end
            if nowEnd <= end {
                left.removeFirst()
                ends.now = nowEnd
            }
            if thenEnd <= end {
                right.removeFirst()
                ends.then = thenEnd
            }
        }
        return Percentage(weight: moved, total: measure)
    }
}
