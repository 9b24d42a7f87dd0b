// SPDX-License-Identifier: Apache-2.0

/// The widths of text in columns, which differ among terminals.
package struct GlyphWidths: Sendable {
    /// The columns of one Unicode scalar: 0 if it joins what stands before it, else 1 or 2.
    package var width: @Sendable (Unicode.Scalar) -> Int
    /// Whether a whole grapheme cluster shares one place, as in kitty, Ghostty or WezTerm. Otherwise each scalar that
    /// has a width takes its own columns, as in xterm and in whatever counts with `wcwidth(3)`.
    package var joinsClusters: Bool

    package init(joinsClusters: Bool = false, width: @escaping @Sendable (Unicode.Scalar) -> Int) {
        (self.width, self.joinsClusters) = (width, joinsClusters)
    }

    /// The columns of a terminal that counts scalar by scalar.
    package static let scalars = GlyphWidths(width: standardWidth)

    /// The width of a scalar by Unicode's East Asian Width and emoji presentation.
    package static func standardWidth(_ scalar: Unicode.Scalar) -> Int {
        if scalar.value < 0x300 { return 1 }
        if isJoining(scalar) { return 0 }
        // A regional indicator is half of a flag, and narrow by itself.
        if regionalIndicators.contains(scalar.value) { return 1 }
        return isWide(scalar) ? 2 : 1
    }

    /// The width of a cluster: that of its widest scalar, and two columns for a flag or for a cluster with emoji
    /// presentation.
    func clusterWidth(_ cluster: String) -> Int {
        let scalars = cluster.unicodeScalars
        let indicators = scalars.count { Self.regionalIndicators.contains($0.value) }
        if indicators == 2 || scalars.contains("\u{FE0F}") { return 2 }
        return scalars.map(width).max() ?? 0
    }

    private static let regionalIndicators: ClosedRange<UInt32> = 0x1F1E6...0x1F1FF

    private static func isJoining(_ scalar: Unicode.Scalar) -> Bool {
        // The vowels and final consonants of decomposed Hangul.
        if (0x1160...0x11FF).contains(scalar.value) { return true }
        return switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: true
        default: false
        }
    }

    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isEmojiPresentation || wideRanges.contains { $0.contains(scalar.value) }
    }

    /// The ranges of East Asian Width W and F, where assigned or reserved for ideographs.
    private static let wideRanges: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x18D08, 0x1AFF0...0x1B2FB, 0x1F200...0x1F202, 0x1F210...0x1F23B,
        0x1F240...0x1F248, 0x1F250...0x1F251, 0x20000...0x2FFFD, 0x30000...0x3FFFD,
    ]
}
