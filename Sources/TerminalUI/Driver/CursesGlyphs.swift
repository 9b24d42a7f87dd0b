internal import CNCurses

/// A cluster as curses takes it: cells of one spacing character and its marks.
struct CursesGlyph {
    /// The code points, with a zero at the end.
    var characters: [wchar_t]
    /// The columns of the cell, 1 or 2.
    var columns: Int32
}

/// Finds the cells for a cluster, and remembers them: frames repeat themselves.
struct CursesGlyphs {
    let repertoire: GlyphRepertoire
    private var known: [Character: [CursesGlyph]] = [:]
    private static let capacity = 4096

    init(repertoire: GlyphRepertoire) {
        self.repertoire = repertoire
    }

    mutating func glyphs(for cluster: Character) -> [CursesGlyph] {
        if let glyphs = known[cluster] { return glyphs }
        let text = repertoire.degraded(cluster) { Int(lvy_wcwidth(wchar_t($0.value))) }
        let glyphs = Self.glyphs(of: text)
        if known.count >= Self.capacity { known = [:] }
        known[cluster] = glyphs
        return glyphs
    }

    private static func glyphs(of text: String) -> [CursesGlyph] {
        var glyphs: [CursesGlyph] = []
        for scalar in text.unicodeScalars {
            let character = wchar_t(scalar.value)
            let columns = scalar.columnWidth
            if columns > 0 {
                glyphs.append(CursesGlyph(characters: [character, 0], columns: Int32(columns)))
            } else if let last = glyphs.indices.last {
                glyphs[last].characters.insert(character, at: glyphs[last].characters.count - 1)
            }
        }
        return glyphs
    }
}
