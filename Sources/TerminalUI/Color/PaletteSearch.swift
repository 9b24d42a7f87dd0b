// SPDX-License-Identifier: Apache-2.0

internal import Basics

/// Finds the palette entry closest to a colour: by ΔE00, and the lowest index among equals.
///
/// In a small palette, the hue that an entry has and the colour has not counts as well
/// (see ``LabColor/excessChroma(for:)``).
///
/// Most comparisons are spared. The entries are looked at by their difference in lightness, which alone is a part of
/// ΔE00 that grows with it, until that part exceeds the best ΔE00 so far; and few of those are compared in full.
struct PaletteSearch {
    /// By lightness.
    private let candidates: [Candidate]
    /// Whether the palette has so few entries that the nearest to a grey may be one of another hue.
    private let isSmall: Bool

    /// The maximum size of a small palette: the ANSI colours. Those of 256 have a grey next to every grey.
    static let maximumSmallPaletteSize = 16

    /// - Returns: `nil` if the palette is empty.
    init?(_ palette: Palette) {
        guard !palette.entries.isEmpty else { return nil }
        isSmall = palette.entries.count <= Self.maximumSmallPaletteSize
        candidates = palette.entries.map { Candidate(entry: $0, lab: LabColor($0.color)) }
            .sorted { $0.lab.lightness < $1.lab.lightness }
    }

    func nearest(to color: RGBColor) -> ShownColor {
        let lab = LabColor(color)
        var (darker, lighter) = (candidates.count - 1, candidates.count)
        while darker >= 0, candidates[darker].lab.lightness >= lab.lightness {
            (darker, lighter) = (darker - 1, darker)
        }
        var best = Match(candidates[max(darker, 0)], for: lab, weighsHue: isSmall)
        while darker >= 0 || lighter < candidates.count {
            let isDarker = lighter == candidates.count || darker >= 0 && isNearer(darker, than: lighter, to: lab)
            let candidate = candidates[isDarker ? darker : lighter]
            if best.isNearer(thanAnyAsLightAs: candidate, to: lab) {
                if isDarker { darker = -1 } else { lighter = candidates.count }
                continue
            }
            best.improve(with: candidate, for: lab)
            if isDarker { darker -= 1 } else { lighter += 1 }
        }
        let entry = best.entry
        return ShownColor(asked: color, color: .indexed(entry.index), rgb: entry.color, difference: best.difference)
    }

    private func isNearer(_ darker: Int, than lighter: Int, to lab: LabColor) -> Bool {
        lab.lightness - candidates[darker].lab.lightness < candidates[lighter].lab.lightness - lab.lightness
    }
}

extension PaletteSearch {
    /// An entry as the colour of text.
    struct Text {
        /// The contrast ratio of WCAG 2.2 with the background.
        let contrast: Double
        fileprivate let lab: LabColor

        /// Whether ΔE00 to a colour may be this or less: by a lower bound.
        func mayBe(within difference: Double, of color: LabColor) -> Bool {
            let lightness = color.lightnessDifference(to: lab)
            let rest = difference * difference - lightness * lightness + 1e-9
            return rest >= 0 && ChromaticDifference.leastSquared(between: color, lab) <= rest
        }
    }

    /// The entries with at least this contrast with a background.
    func texts(on background: RGBColor, minimumContrast: Double) -> [Text] {
        candidates.compactMap { candidate in
            let contrast = candidate.entry.color.contrast(with: background)
            return contrast >= minimumContrast ? Text(contrast: contrast, lab: candidate.lab) : nil
        }
    }
}

extension PaletteSearch {
    private struct Candidate {
        let entry: Palette.Entry
        let lab: LabColor
    }

    private struct Match {
        private(set) var entry: Palette.Entry
        private(set) var difference: Double
        private let weighsHue: Bool
        /// The cost that is minimized: the difference, and in a small palette a penalty for another hue.
        private var cost: Double
        /// A squared bound above this exceeds the least cost with any rounding.
        private var limit: Double

        init(_ candidate: Candidate, for lab: LabColor, weighsHue: Bool) {
            entry = candidate.entry
            difference = lab.difference(to: candidate.lab)
            self.weighsHue = weighsHue
            cost = difference + (weighsHue ? candidate.lab.excessChroma(for: lab) : 0)
            limit = cost * cost + 1e-9
        }

        func isNearer(thanAnyAsLightAs candidate: Candidate, to lab: LabColor) -> Bool {
            let lightness = lab.lightnessDifference(to: candidate.lab)
            return lightness * lightness > limit
        }

        mutating func improve(with candidate: Candidate, for lab: LabColor) {
            let lightness = lab.lightnessDifference(to: candidate.lab)
            let least = lightness * lightness + ChromaticDifference.leastSquared(between: lab, candidate.lab)
            // Not `>=`: an equally near entry may have the lower index.
            if least > limit { return }
            let other = Match(candidate, for: lab, weighsHue: weighsHue)
            if (other.cost, other.entry.index) < (cost, entry.index) { self = other }
        }
    }
}

extension LabColor {
    /// The penalty beyond ΔE00 for a hue that the other colour does not have.
    ///
    /// ΔE00 gives chroma little weight where there is much of it: by that alone, red is nearer to a middle grey than black and
    /// white are. But a grey that turns into a hue is worse than one that is too dark. So chroma C\* counts in full beyond 12,
    /// which passes for grey, and beyond four times the other colour's chroma of this hue, or twice its total chroma. For a
    /// dark colour, visible chroma is at most twice its lightness.
    func excessChroma(for other: LabColor) -> Double {
        let chroma = (a * a + b * b).squareRoot()
        let visible = min(chroma, 2 * lightness)
        guard visible > 12 else { return 0 }
        let sameHue = (a * other.a + b * other.b) / chroma
        let anyHue = (other.a * other.a + other.b * other.b).squareRoot()
        return max(visible - 12 - 4 * max(sameHue, anyHue / 2), 0)
    }
}
