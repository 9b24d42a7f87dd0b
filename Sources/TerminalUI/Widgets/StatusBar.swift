// SPDX-License-Identifier: Apache-2.0

/// Facts in one row: as many as fit, the most important ones kept longest, always in the same order. On the right, a fact is
/// dropped together with all less important ones, so that facts appear in one order as the row grows.
public struct StatusBar: Hashable, Sendable {
    /// One fact.
    public struct Item: Hashable, Sendable {
        /// The text.
        public var text: String
        /// The order in which facts are dropped when room is short; 0 is kept longest, and of equal ones the first.
        public var rank: Int
        /// Whether it is on the right.
        public var isTrailing: Bool
        /// Whether it is cut with an ellipsis rather than left out.
        public var isTruncatable: Bool
        /// The minimum columns of a truncatable fact before less important facts, if it is that long.
        public var minimumColumns = 0
        /// The target of a click, as named by its owner.
        public var target: String?
        /// The text, cut to width, if there is no room for all of ``text``.
        public var shorter: String?

        /// Creates a fact.
        public init(
            _ text: String,
            rank: Int,
            isTrailing: Bool = false,
            isTruncatable: Bool = false,
            target: String? = nil
        ) {
            self.target = target
            self.text = text.sanitized()
            self.rank = rank
            self.isTrailing = isTrailing
            self.isTruncatable = isTruncatable
        }

        /// Creates a fact with a shorter form, which is cut with an ellipsis where that is too long as well.
        public init(_ text: String, shorter: String, rank: Int, minimumColumns: Int = 0, target: String? = nil) {
            self.init(text, rank: rank, isTruncatable: true, target: target)
            self.shorter = shorter.sanitized()
            self.minimumColumns = minimumColumns
        }

        /// The columns that are kept free for the fact while more important ones are placed.
        fileprivate var reserve: Int {
            minimumColumns > 0 ? min(minimumColumns, (shorter ?? text).columnWidth) + StatusBar.gap.count : 0
        }
    }

    /// The facts in their order.
    public var items: [Item]

    private static let gap = "  "
    private static let margin = 1

    /// Creates a bar.
    public init(items: [Item]) {
        self.items = items.filter { !$0.text.isEmpty }
    }

    /// The row's text, exactly as wide as requested; a negative width counts as zero.
    public func text(columns: Int) -> String {
        let columns = max(columns, 0)
        let room = columns - 2 * Self.margin
        guard room > 0 else { return String(repeating: " ", count: columns) }
        let kept = fitting(room)
        let leading = kept.filter { !$0.isTrailing }.map(\.text).joined(separator: Self.gap)
        let trailing = kept.filter(\.isTrailing).map(\.text).joined(separator: Self.gap)
        let filling = room - leading.columnWidth - trailing.columnWidth
        return " " + leading + String(repeating: " ", count: max(filling, 0)) + trailing + " "
    }

    /// The item in a column of the row; `nil` if there is none.
    public func item(at column: Int, columns: Int) -> Item? {
        let kept = fitting(max(columns - 2 * Self.margin, 0))
        let (leading, trailing) = (kept.filter { !$0.isTrailing }, kept.filter(\.isTrailing))
        let width = trailing.reduce(0) { $0 + $1.text.columnWidth } + max(trailing.count - 1, 0) * Self.gap.count
        for (items, first) in [(leading, Self.margin), (trailing, columns - Self.margin - width)] {
            var start = first
            for item in items {
                let end = start + item.text.columnWidth
                if (start..<end).contains(column) { return item }
                start = end + Self.gap.count
            }
        }
        return nil
    }

    private func fitting(_ room: Int) -> [Item] {
        var kept: [Item?] = Array(repeating: nil, count: items.count)
        var free = room
        var gap = 0
        var hasRoomOnTheRight = true
        let order = items.indices.sorted { (items[$0].rank, $0) < (items[$1].rank, $1) }
        var reserved = items.reduce(0) { $0 + $1.reserve }
        for index in order {
            var item = items[index]
            reserved -= item.reserve
            if let shorter = item.shorter, item.text.columnWidth > free - gap { item.text = shorter }
            if item.isTruncatable { item.text = item.text.truncated(toColumns: max(free - gap, 0)) }
            let width = item.text.columnWidth
            // No room is reserved from the most important fact.
            let limit = item.rank == 0 ? free : free - reserved
            guard width > 0, gap + width <= limit, hasRoomOnTheRight || !item.isTrailing else {
                if item.isTrailing { hasRoomOnTheRight = false }
                continue
            }
            free -= gap + width
            gap = Self.gap.count
            kept[index] = item
        }
        return kept.compactMap { $0 }
    }
}
