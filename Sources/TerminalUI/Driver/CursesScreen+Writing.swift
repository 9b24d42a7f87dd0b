// SPDX-License-Identifier: Apache-2.0

internal import CNCurses

// Output that bypasses curses.

/// A cluster that curses cannot store, at a position where curses has a blank.
struct HeldCluster {
    let place: Point
    let cluster: Character
    let style: Style
}

extension CursesScreen {
    /// The bytes for a screen of one column, written in full each time: to fill the last cell without scrolling, curses
    /// inserts before it; in one column it reads out of bounds.
    func encodeNarrow(_ frame: Grid) -> [UInt8] {
        repaintNextFrame()
        var bytes = drainOutput() + Self.sequence(["sgr0"])
        for row in 0..<frame.size.rows {
            guard let cell = frame.row(row).first, let cluster = cell.cluster else { continue }
            let place = Point(column: 0, row: row)
            bytes += move(to: place) + colors(of: cell.style) + Array(glyphs.text(of: cluster).utf8)
        }
        return bytes + Self.sequence(["sgr0"])
    }

    /// The sequences that set the colours of a style.
    private func colors(of style: Style) -> [UInt8] {
        guard depth != .monochrome else { return [] }
        // Each sequence is valid only until the next call.
        let foreground = [UInt8](cString: lvy_foreground_sequence(ColorPairs.number(of: style.foreground)))
        return foreground + [UInt8](cString: lvy_background_sequence(ColorPairs.number(of: style.background)))
    }

    /// The sequences that make what follows look as curses draws it in a style.
    private func look(of style: Style) -> [UInt8] {
        let attributes = attributes(of: style)
        let names = [(lvy_bold(), "bold"), (lvy_underline(), "smul"), (lvy_reverse(), "rev")]
        return colors(of: style) + Self.sequence(names.filter { attributes & $0.0 != 0 }.map(\.1))
    }

    private func move(to place: Point) -> [UInt8] {
        [UInt8](cString: lvy_place_sequence(Int32(place.row), Int32(place.column)))
    }

    /// Bytes that leave the cursor and the look where curses assumes them.
    private func aside(_ bytes: [UInt8]) -> [UInt8] {
        Self.sequence(["sc"]) + bytes + Self.sequence(["sgr0", "rc"])
    }
}

extension CursesScreen {
    /// The bytes that write clusters where curses wrote blanks.
    func sequence(for clusters: [HeldCluster]) -> [UInt8] {
        aside(
            clusters.flatMap { held in
                move(to: held.place) + look(of: held.style) + Array(String(held.cluster).utf8) + Self.sequence(["sgr0"])
            }
        )
    }

    /// The bytes that write the links of a frame once more, as links (OSC 8), where curses wrote them as text.
    func hyperlinks(of frame: Grid) -> [UInt8] {
        frame.links.flatMap { sequence(for: $0, in: frame) }
    }

    private func sequence(for link: Hyperlink, in frame: Grid) -> [UInt8] {
        guard let head = frame[link.cells.origin] else { return [] }
        let cells = frame.row(link.cells.origin.row).dropFirst(link.cells.origin.column)
        let text = cells.prefix(link.cells.size.columns).compactMap(\.cluster).map { glyphs.text(of: $0) }.joined()
        let sequence = "\u{1B}]8;;\(link.url)\u{1B}\\\(text)\u{1B}]8;;\u{1B}\\"
        return aside(move(to: link.cells.origin) + look(of: head.style) + Array(sequence.utf8))
    }
}

extension CursesScreen {
    /// The bytes that make the cursor a bar in the colour of the text, on the caret of a frame; elsewhere it gets its own
    /// look back. A block may have the colour of the field, or hide the character under it. Colours that are not exact
    /// are not known well enough.
    func dressCursor(of frame: Grid) -> [UInt8] {
        guard isXtermLike else { return [] }
        let style = frame.caret.flatMap { frame[$0]?.style }
        let look = style.map { style in
            guard case .direct(let color) = style.foreground else { return Array("\u{1B}[6 q".utf8) }
            return Array("\u{1B}[6 q\u{1B}]12;\(color)\u{1B}\\".utf8)
        }
        guard look != cursorLook else { return [] }
        cursorLook = look
        return look ?? ownCursorLook
    }

    /// The bytes that give the cursor the look that the user has chosen.
    var ownCursorLook: [UInt8] {
        Array((depth == .direct ? "\u{1B}[0 q\u{1B}]112\u{1B}\\" : "\u{1B}[0 q").utf8)
    }
}

extension CursesScreen {
    /// The bytes that measure which clusters the terminal supports, in blank cells of the frame that are blank again
    /// afterwards; empty without room or benefit. A terminal with concealed text does not show them.
    func clusterProbe() -> [UInt8] {
        guard glyphs.hasDecomposed, let (place, style) = shown?.roomForProbe else { return [] }
        let look = look(of: style)
        let samples = ClusterProbe.samples.flatMap { sample in
            move(to: place) + Array("\(sample.text)\u{1B}[6n".utf8)
        }
        let blanks = Array(repeating: UInt8(ascii: " "), count: ClusterProbe.room)
        return aside(
            look + Array("\u{1B}[8m".utf8) + samples + move(to: place) + Self.sequence(["sgr0"]) + look + blanks
        )
    }
}

extension Grid {
    /// The first empty cells of a row, and their style. In the first row a cursor report could be taken for a key.
    fileprivate var roomForProbe: (place: Point, style: Style)? {
        guard size.columns > ClusterProbe.room else { return nil }
        for row in (0..<size.rows).dropFirst().reversed() {
            let cells = self.row(row).prefix(ClusterProbe.room)
            guard let first = cells.first, first.cluster == " ", cells.allSatisfy({ $0 == first }) else { continue }
            return (Point(column: 0, row: row), first.style)
        }
        return nil
    }
}
