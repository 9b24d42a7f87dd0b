// SPDX-License-Identifier: Apache-2.0

/// One line of text with a cursor between its grapheme clusters.
package struct TextField: Hashable, Sendable {
    /// The text, cluster by cluster.
    package private(set) var clusters: [Character]
    /// The number of clusters before the cursor.
    package private(set) var cursor: Int

    package init(_ text: String = "") {
        clusters = Array(text)
        cursor = clusters.count
    }

    package var text: String { String(clusters) }

    package mutating func insert(_ text: String) {
        replace(cursor..<cursor, with: text)
    }

    /// - Returns: whether a field has a use for the key.
    package mutating func handle(_ key: Key) -> Bool {
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

    private mutating func replace(_ range: Range<Int>, with text: String) {
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
    /// The visible part in a number of columns, from the first visible cluster: the text left of the cursor, the one under it
    /// (a space at the end of the text), and the text right of it.
    package func window(columns: Int) -> (start: Int, before: String, under: String, after: String) {
        let under = cursor < clusters.count ? shown(cursor) : " "
        var start = cursor
        var used = max(under.columnWidth, 1)
        while start > 0, used + shown(start - 1).columnWidth <= columns {
            start -= 1
            used += shown(start).columnWidth
        }
        let before = (start..<cursor).map(shown).joined()
        let rest = clusters.indices.dropFirst(cursor + 1).prefix(max(columns, 0)).map(shown).joined()
        let after = rest.truncated(toColumns: columns - used, ellipsis: "")
        return (start, before, under.columnWidth <= columns ? under : "", after)
    }

    /// The visible part in a number of columns, as parts of a line.
    package func spans<Target>(columns: Int) -> [ActiveLine<Target>.Span] {
        let window = window(columns: columns)
        return [.init(window.before, .field), .init(window.under, .caret), .init(window.after, .field)]
    }

    /// Moves the cursor to a clicked column of the visible part (``window(columns:)``).
    package mutating func click(column: Int, columns: Int) {
        var rest = column
        var index = window(columns: columns).start
        while index < clusters.count, rest >= shown(index).columnWidth {
            rest -= shown(index).columnWidth
            index += 1
        }
        cursor = index
    }

    /// A cluster as it is drawn: nothing that commands the terminal, and nothing that cannot be seen.
    private func shown(_ index: Int) -> String {
        let text = String(clusters[index]).sanitized()
        return text.columnWidth == 0 ? "\u{FFFD}" : text
    }
}

extension String {
    /// The first line, which a field takes of a text that was pasted.
    package var firstLine: String { split(whereSeparator: \.isNewline).first.map(String.init) ?? "" }
}

extension Character {
    fileprivate var isWordPart: Bool { isLetter || isNumber || self == "_" }
}
