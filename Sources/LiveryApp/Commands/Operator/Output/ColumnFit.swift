/// Shares the columns of a line among texts.
enum ColumnFit {
    /// The widths that texts get: what they need if there is room for all, else less for the longest.
    ///
    /// The room is what remains once every text has been given as much as the others, up to its need; so short texts
    /// are never cut for the sake of long ones.
    ///
    /// ```swift
    /// ColumnFit.widths(for: [3, 40, 60], in: 63)  // [3, 30, 30]
    /// ```
    static func widths(for needs: [Int], in columns: Int) -> [Int] {
        var widths = needs
        var room = max(columns, 0)
        for (rank, index) in needs.indices.sorted(by: { needs[$0] < needs[$1] }).enumerated() {
            widths[index] = min(needs[index], room / (needs.count - rank))
            room -= widths[index]
        }
        return widths
    }
}
