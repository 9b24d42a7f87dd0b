// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import CNCurses

/// A cluster for curses: cells of one spacing character and its marks.
struct CursesGlyph {
    /// The code points, with a zero at the end.
    var characters: [wchar_t]
    /// The columns of the cell, 1 or 2.
    var columns: Int32
}

/// The look of a cell except for its glyph.
struct CursesLook {
    let pair: Int32
    /// Without colours.
    let attributes: attr_t
    /// A blank with this look; `nil` if curses cannot store it.
    private let blank: cchar_t?

    init(attributes: attr_t, pair: Int32) {
        (self.attributes, self.pair) = (attributes, pair)
        var cell = cchar_t()
        blank = lvy_make_cell(&cell, [0x20, 0], attributes, pair) != 0 ? cell : nil
    }

    /// The cell of a printable character of ASCII; `nil` for any other cluster.
    func cell(of cluster: Character) -> cchar_t? {
        let bytes = cluster.utf8
        guard bytes.count == 1, let ascii = bytes.first, 0x20..<0x7F ~= ascii, var cell = blank else { return nil }
        cell.chars.0 = wchar_t(ascii)
        return cell
    }
}

/// Finds the cells for a cluster, and caches them, since frames repeat.
struct CursesGlyphs {
    let repertoire: GlyphRepertoire
    /// The emoji of several characters that the terminal shows as one. Curses stores few of them, and writes none.
    var held: ClusterKinds = []
    /// Whether one was drawn as its simplest relative, although the terminal may support it.
    var hasDecomposed = false
    private(set) var known: [String: [CursesGlyph]] = [:]
    private static let capacity = 4096

    /// Appends the cells of a cluster to those of a line.
    mutating func append(_ cluster: Character, in look: CursesLook, to line: inout [cchar_t]) {
        for glyph in glyphs(for: cluster) {
            Self.append(glyph.characters, columns: Int(glyph.columns), in: look, to: &line)
        }
    }

    /// Whether the terminal must show a cluster whole, which curses then must not draw.
    mutating func isHeld(_ cluster: Character) -> Bool {
        let kinds = cluster.clusterKinds
        if kinds.isEmpty || !repertoire.isUTF8 { return false }
        let isHeld = held.isSuperset(of: kinds)
        if !isHeld { hasDecomposed = true }
        return isHeld
    }

    /// Appends a blank of two columns in place of such a cluster.
    static func appendStandIn(in look: CursesLook, to line: inout [cchar_t]) {
        append([0x3000, 0], columns: 2, in: look, to: &line)
    }

    /// The cluster as it is written without curses.
    mutating func text(of cluster: Character) -> String {
        isHeld(cluster) ? String(cluster) : repertoire.degraded(cluster)
    }

    private static func append(
        _ characters: [wchar_t],
        columns: Int,
        in look: CursesLook,
        to line: inout [cchar_t]
    ) {
        var cell = cchar_t()
        if lvy_make_cell(&cell, characters, look.attributes, look.pair) != 0 {
            line.append(cell)
        } else if lvy_make_cell(&cell, [0x20, 0], look.attributes, look.pair) != 0 {
            line += Array(repeating: cell, count: columns)
        }
    }

    private mutating func glyphs(for cluster: Character) -> [CursesGlyph] {
        let name = String(cluster)
        if let glyphs = known[name] { return glyphs }
        let text = repertoire.degraded(cluster) { Int(lvy_wcwidth(wchar_t($0.value))) }
        let glyphs = Self.glyphs(of: text)
        if known.count >= Self.capacity { known = [:] }
        known[name] = glyphs
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

/// The numbers of colour pairs in curses.
@MainActor
struct ColorPairs {
    /// By the numbers of both colours.
    private var numbers: [Int: Int32] = [:]

    /// Whether the next frame might find no number free. A pair must not be given other colours while cells of it are
    /// on the screen, so the caller starts afresh.
    var isFull: Bool {
        numbers.count + maximumPairsPerFrame >= lvy_color_pairs() && numbers.count > maximumPairsPerFrame
    }
    /// A colour picker has a pair for each cell, on terminals with enough colours.
    private var maximumPairsPerFrame: Int { min(max(Int(lvy_color_pairs()) / 8, 24), 1024) }

    mutating func number(for style: Style) -> Int32 {
        if style.foreground == .standard, style.background == .standard { return 0 }
        let (foreground, background) = (Self.number(of: style.foreground), Self.number(of: style.background))
        let colors = Int(foreground) << 32 | Int(UInt32(bitPattern: background))
        if let number = numbers[colors] { return number }
        let number = Int32(numbers.count + 1)
        guard number < lvy_color_pairs() else { return 0 }
        numbers[colors] = number
        init_extended_pair(number, foreground, background)
        return number
    }

    static func number(of color: TerminalColor) -> Int32 {
        switch color {
        case .standard: -1
        case .indexed(let index): Int32(index)
        case .direct(let rgb): Int32(rgb.rgb24)
        }
    }
}
