// SPDX-License-Identifier: Apache-2.0

import Basics

/// The lines of a list at one moment, and the room for them.
package struct ListExtent: Hashable, Sendable {
    /// The number of lines.
    package let lines: Int
    /// The first line of each entry; `nil` if each line is an entry. A list without entries only scrolls.
    package let starts: [Int]?
    /// The number of lines in sight at once, 1 or more.
    package let page: Int

    package init(lines: Int, starts: [Int]? = nil, page: Int) {
        (self.lines, self.starts, self.page) = (lines, starts, max(page, 1))
    }

    /// The number of entries.
    package var entries: Int { starts?.count ?? lines }

    /// The entry of a line; `nil` before the first one.
    package func entry(ofLine line: Int) -> Int? {
        guard let starts else { return line }
        let next = starts.lowerBound { $0 <= line }
        return next == 0 ? nil : next - 1
    }

    /// The lines of an entry, with all lines up to the next one.
    package func lines(ofEntry entry: Int) -> Range<Int> {
        guard let starts, starts.indices.contains(entry) else { return entry..<entry + 1 }
        return starts[entry]..<(entry + 1 < starts.count ? starts[entry + 1] : max(lines, starts[entry] + 1))
    }
}

/// A move through a list.
package enum ListMove: Hashable, Sendable {
    case up, down, pageUp, pageDown, start, end

    /// The move of a key while letters go into a filter.
    package static func whileTyping(_ key: Key) -> ListMove? {
        guard !key.isChord else { return nil }
        return switch key.code {
        case .up: .up
        case .down: .down
        case .pageUp: .pageUp
        case .pageDown: .pageDown
        default: nil
        }
    }
}

/// The state of a list: the entry of the cursor, the lines in sight, the filter, and the mouse on its scrollbar.
///
/// It does not contain the lines: how many there are comes with each event, as a ``ListExtent``.
package struct ListState: Hashable, Sendable {
    /// The entry that the cursor is on.
    package private(set) var cursor = 0
    /// The first line in sight, but for the limits of the list.
    package private(set) var top = 0
    /// The text that filters the list; `nil` without a filter.
    package var filter: TextField?
    /// Whether letters go into the filter.
    package private(set) var isTyping = false
    /// Whether the list takes the whole screen.
    package var isZoomed = false
    private var grip = ScrollGrip()

    package init() {}

    /// A list whose filter always has the keyboard.
    package static var filtering: ListState {
        var list = ListState()
        list.beginFilter()
        return list
    }

    /// The lines in sight.
    package func scrollbar(_ extent: ListExtent) -> Scrollbar {
        Scrollbar(count: extent.lines, page: extent.page, top: top)
    }

    /// Puts the cursor on an entry, and scrolls until it is in sight: all of it, or its beginning.
    package mutating func select(_ entry: Int, _ extent: ListExtent) {
        cursor = max(min(entry, extent.entries - 1), 0)
        top = scrollbar(extent).top
        guard cursor < extent.entries else { return }
        let lines = extent.lines(ofEntry: cursor)
        // The lines before the first entry are its head.
        let first = cursor == 0 ? 0 : lines.lowerBound
        let end = lines.upperBound - extent.page
        if lines.lowerBound < top { top = first }
        if end > top { top = min(lines.lowerBound, end) }
    }

    /// Scrolls; the cursor stays in sight.
    package mutating func scroll(to row: Int, _ extent: ListExtent) {
        top = Scrollbar(count: extent.lines, page: extent.page, top: row).top
        guard extent.entries > 0 else { return }
        let line = extent.lines(ofEntry: cursor).lowerBound
        let sight = top..<top + extent.page
        guard !sight.contains(line) else { return }
        if line < top {
            let entry = extent.entry(ofLine: top) ?? 0
            let begins = extent.lines(ofEntry: entry).lowerBound >= top
            cursor = begins ? entry : min(entry + 1, extent.entries - 1)
            // No entry begins in sight.
            if !sight.contains(extent.lines(ofEntry: cursor).lowerBound) { cursor = entry }
        } else {
            cursor = extent.entry(ofLine: sight.upperBound - 1) ?? 0
        }
    }

    /// Moves the cursor; a list without entries, or with entries of several lines, is scrolled by pages.
    package mutating func move(_ move: ListMove, _ extent: ListExtent) {
        let scrolls = extent.starts != nil
        switch move {
        case .up where extent.entries == 0: scroll(to: top - 1, extent)
        case .down where extent.entries == 0: scroll(to: top + 1, extent)
        case .up: select(cursor - 1, extent)
        case .down: select(cursor + 1, extent)
        case .pageUp where scrolls: scroll(to: top - extent.page, extent)
        case .pageDown where scrolls: scroll(to: top + extent.page, extent)
        case .pageUp: select(cursor - extent.page, extent)
        case .pageDown: select(cursor + extent.page, extent)
        case .start: select(0, extent)
        case .end:
            select(extent.entries - 1, extent)
            if scrolls { scroll(to: extent.lines, extent) }
        }
        if move == .start { top = 0 }
    }

    /// Keeps the cursor and the lines in sight within a list that may have become shorter.
    package mutating func clamp(_ extent: ListExtent) {
        (cursor, top) = (max(min(cursor, extent.entries - 1), 0), scrollbar(extent).top)
    }

    /// Keeps the cursor on an entry that has got another number, where it is on the screen.
    package mutating func follow(_ entry: Int) { (cursor, top) = (entry, max(top + entry - cursor, 0)) }

    /// Puts the cursor and the lines in sight back to the beginning.
    package mutating func reset() { (cursor, top) = (0, 0) }
}

// The filter.
extension ListState {
    /// The text of the filter; `nil` if it is empty.
    package var filterText: String? { filter.flatMap { $0.text.isEmpty ? nil : $0.text } }

    package mutating func beginFilter() {
        filter = TextField(selecting: filter?.text ?? "")
        isTyping = true
    }

    /// Gives the keyboard back to the list; an empty filter goes.
    package mutating func endTyping() {
        isTyping = false
        if filterText == nil { filter = nil }
    }

    /// - Returns: whether there was a filter.
    @discardableResult
    package mutating func clearFilter() -> Bool {
        defer { (filter, isTyping) = (nil, false) }
        return filter != nil
    }
}

// The mouse.
extension ListState {
    /// Handles the wheel and the scrollbar.
    ///
    /// - Returns: whether the mouse did something to them.
    package mutating func handle<Target>(
        _ mouse: MouseEvent,
        on panel: Panel<Target>,
        _ extent: ListExtent
    ) -> Bool {
        guard let top = grip.top(after: mouse, on: panel) else { return false }
        scroll(to: top, extent)
        return true
    }
}

extension TextField {
    /// A filter as a title shows it: `/` and the text, with the cursor while it is typed.
    package func filterSpans<Target>(
        isTyping: Bool,
        columns: Int,
        target: Target? = nil
    ) -> [ActiveLine<Target>.Span] {
        guard isTyping else {
            return [.init("/" + text.sanitized().truncated(toColumns: columns), .title, target: target)]
        }
        return [.init("/", .title)] + spans(columns: columns)
    }
}
