internal import ConfigModel

extension ColorMatcher {
    /// The text colour to read on a background: black or white, whichever has the higher contrast.
    ///
    /// Contrast is that of WCAG 2.2 between what is really shown, not what was asked for. Black wins a draw.
    /// Where the palette has true black and white the contrast is at least 4.58:1 on any background.
    ///
    /// - Parameter background: The background as shown.
    public func text(on background: ShownColor) -> ShownColor {
        let black = match(RGBColor(rgb24: 0x000000))
        let white = match(RGBColor(rgb24: 0xFFFFFF))
        let favorsWhite = white.rgb.contrast(with: background.rgb) > black.rgb.contrast(with: background.rgb)
        return favorsWhite ? white : black
    }

    /// The text colour to put what matters less on a background: dimmed as far as it stays readable.
    ///
    /// Of the mixtures of ``text(on:)`` with the background that the terminal can show (ΔE00 at most 12) it is the one
    /// with the least contrast that is still enough. If even the undimmed text has less, that is the answer.
    ///
    /// - Parameters:
    ///   - background: The background as shown.
    ///   - minimumContrast: The least contrast ratio of WCAG 2.2 allowed, 1–21.
    public func dimmedText(on background: ShownColor, minimumContrast: Double = 4.5) -> ShownColor {
        let text = text(on: background)
        var dimmed = text
        var leastContrast = Double.infinity
        for step in 0...dimmingSteps {
            let share = Double(step) / Double(dimmingSteps)
            let candidate = match(text.rgb.blended(with: background.rgb, share: share))
            let contrast = candidate.rgb.contrast(with: background.rgb)
            // A small palette may have nothing like the mixture: red is no dimmed black.
            guard candidate.difference <= Self.mostDifference || candidate == text else { continue }
            if contrast >= minimumContrast, contrast < leastContrast {
                (dimmed, leastContrast) = (candidate, contrast)
            }
        }
        return dimmed
    }

    /// ΔE00 up to which a mixture still counts as shown.
    private static var mostDifference: Double { 12 }

    /// How finely the mixtures are tried: every channel value where each can be shown, fewer where most of them
    /// would come out as the same entry.
    private var dimmingSteps: Int {
        search == nil ? 255 : 32
    }
}
