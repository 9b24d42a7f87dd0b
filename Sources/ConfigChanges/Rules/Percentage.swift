// SPDX-License-Identifier: Apache-2.0

package import ConfigModel

/// A share of the users: `25%`, `0.5 %`.
package struct Percentage: Hashable, Sendable {
    /// The weight of the variant.
    package let weight: Int
    /// All users; 100, or 100 times a power of ten, in a percentage that was read.
    package let total: Int

    /// The most decimals in input.
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

    /// `25 %`, with at most four decimals unless the share would read as none or all of the users.
    package var description: String { text(places: shownPlaces) }

    private var shownPlaces: Int {
        let places = Self.places.first { place in
            let (digits, whole) = (rounded(toPlaces: place), 100 * Self.power(place))
            return (weight == 0 || digits > 0) && (weight >= total || digits < whole)
        }
        return places ?? Self.maximumPlaces
    }

    /// The descriptions of two shares, which differ if the shares do: with more decimals, or as weights such as `1 of 30,001`.
    package static func descriptions(_ first: Percentage, _ second: Percentage) -> (String, String) {
        let texts = (first.description, second.description)
        guard texts.0 == texts.1, !first.isEqual(to: second) else { return texts }
        for place in places {
            let texts = (first.text(places: place), second.text(places: place))
            if texts.0 != texts.1 { return texts }
        }
        return (
            "\(first.weight.grouped) of \(first.total.grouped)", "\(second.weight.grouped) of \(second.total.grouped)"
        )
    }

    /// Whether the description has all digits of the share.
    var isDescribedExactly: Bool {
        let places = shownPlaces
        return isEqual(to: Percentage(weight: rounded(toPlaces: places), total: 100 * Self.power(places)))
    }

    private func isEqual(to other: Percentage) -> Bool {
        weight.multipliedFullWidth(by: other.total) == other.weight.multipliedFullWidth(by: total)
    }

    /// The numbers of decimals, the smallest first.
    private static let places = maximumPlaces...14

    private static func power(_ exponent: Int) -> Int { (0..<exponent).reduce(1) { power, _ in power * 10 } }

    /// The percentage times a power of ten, rounded to the nearest integer.
    private func rounded(toPlaces places: Int) -> Int {
        let product = weight.multipliedFullWidth(by: 100 * Self.power(places))
        let divisor = max(total, 1)
        let (quotient, remainder) = divisor.dividingFullWidth(product)
        return quotient + (remainder >= divisor - remainder ? 1 : 0)
    }

    private func text(places: Int) -> String {
        let (whole, decimals) = rounded(toPlaces: places).quotientAndRemainder(dividingBy: Self.power(places))
        if decimals == 0 { return "\(whole) %" }
        var digits = String(decimals)
        digits = String(repeating: "0", count: places - digits.count) + digits
        while digits.last == "0" { digits.removeLast() }
        return "\(whole).\(digits) %"
    }
}
