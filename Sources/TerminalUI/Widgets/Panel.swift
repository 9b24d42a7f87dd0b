// SPDX-License-Identifier: Apache-2.0

/// A list of lines in a frame: a title in its upper border, a scrollbar in the right one, and in the lower one hints that
/// can be clicked.
package struct Panel<Target: Hashable & Sendable>: Hashable, Sendable {
    /// The part of the panel under a cell.
    package enum Part: Hashable, Sendable {
        /// A part of a line that can be clicked, and how many columns into it the cell is.
        case target(Target, offset: Int = 0)
        /// A row of the scrollbar, from 0.
        case scrollbar(row: Int)
        case other
    }

    package let place: PanelPlace
    package let title: ActiveLine<Target>
    /// The hints of the lower border. Where room is short, the last stays longest, then commands whose `keepsHint` is set.
    package let hints: [ActiveLine<Target>.Span]
    private let hintLine: ActiveLine<Target>
    /// Which of the lines are in sight.
    package let scrollbar: Scrollbar
    /// The lines in sight, those of the head first.
    package let lines: [ActiveLine<Target>]
    /// The latest message, below the lines.
    private let feedback: [String]

    private static var maximumFeedbackRows: Int { 3 }

    /// - Parameters:
    ///   - hints: the commands whose hints are shown.
    ///   - isTyping: whether keys that type characters go into a field, so that no hint names them.
    ///   - head: lines that do not scroll.
    ///   - count: the number of lines that scroll.
    ///   - top: the first of them to be in sight, but for the limits of the list.
    ///   - line: makes one of them; only those in sight are made.
    package init(
        _ place: PanelPlace,
        title: [ActiveLine<Target>.Span],
        hints: [ScreenCommand<Target>],
        isTyping: Bool = false,
        head: [ActiveLine<Target>] = [],
        feedback: String = "",
        count: Int,
        top: Int,
        line: (Int) -> ActiveLine<Target>
    ) {
        (self.place, self.title) = (place, ActiveLine(title))
        self.hints = Self.fitting(hints, isTyping, columns: place.frame.size.columns - 2 * Self.hintMargin)
        let gap = ActiveLine<Target>.Span(String(repeating: " ", count: Self.gap))
        hintLine = ActiveLine(Array(self.hints.map { $0.keyAndLabel }.joined(separator: [gap])))
        self.feedback = feedback.sanitized()
            .wrapped(toColumns: place.list.size.columns, maximumLines: Self.maximumFeedbackRows)
        let bar = Scrollbar(count: count, page: place.list.size.rows - head.count, top: top)
        let visible = (bar.top..<min(bar.top + bar.page, bar.count)).map(line)
        // The message takes rows from the list, which scrolls only if its focused line would be hidden.
        let page = max(bar.page - self.feedback.count, 1)
        let hidden = max((visible.lastIndex(where: \.isFocused) ?? 0) + 1 - page, 0)
        lines = head + visible.dropFirst(hidden).prefix(page)
        scrollbar = Scrollbar(count: count, page: page, top: bar.top + hidden)
    }

    private static var hintMargin: Int { 2 }
    private static var gap: Int { 2 }

    /// The hints that fit, of the commands that have one.
    private static func fitting(
        _ commands: [ScreenCommand<Target>],
        _ isTyping: Bool,
        columns: Int
    ) -> [ActiveLine<Target>.Span] {
        var hints = commands.compactMap { command -> (span: ActiveLine<Target>.Span, keeps: Bool)? in
            let text = command.hintText(isTyping: isTyping)
            let tone: Tone = command.isPossible ? .plain : .dimmed
            return text.isEmpty ? nil : (.init(text, tone, target: command.command), command.keepsHint)
        }
        var width = hints.reduce(-gap) { $0 + $1.span.text.columnWidth + gap }
        while width > columns, !hints.isEmpty {
            let least = hints.dropLast().lastIndex { !$0.keeps } ?? 0
            width -= hints.remove(at: least).span.text.columnWidth + gap
        }
        return hints.map { $0.span }
    }
}

extension Panel {
    private var frame: Rect { place.frame }

    private var titlePlace: Rect {
        let columns = min(title.columnWidth, place.titleColumns)
        return .row(frame.origin.row, from: frame.origin.column + PanelPlace.titleMargin, columns: columns)
    }

    private var hintPlace: Rect {
        let column = frame.origin.column + Self.hintMargin
        return .row(frame.rows.upperBound - 1, from: column, columns: hintLine.columnWidth)
    }

    private var track: Rect {
        let corner = Point(column: frame.columns.upperBound - 1, row: place.content.origin.row)
        return Rect(origin: corner, size: Size(columns: 1, rows: place.content.size.rows))
    }

    /// The lines in sight and their rows.
    private var rows: [(line: ActiveLine<Target>, place: Rect)] {
        let list = place.list
        return zip(lines, list.rows).map { line, row in
            (line, .row(row, from: list.origin.column, columns: list.size.columns))
        }
    }

    /// The part under a cell; `nil` outside the panel.
    package func part(at point: Point) -> Part? {
        guard frame.contains(point) else { return nil }
        let isOnTrack = place.hasBorder && scrollbar.isNeeded && track.contains(point)
        if isOnTrack { return .scrollbar(row: point.row - track.origin.row) }
        let border = place.hasBorder ? [(title, titlePlace), (hintLine, hintPlace)] : []
        for (line, place) in border + rows where place.contains(point) {
            if let hit = line.hit(column: point.column - place.origin.column) {
                return .target(hit.target, offset: hit.offset)
            }
        }
        return .other
    }

    /// The row of the thumb that a press on a row of the scrollbar grips.
    package func grip(at row: Int) -> Int { scrollbar.grip(at: row, track: track.size.rows) }

    /// The first row in sight once a row of the thumb has been dragged to a row of the screen.
    package func top(dragging grip: Int, toScreenRow row: Int) -> Int {
        scrollbar.top(moving: grip, to: row - track.origin.row, track: track.size.rows)
    }
}

extension Grid {
    /// Draws a panel.
    package mutating func draw<Target>(_ panel: Panel<Target>, _ theme: Theme) {
        // The keyboard is with what lies above.
        caret = nil
        fill(panel.place.frame, style: theme.panel)
        panel.drawBorder(on: &self, theme)
        panel.drawLines(on: &self, theme)
    }
}

extension Panel {
    fileprivate func drawBorder(on grid: inout Grid, _ theme: Theme) {
        guard place.hasBorder else {
            if place.list != place.content { grid.draw(title, in: place.content.firstRow, theme) }
            return
        }
        grid.drawBox(frame, style: theme.style(of: .border))
        for (line, place) in [(title, titlePlace), (hintLine, hintPlace)] where place.size.columns > 0 {
            grid.fill(place.inset(columns: -1, rows: 0), style: theme.panel)
            grid.draw(line, in: place, theme)
        }
        guard scrollbar.isNeeded else { return }
        let thumb = scrollbar.thumb(track: track.size.rows)
        for (index, row) in track.rows.enumerated() {
            let glyph = thumb.contains(index) ? "█" : "░"
            grid.write(glyph, at: Point(column: track.origin.column, row: row), style: theme.style(of: .border))
        }
    }

    fileprivate func drawLines(on grid: inout Grid, _ theme: Theme) {
        for (line, place) in rows { grid.draw(line, in: place, theme) }
        let list = place.list
        for (text, row) in zip(feedback.reversed(), list.rows.reversed()) where !text.isEmpty {
            let place = Rect.row(row, from: list.origin.column, columns: list.size.columns)
            grid.fill(place, style: theme.panel)
            grid.draw(ActiveLine<Target>([.init(text, .title)]), in: place, theme)
        }
    }
}

extension ActiveLine.Span {
    /// The hint with its key in bold, so that key and label differ without colours.
    fileprivate var keyAndLabel: [Self] {
        let key = String(text.prefix { $0 != " " })
        let label = String(text.dropFirst(key.count))
        return [
            Self(key, .title, target: target), Self(label, tone, target: target, offset: key.columnWidth),
        ]
    }
}

extension Rect {
    fileprivate var firstRow: Rect { .row(origin.row, from: origin.column, columns: size.columns) }
}

/// The scrollbar of a panel while the mouse holds it.
package struct ScrollGrip: Hashable, Sendable {
    /// The row of the thumb that is held.
    private var row: Int?

    private static let rowsOfWheel = 3

    package init() {}

    /// The first line in sight after a turn of the wheel, or a press on the scrollbar and what follows it; `nil` if the mouse
    /// does something else.
    package mutating func top<Target>(after mouse: MouseEvent, on panel: Panel<Target>) -> Int? {
        let held = row
        switch mouse.action {
        case .scroll(let steps):
            let isHere = panel.place.frame.contains(mouse.point)
            return isHere ? panel.scrollbar.top + steps * Self.rowsOfWheel : nil
        case .drag(button: 0): return held.map { panel.top(dragging: $0, toScreenRow: mouse.point.row) }
        case .drag: return nil
        case .release:
            row = nil
            return held == nil ? nil : panel.scrollbar.top
        case .press(let button):
            // The release of the button before may have been lost.
            row = nil
            guard button == 0, case .scrollbar(let track) = panel.part(at: mouse.point) else { return nil }
            let grip = panel.grip(at: track)
            row = grip
            return panel.top(dragging: grip, toScreenRow: mouse.point.row)
        }
    }
}
