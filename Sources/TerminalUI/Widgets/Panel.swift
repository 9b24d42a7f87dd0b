// SPDX-License-Identifier: Apache-2.0

/// A frame around content: a title in its upper border, a scrollbar in the right one, and in the lower one hints that
/// can be clicked.
package struct Panel<Target: Hashable & Sendable>: Hashable, Sendable {
    /// What is under a cell of the panel.
    package enum Part: Hashable, Sendable {
        case target(Target)
        /// A row of the scrollbar, from 0.
        case scrollbar(row: Int)
        /// A cell of the content, from its upper left corner.
        case content(Point)
        case border
    }

    /// The panel with its border.
    package let frame: Rect
    /// What is within the border; the same as the frame where there is no room for one.
    package let content: Rect
    /// What the upper border says.
    package let title: ActiveLine<Target>
    /// What the lower border offers; where room is short, the last stays longest.
    package let hints: [ActiveLine<Target>.Span]
    /// Which of the content's rows are in sight.
    package let scrollbar: Scrollbar

    package init(
        frame: Rect,
        content: Rect,
        title: ActiveLine<Target>,
        hints: [ActiveLine<Target>.Span],
        scrollbar: Scrollbar
    ) {
        (self.frame, self.content, self.title, self.scrollbar) = (frame, content, title, scrollbar)
        self.hints = Self.fitting(hints, columns: frame.size.columns - 2 * Self.hintMargin)
    }

    /// Columns from the edge of the panel to its title.
    private static var margin: Int { 3 }
    private static var hintMargin: Int { 2 }
    private static var gap: Int { 2 }

    package var hasBorder: Bool { frame != content }

    private static func fitting(_ hints: [ActiveLine<Target>.Span], columns: Int) -> [ActiveLine<Target>.Span] {
        var hints = hints.filter { !$0.text.isEmpty }
        while hints.reduce(-gap, { $0 + $1.text.columnWidth + gap }) > columns, let last = hints.popLast() {
            if hints.popLast() == nil { return [] }
            hints.append(last)
        }
        return hints
    }
}

extension Panel {
    private var titlePlace: Rect {
        let room = max(frame.size.columns - 2 * Self.margin, 0)
        let columns = min(title.columnWidth, room)
        return .row(frame.origin.row, from: frame.origin.column + Self.margin, columns: columns)
    }

    private var hintLine: ActiveLine<Target> {
        ActiveLine(Array(hints.map { [$0] }.joined(separator: [.init(String(repeating: " ", count: Self.gap))])))
    }

    private var hintPlace: Rect {
        let column = frame.origin.column + Self.hintMargin
        return .row(frame.rows.upperBound - 1, from: column, columns: hintLine.columnWidth)
    }

    private var track: Rect {
        let corner = Point(column: frame.columns.upperBound - 1, row: content.origin.row)
        return Rect(origin: corner, size: Size(columns: 1, rows: content.size.rows))
    }

    /// What is under a cell; `nil` beside the panel.
    package func part(at point: Point) -> Part? {
        guard frame.contains(point) else { return nil }
        if content.contains(point) {
            return .content(Point(column: point.column - content.origin.column, row: point.row - content.origin.row))
        }
        if scrollbar.isNeeded, track.contains(point) { return .scrollbar(row: point.row - track.origin.row) }
        for (line, place) in [(title, titlePlace), (hintLine, hintPlace)] where place.contains(point) {
            if let target = line.hit(column: point.column - place.origin.column)?.target { return .target(target) }
        }
        return .border
    }

    /// Which row of the thumb a press on a row of the scrollbar takes hold of.
    package func grip(at row: Int) -> Int { scrollbar.grip(at: row, track: track.size.rows) }

    /// The first row in sight once a row of the thumb has been dragged to a row of the screen.
    package func top(dragging grip: Int, toScreenRow row: Int) -> Int {
        scrollbar.top(moving: grip, to: row - track.origin.row, track: track.size.rows)
    }
}

extension Grid {
    /// Draws a panel without its content.
    package mutating func draw<Target>(_ panel: Panel<Target>, style: (Tone) -> Style) {
        fill(panel.frame, style: style(.plain))
        guard panel.hasBorder else { return }
        drawBox(panel.frame, style: style(.border))
        for (line, place) in panel.borderLines where place.size.columns > 0 {
            fill(place.inset(columns: -1, rows: 0), style: style(.plain))
            draw(line, in: place, style: style)
        }
        guard panel.scrollbar.isNeeded else { return }
        let (column, rows) = panel.trackCells
        let thumb = panel.scrollbar.thumb(track: rows.count)
        for (index, row) in rows.enumerated() {
            write(thumb.contains(index) ? "█" : "░", at: Point(column: column, row: row), style: style(.border))
        }
    }
}

extension Panel {
    fileprivate var borderLines: [(ActiveLine<Target>, Rect)] { [(title, titlePlace), (hintLine, hintPlace)] }
    fileprivate var trackCells: (column: Int, rows: Range<Int>) { (track.origin.column, track.rows) }
}
