// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
import ConfigRules

/// A rule that divides users among variants by shares, as it is edited.
///
/// Shares are exact: weights are whole numbers, and an edit changes that of one variant and of the default one alone. The
/// default variant has the last part of the split, so that a larger share of the first one includes every user of a smaller
/// share.
package struct Rollout: Hashable, Sendable {
    /// A variant with its share.
    package struct Part: Hashable, Sendable {
        package var name: String
        package var value: EntryValue
        package fileprivate(set) var weight: Int
        /// Whether the variant is part of the split. One without a share is, once it has had one.
        fileprivate var isListed = false
    }

    /// The variants in the order of the split, the default one last.
    package private(set) var parts: [Part]
    /// The sum of the weights.
    package private(set) var total: Int
    /// The attribute that divides users; `nil` for the targeting key.
    package var attribute: String?
    /// The targeting that the draft replaces, if that is something else than a split.
    package let replaced: EntryValue?
    /// The other members of the rule.
    private let members: EntryObject
    /// Whether the default variant was not the last part of the split, so that the edit moves users.
    private let isReordered: Bool
    /// All users, in hundredths of a percent: the steps in which shares are set.
    package static let whole = 10_000

    /// - Parameters:
    ///   - rule: the current rule; `nil` for a new one.
    ///   - defaultValue: the default value of the key.
    /// - Throws: `rejected` with the reason why the rule cannot be edited as shares, `notFound` without a rule and a value.
    package init(_ rule: EntryValue?, defaultValue: EntryValue?) throws(ConfigError) {
        guard let present = StoredRule(rule) else {
            guard let defaultValue else {
                throw ConfigError(.notFound, "the key has neither a value nor a rule; set a value first")
            }
            parts = [Part(name: ConfigRule.plainVariant, value: defaultValue, weight: 1)]
            (total, attribute, replaced, members, isReordered) = (1, nil, nil, EntryObject(), false)
            return
        }
        let variants = present.variants
        guard let first = present.defaultVariant, let value = variants[first] else {
            throw ConfigError(.rejected, "the rule has no default variant; edit it as JSON")
        }
        let split = present.targeting
            .flatMap { ConstantSplit($0, among: variants, by: RuleBucketing(of: present.members)) }
            .flatMap { Self.isEditable($0) ? $0 : nil }
        var weights = split?.weights ?? [:]
        if split == nil { weights = [ExactString(first): 1] }
        // Variants in the order of the split, then those without a share.
        let named = variants.map { ExactString($0.key) }.filter { $0 != ExactString(first) }
        let order = (split?.order ?? []).filter { $0 != ExactString(first) }
        let others = order + named.filter { !order.contains($0) }
        parts = others.compactMap { name in
            variants[name.string].map {
                Part(name: name.string, value: $0, weight: weights[name] ?? 0, isListed: weights[name] != nil)
            }
        }
        parts.append(Part(name: first, value: value, weight: weights[ExactString(first)] ?? 0))
        total = parts.reduce(0) { $0 + $1.weight }
        attribute = split?.bucketing.flatMap(ConstantSplit.attribute(dividing:))
        replaced = split == nil ? present.targeting : nil
        isReordered = split.map { $0.order.dropLast().contains(ExactString(first)) } ?? false
        members = EntryObject(present.members.filter { !["variants", "defaultVariant", "targeting"].contains($0.key) })
    }

    /// Whether the split has each variant once, and divides users by the targeting key or by one attribute.
    private static func isEditable(_ split: ConstantSplit) -> Bool {
        !split.hasRepeatedVariants
            && split.bucketing.map { ConstantSplit.attribute(dividing: $0) != nil } ?? true
    }
}

// Shares.
extension Rollout {
    /// The share of a variant.
    package func share(of index: Int) -> Percentage { Percentage(weight: parts[index].weight, total: max(total, 1)) }

    /// The variant with its share, where all other users get the default variant; `nil` for another rule.
    package var single: (variant: String, share: Percentage)? {
        guard isOfUsers, let index = listed.first, listed.count == 1 else { return nil }
        return (parts[index].name, share(of: index))
    }

    /// The same for a rule.
    package static func single(in rule: EntryValue) -> (variant: String, share: Percentage)? {
        // A rule that cannot be edited as shares has none.
        (try? Rollout(rule, defaultValue: nil))?.single
    }

    /// Whether the rule divides users by the targeting key, with the default variant last.
    private var isOfUsers: Bool { replaced == nil && attribute == nil && !isReordered }

    /// The parts of the split before the default variant.
    private var listed: [Int] { parts.indices.dropLast().filter { parts[$0].isListed } }

    /// The share of a variant in hundredths of a percent, rounded.
    package func hundredths(of index: Int) -> Int {
        (parts[index].weight * Self.whole + total / 2) / max(total, 1)
    }

    /// Whether a variant takes what the others leave.
    package func isDefault(_ index: Int) -> Bool { index == parts.count - 1 }

    /// Sets the share of a variant, at most what the default variant has left; the default one gets the rest.
    ///
    /// - Parameter hundredths: hundredths of a percent.
    package mutating func setShare(of index: Int, toHundredths hundredths: Int) {
        guard parts.indices.contains(index), !isDefault(index) else { return }
        scale()
        let unit = total / Self.whole
        let free = parts[index].weight + parts[parts.count - 1].weight
        let weight = min(max(hundredths, 0) * unit, free)
        parts[index].weight = weight
        parts[index].isListed = true
        parts[parts.count - 1].weight = free - weight
    }

    /// Gives one variant a share, and the default variant all the rest.
    ///
    /// - Parameters:
    ///   - name: The name of the variant.
    ///   - value: Its value; `nil` for the one that it has.
    ///   - isOverwriting: Whether a targeting is replaced that does not split between the two.
    /// - Throws: `rejected` with the reason why the variant cannot have it.
    package mutating func rollOut(
        _ name: String,
        _ value: EntryValue?,
        to share: Percentage,
        overwriting isOverwriting: Bool = false
    ) throws(ConfigError) {
        var index = parts.firstIndex { $0.name.hasSameScalars(as: name) }
        if let index, isDefault(index) {
            throw ConfigError(.rejected, "cannot roll out '\(name)': it is the default variant")
        }
        if let value { index = try set(name, value) }
        guard let index else {
            let names = parts.map(\.name).sorted().joined(separator: ", ").excerpt(ofScalars: 200)
            throw ConfigError(
                .rejected,
                "unknown variant '\(name)', expected one of: \(names); to add it, use '\(name)=VALUE'"
            )
        }
        guard isOverwriting || isOfUsers && listed.allSatisfy({ $0 == index }) else {
            throw ConfigError(
                .rejected,
                """
                the targeting of the rule is not a rollout; check it with `livery rule show`, or replace it with \
                --overwrite
                """
            )
        }
        (attribute, total) = (nil, share.total)
        for other in parts.indices { (parts[other].weight, parts[other].isListed) = (0, other == index) }
        parts[index].weight = share.weight
        parts[parts.count - 1].weight = share.total - share.weight
    }

    /// Makes the total a multiple of the exact one, with the shares as they are.
    private mutating func scale() {
        guard total % Self.whole != 0 else { return }
        let factor = Self.whole.isMultiple(of: total) ? Self.whole / total : Self.whole
        for index in parts.indices { parts[index].weight *= factor }
        total *= factor
    }

    /// Gives a variant another value, or adds one without a share before the default one.
    ///
    /// - Returns: the index of the variant.
    /// - Throws: `rejected` if the name is empty.
    package mutating func set(_ name: String, _ value: EntryValue) throws(ConfigError) -> Int {
        if name.isEmpty { throw ConfigError(.rejected, "the name of a variant must not be empty") }
        if let index = parts.firstIndex(where: { $0.name.hasSameScalars(as: name) }) {
            parts[index].value = value
            return index
        }
        parts.insert(Part(name: name, value: value, weight: 0), at: parts.count - 1)
        return parts.count - 2
    }

    /// Removes a variant, whose share falls to the default one.
    package mutating func remove(at index: Int) {
        guard parts.indices.contains(index), !isDefault(index) else { return }
        let removed = parts.remove(at: index)
        parts[parts.count - 1].weight += removed.weight
    }

    /// The rule.
    package var rule: EntryValue {
        let variants = EntryObject(parts.map { ($0.name, $0.value) })
        let pairs = pairs
        let targeting: [EntryObject.Member] =
            pairs.count > 1 ? [("targeting", ["fractional": .array(bucketing + pairs)])] : []
        let own: [EntryObject.Member] = [
            ("variants", .object(variants)), ("defaultVariant", .string(parts[parts.count - 1].name)),
        ]
        return ConfigRule.namingBucketing(.object(EntryObject(own + targeting + Array(members))))
    }

    private var bucketing: [EntryValue] { attribute.map { [ConstantSplit.bucketing(by: $0)] } ?? [] }

    /// The variants with their weights, which add up to 100 where that is exact.
    private var pairs: [EntryValue] {
        let sum = max(total, 1)
        var weights = parts.map(\.weight)
        let wanted = [100, 1000, 10_000].first { wanted in
            weights.allSatisfy { ($0 * wanted).isMultiple(of: sum) }
        }
        if let wanted {
            weights = weights.map { $0 * wanted / sum }
        } else if sum > ConfigRule.maximumTotalWeight {
            // The nearest weights that a rule may have, within a billionth of the users.
            let others = weights.dropLast().map { Int(Double($0) / Double(sum) * 1_000_000_000) }
            weights = others + [1_000_000_000 - others.reduce(0, +)]
        }
        return (listed + [parts.count - 1]).map { [.string(parts[$0].name), .integer(weights[$0])] }
    }
}
