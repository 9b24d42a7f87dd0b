// SPDX-License-Identifier: Apache-2.0

/// One line of text with a cursor between its grapheme clusters.
package struct TextField: Hashable, Sendable {
    /// The text, cluster by cluster.
    package private(set) var clusters: [Character]
    /// The number of clusters before the cursor.
    package private(set) var cursor: Int
    /// Whether all of the text is selected: what is typed or pasted next replaces it.
    package private(set) var isSelected = false

    package init(_ text: String = "") {
        clusters = Array(text)
        cursor = clusters.count
    }

    /// A field with a text that is selected, such as the current value.
    package init(selecting text: String) {
        self.init(text)
        select()
    }

    package var text: String { String(clusters) }

    /// Selects all of the text.
    package mutating func select() { (cursor, isSelected) = (clusters.count, !clusters.isEmpty) }

    package mutating func insert(_ text: String) {
        replace(cursor..<cursor, with: text)
    }

    /// - Returns: whether a field handles the key.
    package mutating func handle(_ key: Key) -> Bool {
        let wasSelected = isSelected
        guard edit(by: key) else { return false }
        // As in other programs, Left goes to the start of the selection. The cursor is at its end already.
        if wasSelected, key == Key(.left) { cursor = 0 }
        isSelected = false
        return true
    }

    private mutating func edit(by key: Key) -> Bool {
        switch (key.code, key.modifiers) {
        case (.character(let character), []), (.character(let character), .shift): insert(String(character))
        case (.left, []): cursor = max(cursor - 1, 0)
        case (.right, []): cursor = min(cursor + 1, clusters.count)
        case (.home, _), (.character("a"), .control): cursor = 0
        case (.end, _), (.character("e"), .control): cursor = clusters.count
        case (.left, _), (.character("b"), .alt): cursor = wordStart
        case (.right, _), (.character("f"), .alt): cursor = wordEnd
        case (.backspace, []): replace(max(cursor - 1, 0)..<cursor, with: "")
        case (.delete, []): replace(cursor..<min(cursor + 1, clusters.count), with: "")
        case (.backspace, _), (.character("w"), .control): replace(wordStart..<cursor, with: "")
        case (.delete, _), (.character("d"), .alt): replace(cursor..<wordEnd, with: "")
        case (.character("u"), .control): replace(0..<cursor, with: "")
        case (.character("k"), .control): replace(cursor..<clusters.count, with: "")
        default: return false
        }
        return true
    }

    /// Replaces a part of the text, or the selection.
    private mutating func replace(_ part: Range<Int>, with text: String) {
        let range = isSelected ? clusters.indices : part
        isSelected = false
        let head = String(clusters[..<range.lowerBound]) + text
        // Clusters may join where two texts meet, so the text is segmented again; the cursor stays after its cluster.
        clusters = Array(head + String(clusters[range.upperBound...]))
        var bytes = 0
        cursor =
            clusters.firstIndex { cluster in
                defer { bytes += cluster.utf8.count }
                return bytes >= head.utf8.count
            } ?? clusters.count
    }

    private var wordStart: Int {
        let word = clusters[..<cursor].lastIndex { $0.isWordPart } ?? 0
        return clusters[..<word].lastIndex { !$0.isWordPart }.map { $0 + 1 } ?? 0
    }

    private var wordEnd: Int {
        let word = clusters[cursor...].firstIndex { $0.isWordPart } ?? clusters.count
        return clusters[word...].firstIndex { !$0.isWordPart } ?? clusters.count
    }
}

extension TextField {
    /// The keys of a field, for the help.
    package static let help = [
        ScreenHelp("Home, End, Ctrl-A, Ctrl-E", "Go to the start or the end of the text"),
        ScreenHelp("Ctrl-Left, Ctrl-Right", "Go back or forward by a word"),
        ScreenHelp("Ctrl-W, Ctrl-U, Ctrl-K", "Delete the word before the cursor, all before it, all after it"),
    ]

    /// The mark at an end where the text goes on.
    private static let mark = "…"
    /// Fewer columns have no room for marks.
    private static let minimumMarkedColumns = 4

    private static func markColumns(in columns: Int) -> Int { columns < minimumMarkedColumns ? 0 : 1 }

    /// The visible part in a number of columns, from the first visible cluster: the text left of the cursor, the one under it
    /// (a space at the end of the text), and the text right of it. A mark stands where the text goes on.
    package func window(columns: Int) -> (start: Int, before: String, under: String, after: String) {
        let mark = Self.markColumns(in: columns)
        let under = cursor < clusters.count ? shown(cursor) : " "
        var (start, end) = (cursor, min(cursor + 1, clusters.count))
        var used = max(under.columnWidth, 1)
        let room = end < clusters.count ? columns - mark : columns
        while start > 0, used + shown(start - 1).columnWidth + (start > 1 ? mark : 0) <= room {
            start -= 1
            used += shown(start).columnWidth
        }
        if start > 0 { used += mark }
        while end < clusters.count, used + shown(end).columnWidth + (end + 1 < clusters.count ? mark : 0) <= columns {
            used += shown(end).columnWidth
            end += 1
        }
        let marks = [start > 0, end < clusters.count].map { $0 && mark > 0 ? Self.mark : "" }
        let before = marks[0] + (start..<cursor).map(shown).joined()
        let after = (min(cursor + 1, end)..<end).map(shown).joined() + marks[1]
        return (start, before, under.columnWidth <= columns ? under : "", after)
    }

    /// The visible part in a number of columns, as parts of a line.
    package func spans<Target>(columns: Int) -> [ActiveLine<Target>.Span] {
        let window = window(columns: columns)
        let tone = isSelected ? Tone.selected : .field
        return [.init(window.before, tone), .init(window.under, .caret), .init(window.after, .field)]
    }

    /// The field as parts of a line, padded to a number of columns.
    package func spans<Target>(columns: Int, hasFocus: Bool, target: Target) -> [ActiveLine<Target>.Span] {
        let columns = max(columns, 1)
        let window = window(columns: columns)
        let room = columns - window.before.columnWidth - window.under.columnWidth
        let parts = [
            (window.before, hasFocus && isSelected ? Tone.selected : .field),
            (window.under, hasFocus ? .caret : .field), (window.after.padded(toColumns: room), .field),
        ]
        var used = 0
        return parts.map { text, tone in
            defer { used += text.columnWidth }
            return ActiveLine<Target>.Span(text, tone, target: target, offset: used)
        }
    }

    /// Moves the cursor to a clicked column of the visible part (``window(columns:)``).
    package mutating func click(column: Int, columns: Int) {
        var index = window(columns: columns).start
        var rest = index > 0 ? column - Self.markColumns(in: columns) : column
        // A click on the mark shows what is before.
        if rest < 0 { index = max(index - 1, 0) }
        while index < clusters.count, rest >= shown(index).columnWidth {
            rest -= shown(index).columnWidth
            index += 1
        }
        (cursor, isSelected) = (index, false)
    }

    /// A cluster as it is drawn: nothing that commands the terminal, and nothing that cannot be seen.
    private func shown(_ index: Int) -> String {
        if clusters[index].isNewline { return "↵" }
        let text = String(clusters[index]).sanitized()
        return text.columnWidth == 0 ? "\u{FFFD}" : text
    }
}

extension String {
    /// A text that was pasted: terminals send a return for each end of a line, and what is copied as a whole line ends with
    /// one.
    package var withoutLineBreakAtEnd: String {
        let text = replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

extension Character {
    fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
