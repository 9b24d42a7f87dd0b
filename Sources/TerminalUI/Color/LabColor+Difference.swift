extension LabColor {
    /// The colour difference ΔE00 (CIEDE2000, all weights 1).
    ///
    /// 0 is the same colour, 1 about what an eye can just tell apart side by side, 100 black against white.
    /// The same in both directions.
    ///
    /// Formula: G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 Color-Difference Formula: Implementation Notes,
    /// Supplementary Test Data, and Mathematical Observations", Color Research and Application 30 (1), 2005.
    ///
    /// - Parameter other: The colour to compare with.
    /// - Returns: ΔE00, 0 or more.
    public func difference(to other: LabColor) -> Double {
        let lightness = lightnessDifference(to: other)
        let plane = ChromaticDifference(self, other)
        return (lightness * lightness + plane.squared).squareRoot()
    }

    /// The share of ΔE00 that lightness alone accounts for, ΔL′/S_L with its sign.
    ///
    /// Its magnitude never exceeds ΔE00, not even by rounding: what is added to its square under the root is a
    /// quadratic form with |R_T| < 2, thus never negative, and the root of a rounded square is the number itself.
    func lightnessDifference(to other: LabColor) -> Double {
        let fromMiddle = (lightness + other.lightness) / 2 - 50
        let square = fromMiddle * fromMiddle
        let weight = 1 + 0.015 * square / (20 + square).squareRoot()
        return (other.lightness - lightness) / weight
    }
}
