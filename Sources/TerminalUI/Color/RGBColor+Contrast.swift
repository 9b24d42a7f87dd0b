public import ConfigModel

extension RGBColor {
    /// The light of the colour relative to white, 0–1, as WCAG 2.2 defines relative luminance.
    public var relativeLuminance: Double {
        LinearLight(self).y
    }

    /// The contrast ratio of WCAG 2.2, from 1 (the same luminance) to 21 (black and white).
    ///
    /// (L1 + 0.05) / (L2 + 0.05), with L1 the lighter. Text is held to be readable from 4.5 on (criterion 1.4.3).
    /// For every colour the better of black and white reaches 4.58.
    ///
    /// - Parameter other: The colour it is seen against; the order makes no difference.
    public func contrast(with other: RGBColor) -> Double {
        let (mine, theirs) = (relativeLuminance, other.relativeLuminance)
        return (max(mine, theirs) + 0.05) / (min(mine, theirs) + 0.05)
    }

    /// The colour between this one and another, mixed in sRGB as browsers and terminals do, not in linear light.
    ///
    /// - Parameters:
    ///   - other: The colour to mix in.
    ///   - share: How much of `other`, from 0 (none) to 1 (nothing else). Values outside, and NaN, are clamped.
    /// - Returns: The mixture, each channel rounded to the nearest of 0–255.
    public func blended(with other: RGBColor, share: Double) -> RGBColor {
        let weight = share > 0 ? min(share, 1) : 0
        return RGBColor(
            red: Self.mix(red, other.red, weight),
            green: Self.mix(green, other.green, weight),
            blue: Self.mix(blue, other.blue, weight)
        )
    }

    private static func mix(_ start: UInt8, _ end: UInt8, _ weight: Double) -> UInt8 {
        let (start, end) = (Double(start), Double(end))
        return UInt8((start + (end - start) * weight).rounded())
    }
}
