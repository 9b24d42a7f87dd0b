// SPDX-License-Identifier: Apache-2.0

internal import CLibrary
internal import CNCurses
internal import CTerminalGuard

/// Turns frames into the bytes that change the terminal from one to the next; curses finds the shortest way. It writes
/// into memory: so a frame can go out in one piece, be counted, and wait for a terminal that is stopped.
@MainActor
final class CursesScreen {
    private let screen: OpaquePointer
    private let output: UnsafeMutablePointer<FILE>
    var glyphs: CursesGlyphs
    private let hasHyperlinks: Bool
    let isXtermLike: Bool
    /// The shape and colour set for the terminal's cursor; `nil` for its own.
    var cursorLook: [UInt8]?
    private var pairs = ColorPairs()
    private(set) var shown: Grid?
    /// The clusters of this frame that the terminal supports and curses does not.
    private var heldClusters: [HeldCluster] = []
    /// Whether the terminal's own background is a light one: without colours, one of black and white is reverse video.
    private(set) var hasLightGround: Bool

    let depth: ColorDepth
    /// The bytes that restore the terminal after a crash.
    var leaveSequence: [UInt8] { (isXtermLike ? ownCursorLook : []) + leaveCapabilities }
    private let leaveCapabilities: [UInt8]

    /// - Parameter terminal: the descriptor of the terminal, which stays the caller's.
    /// - Throws: if the terminal cannot show a full screen.
    init(profile: TerminalProfile, terminal: Int32, size: Size, repertoire: GlyphRepertoire) throws {
        if let unsupportedReason = profile.unsupportedReason {
            throw TerminalError("Cannot show the full screen: \(unsupportedReason)")
        }
        guard let output = lvy_open_memory_stream() else {
            throw TerminalError("Out of memory; close other programs")
        }
        guard let input = Self.stream(from: terminal) else {
            fclose(output)
            throw TerminalError("Cannot read from the terminal: \(String(cString: strerror(errno)))")
        }
        guard let screen = Self.open(profile, output, input, size) else {
            fclose(output)
            fclose(input)
            throw TerminalError(
                "Cannot initialize ncurses for the terminal \"\(profile.name.sanitized())\"; change TERM"
            )
        }
        self.screen = screen
        self.output = output
        glyphs = CursesGlyphs(repertoire: repertoire)
        hasHyperlinks = profile.hasHyperlinks
        isXtermLike = profile.isXtermLike
        hasLightGround = profile.hasLightGround ?? false
        depth = profile.depth
        if depth != .monochrome, start_color() == OK { use_default_colors() }
        leaveCapabilities = Self.sequence(["rmkx", "op", "sgr0", "cnorm", "rmcup"])
        typeahead(-1)
        nonl()
        keypad(lvy_stdscr(), true)
        curs_set(0)
    }

    /// A stream for curses alone: closing it leaves the terminal open for others.
    private static func stream(from terminal: Int32) -> UnsafeMutablePointer<FILE>? {
        let descriptor = fcntl(terminal, F_DUPFD_CLOEXEC, 3)
        guard descriptor >= 0 else { return nil }
        if let stream = fdopen(descriptor, "r") { return stream }
        close(descriptor)
        return nil
    }

    /// Curses reads the entry, and the size that the memory stream does not have, from the environment.
    private static func open(
        _ profile: TerminalProfile,
        _ output: UnsafeMutablePointer<FILE>,
        _ input: UnsafeMutablePointer<FILE>,
        _ size: Size
    ) -> OpaquePointer? {
        guard let entry = profile.entry, let name = entry.names.first else { return nil }
        var variables = ["LINES": String(size.rows), "COLUMNS": String(size.columns)]
        if profile.isOwnEntry { variables["TERMINFO"] = entry.variable }
        let former = getenv("TERMINFO").map { String(cString: $0) }
        for (name, value) in variables { setenv(name, value, 1) }
        defer {
            for name in variables.keys { unsetenv(name) }
            if let former { setenv("TERMINFO", former, 1) }
        }
        return newterm(name, output, input)
    }

    static func sequence(_ capabilities: [String]) -> [UInt8] {
        capabilities.flatMap { [UInt8](cString: lvy_terminfo_string($0)) }
    }
}

extension CursesScreen {
    /// The bytes that make the terminal show a frame after the previous one.
    func encode(_ frame: Grid) -> [UInt8] {
        if frame.size.columns < 2 { return encodeNarrow(frame) }
        if frame.size != shown?.size {
            resizeterm(Int32(frame.size.rows), Int32(frame.size.columns))
            shown = nil
        }
        if pairs.isFull {
            pairs = ColorPairs()
            reset_color_pairs()
            repaintNextFrame()
        }
        lvy_set_background(0, pair(of: frame.base))
        let clear = frame.base.background == shown?.base.background ? [] : clear(to: frame.base)
        for row in 0..<frame.size.rows {
            if clear.isEmpty, let shown, frame.hasSameRow(row, as: shown) { continue }
            if clear.isEmpty { lvy_erase_row(Int32(row)) }
            put(row, of: frame)
        }
        let held = heldClusters.isEmpty ? [] : sequence(for: heldClusters)
        heldClusters = []
        let links = hasHyperlinks && shown != frame ? hyperlinks(of: frame) : []
        shown = frame
        if frame.caret == nil { curs_set(0) }
        let cursor = frame.cursor
        wmove(lvy_stdscr(), Int32(cursor.row), Int32(cursor.column))
        wnoutrefresh(lvy_stdscr())
        doupdate()
        if frame.caret != nil { curs_set(1) }
        return clear + drainOutput() + held + links + dressCursor(of: frame)
    }

    /// Paints the whole screen in a colour at once, where the terminal erases in colour (`bce`). Curses would do it row
    /// by row: its blank for comparing knows nothing of pairs beyond 255.
    private func clear(to style: Style) -> [UInt8] {
        guard shown != nil, lvy_erases_in_color() != 0, depth != .monochrome, attributes(of: style) == 0,
            let background = lvy_background_sequence(ColorPairs.number(of: style.background))
        else { return [] }
        // The cursor stays where curses has it, and every following cell sets its own colours.
        let sequence = [UInt8](cString: background) + Array("\u{1B}[2J".utf8)
        lvy_assume_cleared(pair(of: style))
        return sequence
    }

    /// Makes the next frame repaint every cell, independent of the terminal's contents.
    func repaintNextFrame() {
        shown = nil
        clearok(lvy_curscr(), true)
    }

    /// Corrects the assumption about the terminal's own background.
    ///
    /// - Returns: the frame to redraw, if it looks different now.
    func adapt(toLightGround isLight: Bool) -> Grid? {
        guard depth == .monochrome, hasLightGround != isLight else { return nil }
        hasLightGround = isLight
        return shown.take()
    }

    /// Records the clusters that the terminal shows as one.
    ///
    /// - Returns: the frame to redraw, if clusters in it were split before.
    func adapt(toClusters kinds: ClusterKinds) -> Grid? {
        guard glyphs.held != kinds else { return nil }
        glyphs.held = kinds
        defer { glyphs.hasDecomposed = false }
        return glyphs.hasDecomposed || kinds.isEmpty ? shown.take() : nil
    }

    /// The bytes that restore the terminal; the next frame takes it again.
    func leave() -> [UInt8] {
        endwin()
        defer { cursorLook = nil }
        return drainOutput() + (cursorLook == nil ? [] : ownCursorLook)
    }

    /// Draws a row at once over the blanks that curses has there.
    private func put(_ row: Int, of frame: Grid) {
        // Curses would add the attributes of its blank to everything that is drawn.
        let cells = attributes(of: frame.base) == 0 ? frame.drawnCells(row: row) : frame.row(row)
        var line: [cchar_t] = []
        line.reserveCapacity(cells.count)
        var style: Style?
        var look = CursesLook(attributes: 0, pair: 0)
        for (column, cell) in zip(cells.indices, cells) {
            guard let cluster = cell.cluster else { continue }
            if cell.style != style {
                style = cell.style
                look = CursesLook(attributes: attributes(of: cell.style), pair: pair(of: cell.style))
            }
            // Most of every frame, and never degraded: quicker made than found.
            if let plain = look.cell(of: cluster) {
                line.append(plain)
            } else if glyphs.isHeld(cluster) {
                CursesGlyphs.appendStandIn(in: look, to: &line)
                let place = Point(column: column, row: row)
                heldClusters.append(HeldCluster(place: place, cluster: cluster, style: cell.style))
            } else {
                glyphs.append(cluster, in: look, to: &line)
            }
        }
        lvy_put(Int32(row), Int32(cells.startIndex), line, Int32(line.count))
    }

    func attributes(of style: Style) -> attr_t {
        var attributes: attr_t = 0
        if style.attributes.contains(.bold) { attributes |= lvy_bold() }
        if style.attributes.contains(.underline) { attributes |= lvy_underline() }
        // Without colours, white or black is the terminal's own ground, and the other one that reversed.
        let isOtherGround = depth == .monochrome && style.background == .indexed(hasLightGround ? 0 : 1)
        if style.attributes.contains(.reverse) != isOtherGround { attributes |= lvy_reverse() }
        return attributes
    }

    private func pair(of style: Style) -> Int32 {
        depth == .monochrome ? 0 : pairs.number(for: style)
    }

    func drainOutput() -> [UInt8] {
        let descriptor = fileno(output)
        let count = Int(lseek(descriptor, 0, SEEK_CUR))
        guard count > 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
        // The next frame is written over this one, into the same pages.
        lseek(descriptor, 0, SEEK_SET)
        return Array(bytes.prefix(max(read, 0)))
    }
}
