// SPDX-License-Identifier: Apache-2.0

/// The digits that a number of JSON has without zeros at its ends, and where its point is: equal for equal numbers.
struct DecimalDigits: Equatable {
    private let isNegative: Bool
    let digits: String
    /// The number is 0.digits × 10^point; 0 for zero.
    let point: Int

    /// The exponent, limited to a magnitude that no double reaches.
    private static func exponent(_ text: Substring) -> Int {
        let limit = 1 << 40
        return Int(text).map { min(max($0, -limit), limit) } ?? (text.hasPrefix("-") ? -limit : limit)
    }

    /// - Parameter number: a text by the grammar of JSON.
    init(of number: String) {
        let parts = number.split { $0 == "e" || $0 == "E" }
        let mantissa = parts[0].drop { $0 == "-" }.split(separator: ".")
        let written = mantissa.joined()
        let significant = written.drop { $0 == "0" }
        digits = String(significant.reversed().drop { $0 == "0" }.reversed())
        isNegative = number.hasPrefix("-") && !digits.isEmpty
        let exponent = parts.count > 1 ? Self.exponent(parts[1]) : 0
        point = digits.isEmpty ? 0 : mantissa[0].count - (written.count - significant.count) + exponent
    }
}
