// SPDX-License-Identifier: Apache-2.0

/// The attributes of a context that an evaluation has read: another context that has the same ones gives the same result.
///
/// An attribute is one of 64 bits, so that a set may contain others than were read.
package struct RuleInputs: Hashable, Sendable {
    private var bits: UInt64

    static let none = RuleInputs(bits: 0)
    static let all = RuleInputs(bits: .max)
    static let targetingKey = RuleInputs(of: RuleAttribute.targetingKey.name)

    private init(bits: UInt64) { self.bits = bits }

    /// An attribute.
    init(of name: String) { bits = 1 << UInt64(MurmurHash3.hash(name) & 63) }

    mutating func insert(_ others: RuleInputs) { bits |= others.bits }

    /// Whether none of the attributes is in another set.
    package func isDisjoint(with others: RuleInputs) -> Bool { bits & others.bits == 0 }
}
