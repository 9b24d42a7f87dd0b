internal import CNCurses

/// What is written past curses, with curses none the wiser.
extension CursesScreen {
    /// The bytes for a screen of one column, written anew each time.
    ///
    /// To fill the last cell without scrolling, curses inserts before it; in one column it reads what lies outside.
    func encodeNarrow(_ frame: Grid) -> [UInt8] {
        redrawWhole()
        var bytes = takeOutput() + Self.sequence(["sgr0"])
        for row in 0..<frame.size.rows {
            guard let cell = frame.row(row).first, let cluster = cell.cluster,
                let place = lvy_place_sequence(Int32(row), 0)
            else { continue }
            bytes += [UInt8](cString: place) + colors(of: cell.style) + Array(degraded(cluster).utf8)
        }
        return bytes + Self.sequence(["sgr0"])
    }

    /// The sequences that set the colours of a style.
    func colors(of style: Style) -> [UInt8] {
        guard depth != .monochrome else { return [] }
        // Each sequence is valid only until the next is asked for.
        let foreground = lvy_foreground_sequence(ColorPairs.number(of: style.foreground)).map { [UInt8](cString: $0) }
        let background = lvy_background_sequence(ColorPairs.number(of: style.background)).map { [UInt8](cString: $0) }
        return (foreground ?? []) + (background ?? [])
    }
}
