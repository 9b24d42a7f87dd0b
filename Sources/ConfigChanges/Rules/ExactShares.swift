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
        /// The end of the part, where all users are 1.
        var end: Double
    }

    private let parts: [Part]
    private let total: Int
    /// The attribute that divides users; `nil` for the targeting key.
    private let attribute: ExactString?

    /// - Returns: `nil` for a rule whose shares depend on the users.
    init?(_ rule: ConfigRule?) {
        var weights: [(variant: ExactString?, weight: Int)] = [(nil, 1)]
        var attribute: String?
        if let rule, rule.isEnabled, case .object(let members) = rule.value {
            let targeting = members["targeting"] ?? .null
            if targeting == .null || targeting == [:] {
                weights = [(rule.defaultVariant.map { ExactString($0) }, 1)]
            } else {
                guard let split = Rollout.split(targeting, among: rule.variants) else { return nil }
                weights = split.order.map { (variant: Optional($0), weight: split.weights[$0] ?? 0) }
                attribute = split.attribute
            }
        }
        let total = weights.reduce(0) { $0 + $1.weight }
        var (parts, end): ([Part], Int) = ([], 0)
        for (variant, weight) in weights {
            end += weight
            let value = variant.flatMap { rule?.variants[$0.string] }
            parts.append(Part(variant: variant, value: value, weight: weight, end: Double(end) / Double(total)))
        }
        (self.parts, self.total) = (parts, total)
        self.attribute = attribute.map { ExactString($0) }
    }

    private var isDivided: Bool { parts.count { $0.weight > 0 } > 1 }

    func share(of variant: ExactString?) -> Percentage {
        Percentage(weight: parts.first { $0.variant == variant }?.weight ?? 0, total: total)
    }

    /// The share of the users whose value another rule changes, in hundredths of a percent.
    ///
    /// - Parameter defaultValue: the value where a rule selects no variant.
    /// - Returns: `nil` if the two rules divide users by different attributes.
    func moved(to next: ExactShares, defaultValue: EntryValue?) -> Int? {
        guard !isDivided || !next.isDivided || attribute == next.attribute else { return nil }
        var (start, moved) = (0.0, 0.0)
        var (left, right) = (parts[...], next.parts[...])
        while let now = left.first, let then = right.first {
            let end = min(now.end, then.end)
            if (now.value ?? defaultValue) != (then.value ?? defaultValue) { moved += end - start }
            start = end
            if now.end <= end { left.removeFirst() }
            if then.end <= end { right.removeFirst() }
        }
        return Int((moved * 10_000).rounded())
    }
}
