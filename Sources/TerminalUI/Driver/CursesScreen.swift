internal import CNCurses

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Turns frames into the bytes that change the terminal from one to the next, with curses as the judge of what is
/// shortest.
///
/// Curses writes into memory, never to the terminal: so a frame can go out in one piece, be counted, and wait for a
/// terminal that is stopped.
@MainActor
final class CursesScreen {
    private let screen: OpaquePointer
    private let output: UnsafeMutablePointer<FILE>
    private var glyphs: CursesGlyphs
    private var pairs = ColorPairs()
    private var shown: Grid?

    let depth: ColorDepth
    /// Whether the terminal reports the mouse, by its database entry.
    let hasMouse: Bool
    /// What a fault has to send to give the terminal back.
    let leaveSequence: [UInt8]

    /// - Throws: if the terminal has no entry in the database or cannot address its cells.
    init(terminal: String, input: UnsafeMutablePointer<FILE>, size: Size, repertoire: GlyphRepertoire) throws {
        guard let output = lvy_open_memory_stream() else { throw TerminalError(Self.noMemory) }
        guard let screen = Self.open(terminal, output, input, size) else {
            fclose(output)
            throw TerminalError(Self.unknown(terminal))
        }
        guard lvy_terminfo_string("cup") != nil else {
            endwin()
            throw TerminalError("The terminal \"\(terminal.sanitized())\" cannot place its cursor; showing plain text")
        }
        self.screen = screen
        self.output = output
        glyphs = CursesGlyphs(repertoire: repertoire)
        depth = Self.startColor()
        hasMouse = lvy_terminfo_string("kmous") != nil
        leaveSequence = Self.sequence(["rmkx", "op", "sgr0", "cnorm", "rmcup"])
        typeahead(-1)
        nonl()
        leaveok(lvy_stdscr(), true)
        keypad(lvy_stdscr(), true)
        curs_set(0)
    }

    /// Curses cannot ask the memory stream for its size and believes these variables.
    private static func open(
        _ terminal: String,
        _ output: UnsafeMutablePointer<FILE>,
        _ input: UnsafeMutablePointer<FILE>,
        _ size: Size
    ) -> OpaquePointer? {
        setenv("LINES", String(size.rows), 1)
        setenv("COLUMNS", String(size.columns), 1)
        defer {
            unsetenv("LINES")
            unsetenv("COLUMNS")
        }
        return newterm(terminal, output, input)
    }

    private static let noMemory = "There is no memory to draw in; close other programs"

    private static func unknown(_ terminal: String) -> String {
        terminal.isEmpty
            ? "TERM is not set, so the terminal's abilities are unknown; set it, for instance to xterm-256color"
            : "The terminal database does not know \"\(terminal.sanitized())\"; install ncurses-term, or set TERM"
    }

    private static func startColor() -> ColorDepth {
        guard has_colors(), start_color() == OK else { return .monochrome }
        use_default_colors()
        return switch lvy_colors() {
        case (1 << 24)...: .direct
        case 256...: .indexed256
        case 16...: .ansi16
        case 8...: .ansi8
        default: .monochrome
        }
    }

    private static func sequence(_ capabilities: [String]) -> [UInt8] {
        capabilities.flatMap { name -> [UInt8] in
            lvy_terminfo_string(name).map { Array(String(cString: $0).utf8) } ?? []
        }
    }
}

extension CursesScreen {
    /// The bytes that make the terminal show a frame, given that it shows the last one.
    func encode(_ frame: Grid) -> [UInt8] {
        if frame.size != shown?.size {
            resizeterm(Int32(frame.size.rows), Int32(frame.size.columns))
            shown = nil
        }
        if pairs.isFull {
            pairs = ColorPairs()
            reset_color_pairs()
            redrawWhole()
        }
        lvy_set_background(0, pair(of: frame.base))
        for row in 0..<frame.size.rows where shown?.row(row) != frame.row(row) {
            put(frame.row(row), row: row)
        }
        shown = frame
        wnoutrefresh(lvy_stdscr())
        doupdate()
        return takeOutput()
    }

    /// Makes the next frame repaint every cell, whatever the terminal shows.
    func redrawWhole() {
        shown = nil
        clearok(lvy_curscr(), true)
    }

    /// The bytes that give the terminal back; the next frame takes it again.
    func leave() -> [UInt8] {
        endwin()
        return takeOutput()
    }

    private func put(_ cells: ArraySlice<Grid.Cell>, row: Int) {
        for (column, cell) in cells.enumerated() {
            guard let cluster = cell.cluster else { continue }
            let (attributes, pair) = (attributes(of: cell.style), pair(of: cell.style))
            var place = Int32(column)
            for glyph in glyphs.glyphs(for: cluster) {
                glyph.characters.withUnsafeBufferPointer { characters in
                    lvy_put(Int32(row), place, characters.baseAddress, attributes, pair)
                }
                place += glyph.columns
            }
        }
    }

    private func attributes(of style: Style) -> attr_t {
        var attributes: attr_t = 0
        if style.attributes.contains(.bold) { attributes |= lvy_bold() }
        if style.attributes.contains(.underline) { attributes |= lvy_underline() }
        // Without colours, a light ground is the terminal's ordinary one reversed.
        let isLightGround = depth == .monochrome && style.background == .indexed(1)
        if style.attributes.contains(.reverse) != isLightGround { attributes |= lvy_reverse() }
        return attributes
    }

    private func pair(of style: Style) -> Int32 {
        depth == .monochrome ? 0 : pairs.number(for: style)
    }

    private func takeOutput() -> [UInt8] {
        let descriptor = fileno(output)
        let count = Int(lseek(descriptor, 0, SEEK_CUR))
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        lseek(descriptor, 0, SEEK_SET)
        ftruncate(descriptor, 0)
        return Array(bytes.prefix(max(read, 0)))
    }
}
