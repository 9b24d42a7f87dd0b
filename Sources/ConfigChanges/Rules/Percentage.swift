// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

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
