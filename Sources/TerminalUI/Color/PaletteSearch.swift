internal import ConfigModel

/// Finds the palette entry that looks most like a colour.
///
/// The answer is that of comparing all entries by ΔE00 and taking the lowest index among equals.
/// Most comparisons are spared: a good first guess is found by the distance in L\*a\*b\*, which is cheap, and an entry whose
/// difference in lightness alone exceeds the best ΔE00 so far cannot win.
struct PaletteSearch {
    private let first: Candidate
    private let others: [Candidate]

    /// Prepares the search; `nil` if the palette is empty.
    init?(_ palette: Palette) {
        let candidates = palette.entries.map(Candidate.init)
        guard let first = candidates.first else { return nil }
        self.first = first
        others = Array(candidates.dropFirst())
    }

    /// The entry nearest to a colour by CIEDE2000.
    func nearest(to color: RGBColor) -> ShownColor {
        let lab = LabColor(color)
        var best = Match(firstGuess(for: lab), for: lab)
        best.improve(with: first, for: lab)
        for candidate in others {
            best.improve(with: candidate, for: lab)
        }
        return best.shown(for: color)
    }

    private func firstGuess(for lab: LabColor) -> Candidate {
        var guess = first
        var distance = first.squaredDistance(to: lab)
        for candidate in others {
            let other = candidate.squaredDistance(to: lab)
            if other < distance { (guess, distance) = (candidate, other) }
        }
        return guess
    }
}

extension PaletteSearch {
    /// An entry with its L\*a\*b\*, converted once.
    private struct Candidate {
        let entry: Palette.Entry
        let lab: LabColor

        init(_ entry: Palette.Entry) {
            self.entry = entry
            lab = LabColor(entry.color)
        }

        func squaredDistance(to other: LabColor) -> Double {
            let lightness = lab.lightness - other.lightness
            let (a, b) = (lab.a - other.a, lab.b - other.b)
            return lightness * lightness + a * a + b * b
        }
    }

    /// The best entry so far.
    private struct Match {
        private var entry: Palette.Entry
        private var difference: Double

        init(_ candidate: Candidate, for lab: LabColor) {
            entry = candidate.entry
            difference = lab.difference(to: candidate.lab)
        }

        mutating func improve(with candidate: Candidate, for lab: LabColor) {
            // Not `<`: an entry exactly as near may have the lower index.
            guard abs(lab.lightnessDifference(to: candidate.lab)) <= difference else { return }
            let other = Match(candidate, for: lab)
            if other.precedes(self) { self = other }
        }

        private func precedes(_ other: Match) -> Bool {
            (difference, entry.index) < (other.difference, other.entry.index)
        }

        func shown(for color: RGBColor) -> ShownColor {
            ShownColor(asked: color, color: .indexed(entry.index), rgb: entry.color, difference: difference)
        }
    }
}
