// SPDX-License-Identifier: Apache-2.0

import Basics

/// A set of Unicode scalars: ranges, and general categories of Unicode.
struct ScalarSet {
    /// Sorted and apart from each other once the set is `finished`.
    private var ranges: [ClosedRange<UInt32>] = []
    private var categories: UInt32 = 0
    private var isNegated = false
    /// A bit for each of the ASCII characters from 0 on, and from 64 on.
    private var (lowerASCII, upperASCII): (UInt64, UInt64) = (0, 0)

    init() {}

    init(_ ranges: ClosedRange<Unicode.Scalar>...) {
        for range in ranges { insert(range.lowerBound.value...range.upperBound.value) }
    }

    mutating func insert(_ range: ClosedRange<UInt32>) { ranges.append(range) }

    /// Adds what another set has that is not yet finished.
    mutating func formUnion(_ other: ScalarSet) {
        ranges += other.ranges
        categories |= other.categories
    }

    /// The set prepared for lookups, or its complement.
    func finished(isNegated: Bool = false) -> ScalarSet {
        var set = self
        set.ranges = Self.merged(ranges)
        set.isNegated = isNegated
        for value in 0..<UInt32(128) where set.holds(value) {
            if value < 64 { set.lowerASCII |= 1 << UInt64(value) } else { set.upperASCII |= 1 << UInt64(value - 64) }
        }
        return set
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        let value = scalar.value
        if value < 64 { return lowerASCII >> UInt64(value) & 1 == 1 }
        if value < 128 { return upperASCII >> UInt64(value - 64) & 1 == 1 }
        return holds(value)
    }

    /// The cost of looking a scalar beyond ASCII up, in addition to the visit of a step, measured.
    var lookupCost: Int { (categories == 0 ? 0 : 8) + ranges.count.bitWidth - ranges.count.leadingZeroBitCount }

    private func holds(_ value: UInt32) -> Bool {
        (isInRanges(value) || isInCategories(value)) != isNegated
    }

    private func isInRanges(_ value: UInt32) -> Bool {
        let place = ranges.lowerBound { $0.upperBound < value }
        return place < ranges.count && ranges[place].lowerBound <= value
    }

    private func isInCategories(_ value: UInt32) -> Bool {
        guard categories != 0, let scalar = Unicode.Scalar(value) else { return false }
        return categories & GeneralCategory.bit(of: scalar) != 0
    }

    private static func merged(_ ranges: [ClosedRange<UInt32>]) -> [ClosedRange<UInt32>] {
        var merged: [ClosedRange<UInt32>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }

    /// The complement of the set. The set has ranges only, or categories only.
    var complement: ScalarSet {
        var complement = ScalarSet()
        if categories != 0 {
            complement.categories = GeneralCategory.all & ~categories
            return complement
        }
        var next: UInt32 = 0
        for range in Self.merged(ranges) {
            if range.lowerBound > next { complement.insert(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= Self.last { complement.insert(next...Self.last) }
        return complement
    }

    private static let last: UInt32 = 0x10FFFF
}

// The sets that ECMA-262 names. Without the flag `i` they are the same with and without the flag `u`.
extension ScalarSet {
    /// `\d`: the ten digits of ASCII.
    static let digits = ScalarSet("0"..."9")
    /// `\w`: letters and digits of ASCII, and the underscore.
    static let wordCharacters = ScalarSet("0"..."9", "A"..."Z", "_"..."_", "a"..."z")
    /// `\s`: WhiteSpace and LineTerminator.
    static let spaces = ScalarSet(
        "\t"..."\r",
        " "..." ",
        "\u{A0}"..."\u{A0}",
        "\u{1680}"..."\u{1680}",
        "\u{2000}"..."\u{200A}",
        "\u{2028}"..."\u{2029}",
        "\u{202F}"..."\u{202F}",
        "\u{205F}"..."\u{205F}",
        "\u{3000}"..."\u{3000}",
        "\u{FEFF}"..."\u{FEFF}"
    )
    /// The characters that `.` does not match.
    static let lineTerminators = ScalarSet("\n"..."\n", "\r"..."\r", "\u{2028}"..."\u{2029}")
    static let everything = ScalarSet("\0"..."\u{10FFFF}")

    /// The scalars with a property of Unicode, by one of its names in ECMA-262: a general category, `Any`, `ASCII` or
    /// `Assigned`; `nil` for others.
    init?(propertyNamed name: String) {
        switch name {
        case "Any": self = .everything
        case "ASCII": self.init("\0"..."\u{7F}")
        case "Assigned":
            self.init()
            categories = GeneralCategory.all & ~GeneralCategory.mask(named: "Cn", default: 0)
        default:
            self.init()
            categories = GeneralCategory.mask(named: name, default: 0)
            if categories == 0 { return nil }
        }
    }
}
