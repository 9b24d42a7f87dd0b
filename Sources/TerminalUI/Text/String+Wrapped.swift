// SPDX-License-Identifier: Apache-2.0

extension StringProtocol {
    /// The text cut to a number of columns, with an ellipsis where something is missing.
    ///
    /// The cut is between two clusters, so no emoji or accented letter is split, and the result never exceeds the width: an
    /// ellipsis that is itself too wide is left out, and zero columns or less give the empty string.
    ///
    /// ```swift
    /// "theme.background".truncated(toColumns: 8)   // "theme.b…"
    /// ```
    public func truncated(toColumns columns: Int, ellipsis: String = "…") -> String {
        guard columns > 0 else { return "" }
        // Without segmentation.
        if utf8.count <= columns, isPrintableASCII { return String(self) }
        let whole = prefix(fitting: columns)
        if whole.endIndex == endIndex { return String(self) }
        let room = columns - ellipsis.columnWidth
        return room < 0 ? String(whole) : prefix(fitting: room) + ellipsis
    }

    /// The longest beginning of whole clusters that is no wider than the columns.
    func prefix(fitting columns: Int) -> SubSequence {
        var used = 0
        return prefix { cluster in
            used += cluster.columnWidth
            return used <= columns
        }
    }
}

extension StringProtocol {
    /// The text as lines of at most a number of columns, broken between words.
    ///
    /// Lines break at spaces, which are dropped at both ends of a line, and at newlines. A word that is wider than a line is
    /// broken between two clusters; a cluster that is wider than a line becomes `…`. If the text does not fit into the lines,
    /// the last one ends in `…`. Without columns or lines the result is empty.
    ///
    /// ```swift
    /// "The server is not reachable".wrapped(toColumns: 10, maximumLines: 2)   // ["The server", "is not re…"]
    /// ```
    public func wrapped(toColumns columns: Int, maximumLines: Int) -> [String] {
        guard columns > 0 else { return [] }
        var lines: [String] = []
        var rest = String(self)[...]
        while !rest.isEmpty, lines.count < maximumLines {
            let text = rest.drop(while: \.isBreakingSpace)
            let line = BrokenLine(startOf: text, columns: columns)
            let isCutOff = lines.count == maximumLines - 1 && line.rest.contains { !$0.isWhitespace }
            lines.append(isCutOff ? text.lineEndingInEllipsis(columns: columns) : line.text)
            rest = line.rest
        }
        return lines
    }
}

extension Substring {
    /// As much of the first paragraph as leaves room for an ellipsis, and the ellipsis.
    fileprivate func lineEndingInEllipsis(columns: Int) -> String {
        prefix(fitting: columns - 1).prefix { !$0.isNewline }.droppingTrailingSpaces() + "…"
    }
}

extension BidirectionalCollection<Character> {
    package func droppingTrailingSpaces() -> SubSequence {
        guard let last = lastIndex(where: { !$0.isBreakingSpace }) else { return prefix(0) }
        return self[...last]
    }
}

extension Character {
    /// Whether a line may break at the character, which then is not shown.
    fileprivate var isBreakingSpace: Bool {
        self == " " || self == "\t" || self == "\u{3000}"
    }
}

/// The first line of a text that does not begin with a space, and the rest.
private struct BrokenLine {
    let text: String
    let rest: Substring

    init(startOf source: Substring, columns: Int) {
        var line = source.prefix(fitting: columns).prefix { !$0.isNewline }
        let next = source[line.endIndex...].first
        let isWhole = next.map { $0.isNewline || $0.isBreakingSpace } ?? true
        if !isWhole {
            line = line[..<(line.lastIndex(where: \.isBreakingSpace) ?? line.endIndex)]
        }
        let isTooNarrow = line.isEmpty && !isWhole
        text = isTooNarrow ? "…" : String(line.droppingTrailingSpaces())

        let remainder = source[line.endIndex...].dropFirst(isTooNarrow ? 1 : 0).drop(while: \.isBreakingSpace)
        rest = remainder.first?.isNewline == true ? remainder.dropFirst() : remainder
    }
}
