// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
import ConfigRules

/// A share of the users: `25%`, `0.5 %`.
package struct Percentage: Hashable, Sendable {
    /// The weight of the variant.
    package let weight: Int
    /// 100, or 100 times a power of ten.
    package let total: Int

    /// The most digits after the point.
    private static let maximumPlaces = 4

    package init(weight: Int, total: Int) { (self.weight, self.total) = (weight, total) }
}

extension Percentage: CustomStringConvertible {
    /// Reads a percentage, with or without its sign.
    ///
    /// - Throws: `typeMismatch` with what is expected.
    package init(_ text: String) throws(ConfigError) {
        let number = text.hasSuffix("%") ? text.dropLast() : Substring(text)
        let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let places = parts.count == 2 ? parts[1] : ""
        let isNumber = { (part: Substring) in !part.isEmpty && part.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
        guard parts.allSatisfy(isNumber), places.count <= Self.maximumPlaces else {
            throw ConfigError(
                .typeMismatch,
                "expected a percentage such as 25% or 0.5%, with at most \(Self.maximumPlaces) decimals"
            )
        }
        let total = (0..<places.count).reduce(100) { total, _ in total * 10 }
        guard let weight = Int(parts[0] + places), weight <= total else {
            throw ConfigError(.typeMismatch, "the percentage must be at most 100%")
        }
        self.init(weight: weight, total: total)
    }

    /// `25 %`.
    package var description: String {
        // Weights are integers, so that the double is the nearest to the input.
        let number = Double(weight) * 100 / Double(total)
        return number == number.rounded() ? "\(Int(number)) %" : "\((number * 10_000).rounded() / 10_000) %"
    }
}

/// The usual rule: a share of the users gets one variant, and all others the default one.
///
/// The variant has the first part of the split, so that a larger share includes every user of a smaller one.
package struct Rollout: Hashable, Sendable {
    package let variant: String
    package let share: Percentage
    /// The value of the variant; `nil` for the one that the rule has.
    package var value: EntryValue?
    /// Whether a targeting of another shape is overwritten.
    package var overwrites = false

    package init(variant: String, share: Percentage, value: EntryValue? = nil, overwrites: Bool = false) {
        (self.variant, self.share, self.value, self.overwrites) = (variant, share, value, overwrites)
    }

    /// The rule of a key.
    ///
    /// - Parameters:
    ///   - rule: the one that it has.
    ///   - defaultValue: the default value of the key.
    /// - Throws: `rejected` if there is nothing to make the rule of, or the rule is another one.
    package func rule(
        changing rule: EntryValue?,
        defaultValue: EntryValue?
    ) throws(ConfigError) -> EntryValue {
        var members = try members(of: rule, defaultValue: defaultValue)
        var variants: [ExactString: EntryValue] = [:]
        if case .object(let named)? = members["variants"] { variants = named.dictionary }
        let name = ExactString(variant)
        if let value { variants[name] = value }
        guard variants[name] != nil else {
            let names = variants.keys.sorted().map(\.string).joined(separator: ", ").excerpt(ofScalars: 200)
            throw ConfigError(
                .rejected,
                "unknown variant '\(variant)', expected one of: \(names); to add it, use '\(variant)=VALUE'"
            )
        }
        guard let other = members["defaultVariant"].flatMap({ String(configValue: $0) }),
            !other.hasSameScalars(as: variant)
        else {
            let reason =
                members["defaultVariant"] == .string(variant)
                ? "it is the default variant" : "the rule has no default variant"
            throw ConfigError(.rejected, "cannot roll out '\(variant)': \(reason)")
        }
        try checkTargeting(members["targeting"] ?? .null, other: other)
        members["variants"] = .object(EntryObject(variants.map { ($0.string, $1) }))
        members["targeting"] = [
            "fractional": [
                [.string(variant), .integer(share.weight)], [.string(other), .integer(share.total - share.weight)],
            ]
        ]
        return .object(EntryObject(members.map { ($0.string, $1) }))
    }

    private func members(
        of rule: EntryValue?,
        defaultValue: EntryValue?
    ) throws(ConfigError) -> [ExactString: EntryValue] {
        if case .object(let members)? = rule { return members.dictionary }
        guard let defaultValue else {
            throw ConfigError(.notFound, "the key has neither a value nor a rule; set a value with `livery set` first")
        }
        let variants = EntryObject([(ConfigRule.plainVariant, defaultValue)])
        return ["variants": .object(variants), "defaultVariant": .string(ConfigRule.plainVariant)]
    }

    private func checkTargeting(_ targeting: EntryValue, other: String) throws(ConfigError) {
        if overwrites || targeting == .null || targeting == [:] { return }
        if let (present, _, rest) = Self.split(targeting), present.hasSameScalars(as: variant),
            rest.hasSameScalars(as: other)
        {
            return
        }
        throw ConfigError(
            .rejected,
            """
            the targeting of the rule is not a rollout; check it with `livery rule show`, or replace it with \
            --overwrite
            """
        )
    }

    /// The variant and share of a rollout rule; `nil` for any other rule.
    package static func present(in rule: EntryValue) -> (variant: String, share: Percentage)? {
        guard case .object(let members) = rule, let (variant, share, rest) = members["targeting"].flatMap(split),
            members["defaultVariant"] == .string(rest)
        else { return nil }
        return (variant, share)
    }

    private static func split(_ targeting: EntryValue) -> (variant: String, share: Percentage, rest: String)? {
        guard case .object(let operation) = targeting, operation.count == 1,
            case .array(let parts)? = operation["fractional"], parts.count == 2,
            case .array(let first) = parts[0], first.count == 2, case .array(let second) = parts[1], second.count == 2,
            case .string(let variant) = first[0], case .integer(let weight) = first[1],
            case .string(let rest) = second[0], case .integer(let other) = second[1],
            0...1_000_000 ~= weight, 0...1_000_000 ~= other, weight + other > 0
        else { return nil }
        return (variant, Percentage(weight: weight, total: weight + other), rest)
    }
}

extension EntryObject {
    fileprivate var dictionary: [ExactString: EntryValue] {
        Dictionary(map { (ExactString($0.key), $0.value) }) { $1 }
    }
}
