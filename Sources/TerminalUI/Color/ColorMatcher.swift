// SPDX-License-Identifier: Apache-2.0

public import Basics
internal import Synchronization

/// A requested colour and its display on a terminal.
public struct ShownColor: Hashable, Sendable {
    /// The colour that was wanted.
    public let asked: RGBColor
    /// The colour to paint the cell with.
    public let color: TerminalColor
    /// The displayed colour, as far as the terminal is known.
    public let rgb: RGBColor
    /// ΔE00 (CIEDE2000) between `asked` and `rgb`: 0 for an exact match, about 1 for just noticeable, 100 for black as white.
    public let difference: Double
}

/// The paint of a cell.
public enum TerminalColor: Hashable, Sendable {
    /// The terminal's own default foreground or background.
    case standard
    /// An entry of the terminal's palette, 0–255.
    case indexed(Int)
    /// A colour by its channels, on terminals with 2^24 colours.
    case direct(RGBColor)
}

/// Finds the best match for a colour on a terminal.
///
/// On a palette, the nearest entry by CIEDE2000 is used, and of several equally near ones the lowest index; with
/// ``ColorDepth/direct`` every colour is exact. Recent answers are kept, so asking again for each frame is cheap.
///
/// On a palette of at most 16 entries, as terminals with 8 or 16 colours have, a grey stays grey: an entry with a hue that the
/// requested colour lacks, or hardly has, is used only if nothing else is near, even if CIEDE2000 prefers it. So `#757575` on 8
/// colours is white, xterm's light grey, and not red.
///
/// It may be used from any thread.
///
/// ```swift
/// let matcher = ColorMatcher(depth: .indexed256)
/// let background = matcher.match(RGBColor(red: 255, green: 182, blue: 193))
/// background.color        // .indexed(217)
/// background.difference   // about 4.6: visibly not quite the same
/// let text = matcher.text(on: background)
/// ```
public final class ColorMatcher: Sendable {
    /// The number of colours of the terminal.
    public let depth: ColorDepth

    /// `nil` where every colour is exact.
    private let search: PaletteSearch?
    // By the number of the colour: each further type of key costs the runtime a search through the program as it starts.
    private let recent = Mutex<[Int: ShownColor]>([:])
    // Keyed by the displayed background: a palette has few, however many colours are requested.
    private let recentDimmed = Mutex<[Int: ShownColor]>([:])
    let recentPanels = Mutex<[Int: PanelColors]>([:])

    /// Creates a matcher.
    ///
    /// - Parameters:
    ///   - depth: the colours that the terminal can show.
    ///   - palette: the terminal's real palette, if known, in place of the standard one of `depth`. An empty one is ignored,
    ///     and so is any with ``ColorDepth/direct``.
    public init(depth: ColorDepth, palette: Palette? = nil) {
        self.depth = depth
        let known = palette?.withoutTwins
        search = depth.standardPalette.flatMap { known.flatMap(PaletteSearch.init) ?? PaletteSearch($0) }
    }

    /// The display of a colour.
    ///
    /// A new colour takes some 5 µs over 240 palette entries, a recent one 0.1 µs.
    public func match(_ color: RGBColor) -> ShownColor {
        guard let search else { return ShownColor(asked: color, color: .direct(color), rgb: color, difference: 0) }
        let number = Int(color.rgb24)
        if let known = recent.withLock({ $0[number] }) { return known }

        let shown = search.nearest(to: color)
        recent.withLock { $0.remember(shown, for: number) }
        return shown
    }
}

extension ColorMatcher {
    /// The text colour for a background: black or white, whichever has the higher contrast by WCAG 2.2 with the displayed
    /// colour. Black wins a tie.
    ///
    /// If the palette has true black and white, the contrast is at least 4.58:1 on any background.
    public func text(on background: ShownColor) -> ShownColor {
        let black = match(RGBColor(0x000000))
        let white = match(RGBColor(0xFFFFFF))
        let favorsWhite = white.rgb.contrast(with: background.rgb) > black.rgb.contrast(with: background.rgb)
        return favorsWhite ? white : black
    }

    /// The colour for less important text on a background: dimmed as far as it stays readable, at 4.5:1 by WCAG 2.2.
    ///
    /// Of the mixtures of ``text(on:)`` with the background that the terminal can show (ΔE00 at most 12) it is the one
    /// with the least contrast that is still enough. If even the undimmed text has less, that is the answer.
    public func dimmedText(on background: ShownColor) -> ShownColor {
        let number = Int(background.rgb.rgb24)
        if let known = recentDimmed.withLock({ $0[number] }) { return known }
        let dimmed = searchDimmedText(on: background)
        recentDimmed.withLock { $0.remember(dimmed, for: number) }
        return dimmed
    }

    private func searchDimmedText(on background: ShownColor) -> ShownColor {
        let text = text(on: background)
        var dimmed = text
        let textContrast = text.rgb.contrast(with: background.rgb)
        var leastContrast = textContrast >= Self.minimumContrast ? textContrast : .infinity
        // Every channel value where each can be shown, fewer where most would come out as the same entry.
        let steps = search == nil ? 255 : 32
        // The entries that can still be the answer: few mixtures are near one, and the others need no search.
        var entries = search?.texts(on: background.rgb, minimumContrast: Self.minimumContrast)
        for step in (1...steps).reversed() {
            let mixture = text.rgb.blended(with: background.rgb, share: Double(step) / Double(steps))
            if let entries {
                let lab = LabColor(mixture)
                guard entries.contains(where: { $0.mayBe(within: Self.maximumDifference, of: lab) }) else { continue }
            }
            let candidate = match(mixture)
            let contrast = candidate.rgb.contrast(with: background.rgb)
            // A small palette may have nothing like the mixture: red is not a dimmed black.
            guard candidate.difference <= Self.maximumDifference, contrast >= Self.minimumContrast else { continue }
            if contrast < leastContrast {
                (dimmed, leastContrast) = (candidate, contrast)
                entries?.removeAll { $0.contrast >= contrast }
            }
        }
        return dimmed
    }
}

extension ColorMatcher {
    /// The maximum difference of a text's colour from the requested one, as ΔE00.
    static let maximumDifference = 12.0
    /// The contrast ratio from which WCAG 2.2 holds text to be readable.
    static let minimumContrast = 4.5
}

extension Dictionary {
    /// Adds an answer to a cache that is emptied when it is full; frequent keys return with their next look-up.
    mutating func remember(_ value: Value, for key: Key, capacity: Int = 1024) {
        if count >= capacity { removeAll(keepingCapacity: true) }
        self[key] = value
    }
}
