extension StringProtocol {
    /// The text cut to a number of columns, with an ellipsis where something is missing.
    ///
    /// The cut is between two clusters, so no emoji or accented letter is torn, and the result is never wider than
    /// asked. Text that fits is returned unchanged; an ellipsis that is itself too wide is left out.
    ///
    /// ```swift
    /// "theme.background".truncated(toColumns: 8)   // "theme.b…"
    /// "設定".truncated(toColumns: 3)                // "設…"
    /// ```
    ///
    /// - Parameters:
    ///   - columns: The columns there are; zero or less gives the empty string.
    ///   - ellipsis: What stands for the missing text.
    /// - Returns: The text, or its beginning followed by the ellipsis.
    public func truncated(toColumns columns: Int, ellipsis: String = "…") -> String {
        guard columns > 0 else { return "" }
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
