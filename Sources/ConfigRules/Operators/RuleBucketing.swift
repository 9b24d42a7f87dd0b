// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// The algorithm that assigns users to the parts of a split. It is stored with the rule, so that no later version moves a
/// user.
///
/// All of them hash by MurmurHash3 (x86, 32 bits, seed 0), and divide users by the key of the flag and the targeting key
/// unless the split names something else.
package enum RuleBucketing: String, Hashable, Sendable, CaseIterable {
    /// The hash of a text as a signed number, without its sign, scaled to percents in double precision: flagd before 0.15.0.
    case flagd1 = "flagd-1"
    /// The hash of a text, scaled to the sum of the weights: flagd 0.15.0 to 0.16.1.
    case flagd2 = "flagd-2"
    /// The hash of the deterministic CBOR of a value, scaled to the sum of the weights: flagd's Python core 2.0.0.
    case flagd3 = "flagd-3"

    /// The algorithm of new rules.
    package static let current = flagd3

    /// The algorithm of a rule as it is stored; the current one for a rule that names none.
    package init(of rule: EntryObject) {
        self = rule["bucketing"].flatMap { String(configValue: $0) }.flatMap(Self.init(name:)) ?? .current
    }

    /// The place of an id among all ids for a flag, 0 or more and less than 1: a split of two parts has the id in the first
    /// part if the place is below its share.
    package static func place(of id: String, for flag: String) -> Double {
        Double(current.hash(of: id, for: flag)) * 0x1p-32
    }

    /// The hash of a targeting key for a flag.
    func hash(of targetingKey: String, for flag: String) -> UInt32 {
        if self == .flagd3 { return DeterministicCBOR.hash(ofPair: flag, targetingKey) }
        return MurmurHash3.hash(flag + targetingKey)
    }

    /// The hash of a value that a split names; `nil` if users cannot be divided by it.
    func hash(of value: EntryValue) -> UInt32? {
        if self == .flagd3 { return DeterministicCBOR(value).hash }
        return if case .string(let text) = value { MurmurHash3.hash(text) } else { nil }
    }
}
