// SPDX-License-Identifier: Apache-2.0

extension ActiveLine {
    /// The minimum width of a text next to its term; otherwise it is below it.
    private static var minimumTextColumns: Int { 16 }

    /// A term and its text, wrapped: next to the term, or below it if there is too little room.
    ///
    /// ```
    /// Space  Toggles what is        Space
    ///        selected                 Toggles what
    ///                                 is selected
    /// ```
    ///
    /// - Parameters:
    ///   - indent: The columns of the longest term and the gap after it.
    ///   - columns: The room for all.
    package static func hanging(_ term: Span, indent: Int, _ text: Span, columns: Int) -> [ActiveLine] {
        let isSidePanel = columns - indent >= minimumTextColumns
        let room = columns - (isSidePanel ? indent : 2)
        let parts = text.text.wrapped(toColumns: max(room, 1), maximumLines: maximumLines)
        let lines = parts.enumerated().map { index, part in
            var (head, body) = (term, text)
            head.text =
                isSidePanel && index == 0 ? term.text.padded(toColumns: indent) : blanks(isSidePanel ? indent : 2)
            body.text = part
            return ActiveLine([head, body])
        }
        if isSidePanel { return lines }
        var head = term
        return head.text.wrapped(toColumns: max(columns, 1), maximumLines: maximumLines).map { part in
            head.text = part
            return ActiveLine([head])
        } + lines
    }

    /// A text after a sign, wrapped within its own indentation.
    ///
    /// ```
    /// +     "text": "The server is
    ///       not reachable",
    /// ```
    ///
    /// - Parameters:
    ///   - hang: The columns by which all lines but the first one are indented more.
    ///   - part: The part of the text with another tone, as offsets in UTF-8.
    ///   - mark: The tone of the part.
    ///   - columns: The room for all.
    package static func indented(
        _ sign: Span,
        _ text: Span,
        hang: Int = 0,
        part: Range<Int>? = nil,
        as mark: Tone = .accent,
        columns: Int
    ) -> [ActiveLine] {
        let indent = String(text.text.prefix { $0 == " " }.prefix(max(columns / 2, 0)))
        var rest = text.text.dropFirst(indent.count)
        let room = max(columns - sign.text.columnWidth - indent.count - hang, 1)
        let lines = rest.wrapped(toColumns: room, maximumLines: maximumIndentedLines)
        return (lines.isEmpty ? [""] : lines).enumerated().map { index, line in
            // Spaces are left out where a line is broken.
            rest = rest.drop { $0 == " " }
            let start = text.text.utf8.distance(from: text.text.startIndex, to: rest.startIndex)
            rest = rest.dropFirst(line.count)
            let blank = String(repeating: " ", count: sign.text.columnWidth + hang)
            let head = index == 0 ? [sign, Span(indent)] : [Span(blank + indent)]
            let marks = part.map { [max($0.lowerBound - start, 0)..<max($0.upperBound - start, 0)] } ?? []
            return ActiveLine(head + Span(line, text.tone).marked(marks, as: mark))
        }
    }

    private static var maximumLines: Int { 100 }
    /// More than the longest value of a server has, which is 65,535 bytes long; only files have longer ones.
    private static var maximumIndentedLines: Int { 1 << 16 }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}
