public import ConfigModel
internal import Synchronization

/// Finds how a terminal can best show a colour.
///
/// On a palette the nearest entry by CIEDE2000 is taken, and of several equally near ones the lowest index; with
/// ``ColorDepth/direct`` every colour is exact. Recent answers are kept, so asking again for each frame is cheap.
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
    /// How many colours the terminal can show.
    public let depth: ColorDepth

    /// `nil` where every colour is exact.
    let search: PaletteSearch?
    private let recent = Mutex(RecentCache<RGBColor, ShownColor>(capacity: 1024))

    /// Creates a matcher.
    ///
    /// - Parameters:
    ///   - depth: How many colours the terminal can show.
    ///   - palette: The terminal's real palette, if it was asked for, in place of the standard one of `depth`.
    ///     An empty one is ignored, and so is any with ``ColorDepth/direct``.
    public init(depth: ColorDepth, palette: Palette? = nil) {
        self.depth = depth
        if let standard = depth.standardPalette {
            search = palette.flatMap(PaletteSearch.init) ?? PaletteSearch(standard)
        } else {
            search = nil
        }
    }

    /// How a colour comes out.
    ///
    /// A colour that was not asked for recently costs some 15 µs over 240 palette entries, a recent one 0.1 µs.
    public func match(_ color: RGBColor) -> ShownColor {
        guard let search else { return ShownColor(exactly: color) }
        if let known = recent.withLock({ $0.value(for: color) }) { return known }

        let shown = search.nearest(to: color)
        recent.withLock { $0.insert(shown, for: color) }
        return shown
    }
}
