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
}
