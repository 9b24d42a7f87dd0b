// SPDX-License-Identifier: Apache-2.0

internal import Basics

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
