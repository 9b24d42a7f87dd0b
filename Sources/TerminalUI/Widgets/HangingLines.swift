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

    private static var maximumLines: Int { 100 }

    private static func blanks(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}
