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
        case .integer(let number):
            var (magnitude, exponent) = (UInt64(number.magnitude), 0)
            while magnitude > 0, magnitude.isMultiple(of: 10) { (magnitude, exponent) = (magnitude / 10, exponent + 1) }
            (self.magnitude, self.exponent) = (magnitude, exponent)
        case .double(let number) where number.isFinite:
            let decimal = DecimalDigits(of: number.magnitude.description)
            // A double has at most 17 digits besides leading and trailing zeros.
            guard let magnitude = UInt64("0" + decimal.digits) else { return nil }
            (self.magnitude, exponent) = (magnitude, decimal.point - decimal.digits.count)
        default: return nil
        }
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
