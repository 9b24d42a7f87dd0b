// SPDX-License-Identifier: Apache-2.0

// Steps are taken in decimal, as people read them: in binary, 0.1 and two steps of 0.1 are 0.30000000000000004.

extension Double {
    /// The maximum number of digits after the point within the precision of numbers near 1.
    private static let maximumDigits = 15

    /// The number after a number of steps of a size.
    func moved(by steps: Int, of size: Double) -> Double {
        let sum = self + Double(steps) * size
        if size.fractionDigits > Self.maximumDigits { return sum }
        return sum.rounded(to: max(fractionDigits, size.fractionDigits))
    }

    /// A hundredth of the distance between the ends of a range.
    static func hundredth(of range: ClosedRange<Double>) -> Double {
        let extent = range.upperBound.moved(by: -1, of: range.lowerBound)
        return (extent / 100).rounded(to: extent.fractionDigits + 2)
    }

    /// The digits after the point of the shortest decimal that reads back as the number.
    private var fractionDigits: Int {
        let parts = description.split(separator: "e")
        let fraction = parts[0].split(separator: ".").dropFirst().first.map { $0 == "0" ? 0 : $0.count } ?? 0
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        return max(fraction - exponent, 0)
    }

    private func rounded(to digits: Int) -> Double {
        let scale = (0..<min(digits, Self.maximumDigits)).reduce(1.0) { scale, _ in scale * 10 }
        let scaled = (self * scale).rounded()
        // Beyond 2^53 a Double has no fraction to round.
        return abs(scaled) < 0x1p53 ? scaled / scale : self
    }
}
