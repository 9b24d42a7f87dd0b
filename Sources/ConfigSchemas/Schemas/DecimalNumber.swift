// SPDX-License-Identifier: Apache-2.0

import ConfigModel

/// A number as the decimal that it is written as, `magnitude` × 10^`exponent`, without its sign.
///
/// 0.3 is thus a multiple of 0.1, although the nearest doubles are not multiples of each other.
struct DecimalNumber {
    /// 0, or not divisible by ten.
    private let magnitude: UInt64
    private let exponent: Int

    /// - Returns: `nil` if the value is not a number.
    init?(_ value: EntryValue) {
        switch value {
        case .integer(let number): self.init(digits: String(number.magnitude), exponent: 0)
        case .double(let number) where number.isFinite: self.init(canonical: value.canonicalJSON)
        default: return nil
        }
    }

    /// - Parameter text: the number as canonical JSON, such as `-1.5e-7`.
    private init?(canonical text: String) {
        let parts = text.drop { $0 == "-" }.split(separator: "e")
        guard let mantissa = parts.first?.split(separator: "."), let exponent = Int(parts.dropFirst().first ?? "0")
        else {
            return nil
        }
        let fraction = mantissa.dropFirst().first?.count ?? 0
        self.init(digits: mantissa.joined(), exponent: exponent - fraction)
    }

    private init?(digits: String, exponent: Int) {
        // A double has at most 17 digits besides leading and trailing zeros.
        let significant = digits.reversed().drop { $0 == "0" }
        let zeros = digits.count - significant.count
        guard digits.allSatisfy(\.isNumber), let magnitude = UInt64("0" + String(significant.reversed())) else {
            return nil
        }
        (self.magnitude, self.exponent) = (magnitude, magnitude == 0 ? 0 : exponent + zeros)
    }

    var isZero: Bool { magnitude == 0 }

    /// Whether the number is a whole number of times another one that is not zero.
    func isMultiple(of divisor: DecimalNumber) -> Bool {
        if isZero { return true }
        // Else the divisor has tens that the number, which is not divisible by ten, has not.
        guard exponent >= divisor.exponent else { return false }
        var remainder = magnitude % divisor.magnitude
        for _ in divisor.exponent..<exponent where remainder > 0 {
            let product = remainder.multipliedFullWidth(by: 10)
            remainder = divisor.magnitude.dividingFullWidth(product).remainder
        }
        return remainder == 0
    }
}
