// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigRules

/// A split whose variants and weights are written out.
struct ConstantSplit: Hashable, Sendable {
    struct Part: Hashable, Sendable {
        let variant: ExactString
        let weight: Int
    }

    /// The parts in their order. A variant may have several.
    let parts: [Part]
    /// The sum of the weights, at least 1.
    let total: Int
    /// The expression from which the bucket of a user is computed; `nil` for the key of the flag and the targeting key.
    let bucketing: EntryValue?
    /// The algorithm that computes it.
    let algorithm: RuleBucketing

    /// All users get one variant.
    init(all variant: String) {
        (parts, total, bucketing) = ([Part(variant: ExactString(variant), weight: 1)], 1, nil)
        algorithm = .current
    }

    /// - Returns: `nil` for a targeting that is not one split with constant weights.
    init?(_ targeting: EntryValue, among variants: EntryObject, by algorithm: RuleBucketing) {
        guard case .object(let operation) = targeting, operation.count == 1,
            case .array(let arguments)? = operation["fractional"], let first = arguments.first
        else { return nil }
        let isComputed = if case .object = first { true } else { false }
        var parts: [Part] = []
        for argument in arguments.dropFirst(isComputed ? 1 : 0) {
            guard case .array(let pair) = argument, let (name, weight) = Self.part(pair), variants[name] != nil else {
                return nil
            }
            parts.append(Part(variant: ExactString(name), weight: weight))
        }
        total = parts.reduce(0) { $0 + $1.weight }
        guard 1...ConfigRule.maximumTotalWeight ~= total else { return nil }
        (self.parts, self.algorithm) = (parts, algorithm)
        bucketing = isComputed ? first : nil
    }

    /// A variant and its weight, 1 by default; a negative one counts as 0.
    static func part(_ pair: [EntryValue]) -> (name: String, weight: Int)? {
        guard case .string(let name)? = pair.first else { return nil }
        switch (pair.count, pair.last) {
        case (1, _): return (name, 1)
        case (2, .integer(let weight)?) where weight <= ConfigRule.maximumTotalWeight: return (name, max(weight, 0))
        default: return nil
        }
    }

    /// The variants, each once.
    var order: [ExactString] {
        var seen: Set<ExactString> = []
        return parts.map(\.variant).filter { seen.insert($0).inserted }
    }

    var hasRepeatedVariants: Bool { order.count < parts.count }

    /// The sum of the weights of each variant.
    var weights: [ExactString: Int] {
        parts.reduce(into: [:]) { $0[$1.variant, default: 0] += $1.weight }
    }

    func share(of variant: ExactString) -> Percentage { Percentage(weight: weights[variant] ?? 0, total: total) }

    /// Whether more than one part has users.
    var isDivided: Bool { parts.count { $0.weight > 0 } > 1 }
}

// The buckets of users.
extension ConstantSplit {
    /// The attribute that divides users together with the key of the flag, as ``bucketing(by:)`` writes it; `nil` for any other
    /// expression.
    static func attribute(dividing expression: EntryValue) -> String? {
        guard let operands = operands(of: expression), operands.count == 2, operands[0] == flagKey,
            let name = RuleSentences.attribute(operands[1])
        else { return nil }
        return expression == bucketing(by: name) ? name : nil
    }

    /// The expression that divides users by an attribute, differently for each flag.
    static func bucketing(by attribute: String) -> EntryValue {
        ["cat": [flagKey, ["var": .string(attribute)]]]
    }

    private static let flagKey: EntryValue = ["var": "$flagd.flagKey"]
    private static let targetingKey: EntryValue = ["var": .string(EvaluationContext.targetingKeyName)]

    /// The texts and attributes that an expression joins; `nil` for an expression of any other form.
    private static func operands(of expression: EntryValue) -> [EntryValue]? {
        if RuleSentences.attribute(expression) != nil { return [expression] }
        guard case .object(let operation) = expression, operation.count == 1,
            case .array(let parts)? = operation["cat"], parts.count > 1
        else { return nil }
        let isKnown = parts.allSatisfy { part in
            if case .string = part { true } else { RuleSentences.attribute(part) != nil }
        }
        return isKnown ? parts : nil
    }

    /// Whether both give each user the same bucket, as a share of all buckets.
    func hasSameBuckets(as other: ConstantSplit) -> Bool {
        bucketing == other.bucketing && algorithm == other.algorithm
    }

    /// Whether each user with a targeting key gets a variant: the expression never yields null.
    var includesAllUsers: Bool {
        guard let bucketing, bucketing != Self.targetingKey else { return true }
        return if case .object(let operation) = bucketing { operation["cat"] != nil } else { false }
    }

    /// Whether the shares are those of the weights: each user gets a variant, and the users have different buckets.
    var isExact: Bool {
        guard includesAllUsers else { return false }
        guard isDivided, let bucketing else { return true }
        return Self.operands(of: bucketing)?.contains { operand in
            RuleSentences.attribute(operand).map { !$0.hasPrefix("$flagd") } ?? false
        } ?? false
    }

    /// The source of the buckets: `by the targeting key`, `by email` for an attribute together with the key of the flag, and
    /// `from email` or `from "salt" + email` for any other expression.
    static func words(ofBucketing expression: EntryValue?) -> String {
        guard let expression else { return "by the targeting key" }
        if let name = attribute(dividing: expression) { return "by \(RuleSentences.name(name))" }
        guard let operands = operands(of: expression) else { return "from \(RuleSentences.subject(expression))" }
        return "from " + operands.map(RuleSentences.subject).joined(separator: " + ")
    }
}
