internal import CNCurses

extension CursesScreen {
    /// The bytes that write the links of a frame once more, as links (OSC 8), where curses wrote them as text.
    ///
    /// The cursor and the colours that curses reckons with are put back as they were.
    func hyperlinks(of frame: Grid) -> [UInt8] {
        frame.links.filter(\.isSafe).flatMap { sequence(for: $0, in: frame) }
    }

    private func sequence(for link: Hyperlink, in frame: Grid) -> [UInt8] {
        guard let head = frame[link.cells.origin],
            let place = lvy_place_sequence(
                Int32(link.cells.origin.row),
                Int32(link.cells.origin.column)
            )
        else { return [] }
        var bytes = Self.sequence(["sc"]) + [UInt8](cString: place) + colors(of: head.style)
        bytes += Array("\u{1B}]8;;\(link.url)\u{1B}\\".utf8)
        let cells = frame.row(link.cells.origin.row).dropFirst(link.cells.origin.column)
        let text = cells.prefix(link.cells.size.columns).compactMap(\.cluster).map(degraded).joined()
        return bytes + Array("\(text)\u{1B}]8;;\u{1B}\\".utf8) + Self.sequence(["sgr0", "rc"])
    }
}
