public import ConfigModel

extension RGBColor {
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
