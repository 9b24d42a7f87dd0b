/// Which line of a list is selected.
package struct ListCursor: Hashable, Sendable {
    /// The index of the selected line.
    package var index = 0

    /// Creates a cursor on the first line.
    package init() {}

    /// Takes a key in, as arrows or as in vi.
    ///
    /// - Parameters:
    ///   - key: the key.
    ///   - count: how many lines there are.
    ///   - page: how many of them are seen at once.
    /// - Returns: whether the key moves through lists.
    package mutating func handle(_ key: Key, count: Int, page: Int) -> Bool {
        switch key.code {
        case .up, .character("k"): index -= 1
        case .down, .character("j"): index += 1
        case .pageUp: index -= max(page, 1)
        case .pageDown: index += max(page, 1)
        case .home, .character("g"): index = 0
        case .end, .character("G"): index = count - 1
        default: return false
        }
        clamp(to: count)
        return true
    }

    /// Keeps the cursor on a list that may have become shorter.
    package mutating func clamp(to count: Int) { index = max(min(index, count - 1), 0) }

    /// The first of so many rows that are shown, so that one row is in the middle if it can be.
    package static func top(showing row: Int, of count: Int, rows: Int) -> Int {
        max(min(row - rows / 2, count - rows), 0)
    }
}
