// SPDX-License-Identifier: Apache-2.0

package import Basics

/// The role of a part of a line, from which its style follows.
package enum Tone: Hashable, Sendable {
    case plain
    case dimmed
    case title
    /// Highlighted text, for values that the user has changed.
    case accent
    /// The text of an error.
    case error
    /// Selected, or with the keyboard focus.
    case selected
    /// A part that a search has found; with and without the selection.
    case found, selectedFound
    case field
    /// The frame of a panel.
    case border
    /// The place in a field where the next character goes; the terminal's cursor is shown there.
    case caret
    case swatch(RGBColor)
    /// A cell of a track in its colour, with a glyph for terminals with too few colours.
    case track(RGBColor, plain: Character)
    /// A block of a colour, with any glyph.
    case block(RGBColor)
}

/// A line of parts, some of which can be clicked.
package struct ActiveLine<Target: Hashable & Sendable>: Hashable, Sendable {
    /// A part of the line.
    package struct Span: Hashable, Sendable {
        package var text: String
        package var tone: Tone
        /// The target of a click.
        package var target: Target?
        /// The number of columns of the same target before it.
        package var offset: Int

        package init(_ text: String, _ tone: Tone = .plain, target: Target? = nil, offset: Int = 0) {
            self.text = text.sanitized()
            self.tone = tone
            self.target = target
            self.offset = offset
        }
    }

    package var spans: [Span]
    /// Whether the keyboard is here, so that this line has to be seen.
    package var isFocused: Bool
    /// The target of a click where no part has a target, also beside the parts.
    package var target: Target?

    package init(_ spans: [Span], isFocused: Bool = false, target: Target? = nil) {
        (self.spans, self.isFocused, self.target) = (spans, isFocused, target)
    }

    package var columnWidth: Int { spans.reduce(0) { $0 + $1.text.columnWidth } }

    /// The target of a click on a column, and the column's offset within the target.
    package func hit(column: Int) -> (target: Target, offset: Int)? {
        var start = 0
        for span in spans {
            let width = span.text.columnWidth
            if (start..<start + width).contains(column), let target = span.target {
                return (target, span.offset + column - start)
            }
            start += width
        }
        return target.map { ($0, column) }
    }

    /// The line with other targets.
    package func map<Other>(_ transform: (Target) -> Other) -> ActiveLine<Other> {
        let others = spans.map { span in
            ActiveLine<Other>.Span(span.text, span.tone, target: span.target.map(transform), offset: span.offset)
        }
        return ActiveLine<Other>(others, isFocused: isFocused, target: target.map(transform))
    }
}

extension Grid {
    /// Draws a line into a rectangle of one row; what does not fit is cut with an ellipsis.
    package mutating func draw<Target>(_ line: ActiveLine<Target>, in rect: Rect, style: (Tone) -> Style) {
        var column = rect.columns.lowerBound
        for span in line.spans {
            let room = rect.columns.upperBound - column
            guard room > 0 else { return }
            let text = span.text.truncated(toColumns: room)
            if span.tone == .caret { caret = Point(column: column, row: rect.origin.row) }
            write(text, at: Point(column: column, row: rect.origin.row), style: style(span.tone))
            column += text.columnWidth
        }
    }
}

/// The selected line of a list.
package struct ListCursor: Hashable, Sendable {
    package var index = 0

    package init() {}

    /// Handles a key for moving through lists, by arrows or as in vi; returns whether it is one.
    package mutating func handle(_ key: Key, count: Int, page: Int) -> Bool {
        if key.isChord { return false }
        switch key.code {
        case .up, .character("k"): index -= 1
        case .down, .character("j"): index += 1
        case .pageUp: index -= max(page, 1)
        case .pageDown: index += max(page, 1)
        case .home, .character("g"): index = 0
        case .end, .character("G"): index = count - 1
        default: return false
        }
        // The list may have become shorter.
        index = max(min(index, count - 1), 0)
        return true
    }

    /// The first visible row that places a row in the middle if possible.
    package static func top(showing row: Int, of count: Int, rows: Int) -> Int {
        max(min(row - rows / 2, count - rows), 0)
    }
}
