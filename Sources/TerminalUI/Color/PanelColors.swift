// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import Synchronization

/// The colours of a panel that lies on a background.
package struct PanelColors: Hashable, Sendable {
    /// The panel itself.
    package let ground: ShownColor
    /// Text: black or white where the ground is of the background's tone.
    package let text: ShownColor
    /// Less important text.
    package let dimmed: ShownColor
    /// Highlighted text, in the background's hue if it has one.
    package let accent: ShownColor
    /// The text of an error: red where the terminal has one that can be read.
    package let error: ShownColor
    /// Whether the ground is the background itself, lighter or darker; else it is the colour of text on the background.
    package let isToned: Bool
}

extension ColorMatcher {
    /// The colours of a panel on a background, all as readable as text on any other: 4.5:1 where the palette has it.
    ///
    /// The ground is the background with its lightness moved by 8–12 % in Oklab, so that it still looks like a part of
    /// the screen; near black, where that can hardly be seen, by up to 18 %. Where the terminal has no such colour,
    /// text and background are exchanged.
    package func panel(on background: ShownColor) -> PanelColors {
        let number = Int(background.rgb.rgb24)
        if let known = recentPanels.withLock({ $0[number] }) { return known }
        let panel = tonedPanel(on: background) ?? exchangedPanel(on: background)
        recentPanels.withLock { $0.remember(panel, for: number, capacity: 64) }
        return panel
    }

    private func tonedPanel(on background: ShownColor) -> PanelColors? {
        guard depth.hasShades else { return nil }
        let own = OklabColor(background.rgb)
        let text = text(on: background)
        // Light panels become darker and dark ones lighter, unless that leaves too little between text and ground.
        let isLight = text.rgb.relativeLuminance < 0.5
        for direction in isLight ? [-1.0, 1] : [1, -1] {
            for share in [0.10, 0.09, 0.11, 0.08, 0.12, 0.15, 0.18] {
                let ground = match(own.movingLightness(by: direction * share).rgb)
                let isRoomy = text.rgb.contrast(with: ground.rgb) >= 7 || (direction > 0) == isLight
                guard isRoomy, isTone(ground, of: background, own) else { continue }
                let (dimmed, accent) = (dimmedText(on: ground), accent(on: ground, hue: own) ?? text)
                return PanelColors(
                    ground: ground,
                    text: text,
                    dimmed: dimmed,
                    accent: accent,
                    error: errorText(on: ground) ?? text,
                    isToned: true
                )
            }
        }
        return nil
    }

    /// Whether the displayed colour is the background but for its lightness. A palette has other hues, or nothing between.
    private func isTone(_ ground: ShownColor, of background: ShownColor, _ own: OklabColor) -> Bool {
        guard ground.rgb.difference(to: background.rgb) >= Self.minimumPanelDifference else { return false }
        if depth == .direct { return true }
        let shown = OklabColor(ground.rgb)
        let (a, b) = (shown.a - own.a, shown.b - own.b)
        let isSameHue = (a * a + b * b).squareRoot() <= 0.03 + 0.3 * own.chroma
        return isSameHue && (0.05...0.2).contains(abs(shown.lightness - own.lightness))
    }

    /// The minimum difference of a panel from its background, as ΔE00.
    private static let minimumPanelDifference = 3.0

    /// The most vivid text of a hue that can be read on a ground; `nil` for greys, and where the palette has none.
    private func accent(on ground: ShownColor, hue: OklabColor) -> ShownColor? {
        guard hue.chroma >= Self.minimumAccentChroma else { return nil }
        let vivid = Self.accentChroma / hue.chroma
        let end = text(on: ground).rgb.relativeLuminance < 0.5 ? 0.0 : 1
        let start = OklabColor(ground.rgb).lightness
        return (1...Self.accentSteps).lazy
            .map { step in
                let lightness = start + (end - start) * Double(step) / Double(Self.accentSteps)
                return self.match(OklabColor(lightness: lightness, a: hue.a * vivid, b: hue.b * vivid).rgb)
            }
            .first { shown in
                shown.rgb.contrast(with: ground.rgb) >= Self.minimumContrast
                    && shown.difference <= Self.maximumDifference
                    && OklabColor(shown.rgb).chroma >= Self.minimumAccentChroma
            }
    }

    private static let minimumAccentChroma = 0.02
    /// The chroma that sRGB has for most hues at a lightness where text is readable.
    private static let accentChroma = 0.16
    private static let accentSteps = 32

    /// Text and background exchanged, and orange, the lightest that can be read.
    private func exchangedPanel(on background: ShownColor) -> PanelColors {
        let ground = text(on: background)
        let oranges = [0xFFA500, 0xC05000, 0xA04000].map { match(RGBColor($0)) }
        let accent = oranges.first { $0.rgb.contrast(with: ground.rgb) >= Self.minimumContrast } ?? text(on: ground)
        return PanelColors(
            ground: ground,
            text: background,
            dimmed: dimmedText(on: ground),
            accent: accent,
            error: errorText(on: ground) ?? background,
            isToned: false
        )
    }
}

/// The colours of errors: red where the terminal has a red that can be read.
extension ColorMatcher {
    /// The line of an error on the main screen: its red ground, and the text on it. `nil` where the terminal has no such red, or
    /// none that differs from the background.
    func errorLine(on background: ShownColor) -> (ground: ShownColor, text: ShownColor)? {
        let reds = ([0xC00000, 0xFF8080, 0x700000] as [UInt32]).map { match(RGBColor($0)) }
        let ground = reds.first { red in
            isRed(red) && text(on: red).rgb.contrast(with: red.rgb) >= Self.minimumContrast
                && red.rgb.difference(to: background.rgb) >= Self.minimumErrorDifference
        }
        return ground.map { ($0, text(on: $0)) }
    }

    /// The text of an error on the ground of a panel; `nil` where the terminal has no red that can be read there.
    func errorText(on ground: ShownColor) -> ShownColor? {
        let reds: [UInt32] = [0xD00000, 0xB00000, 0x900000, 0x700000, 0xFF3030, 0xFF7070, 0xFFA0A0, 0xFFC0C0]
        return reds.lazy.map { self.match(RGBColor($0)) }
            .first { isRed($0) && $0.rgb.contrast(with: ground.rgb) >= Self.minimumContrast }
    }

    /// Whether the displayed colour is near the red that was requested: a palette may have nothing like it.
    private func isRed(_ red: ShownColor) -> Bool { red.difference <= Self.maximumDifference }

    /// The minimum difference of the line from the background, as ΔE00.
    private static let minimumErrorDifference = 20.0
}
