// SPDX-License-Identifier: Apache-2.0

/// The state of a list of lines that is scrolled by keys, wheel and scrollbar, and searched by words.
///
/// It does not contain the lines: their number, as far as the search has found them, comes with each event.
package struct ScrolledList: Hashable, Sendable {
    /// The first line in sight, but for the limits of the list.
    package private(set) var top = 0
    /// The text that is searched for; `nil` without a search.
    package private(set) var search: TextField?
    /// Whether keys type into the search.
    package private(set) var isTyping = false

    package init() {}

    /// The visible part of a number of lines.
    package func scrollbar(count: Int, page: Int) -> Scrollbar { Scrollbar(count: count, page: page, top: top) }

    /// Keeps the lines in sight within the list.
    package mutating func clamp(count: Int, page: Int) { top = scrollbar(count: count, page: page).top }

    package mutating func scroll(to row: Int, count: Int, page: Int) {
        top = row
        clamp(count: count, page: page)
    }

    /// Handles a key: the arrows, those of vi and pages scroll, `/` searches, Enter and Esc end that.
    ///
    /// - Returns: whether the key means something to a list.
    package mutating func handle(_ key: Key, count: Int, page: Int) -> Bool {
        if key == Key(.escape) { return endSearch() }
        if isTyping, type(key) { return true }
        if !isTyping, key == .character("/") {
            (search, isTyping) = (search ?? TextField(), true)
            return true
        }
        if isTyping, !ListCursor.movesWhileTyping(key) { return false }
        let bar = scrollbar(count: count, page: page)
        var cursor = ListCursor()
        cursor.index = bar.top
        let key = key == .character(" ") ? Key(.pageDown) : key
        guard cursor.handle(key, count: bar.lastTop + 1, page: bar.page) else { return false }
        top = cursor.index
        return true
    }

    private mutating func type(_ key: Key) -> Bool {
        if key == Key(.enter) {
            isTyping = false
            if search?.text.isEmpty == true { search = nil }
            return true
        }
        guard search?.handle(key) == true else { return false }
        top = 0
        return true
    }

    /// Types a text that was pasted, as far as its first line.
    package mutating func paste(_ text: String) {
        guard isTyping else { return }
        search?.insert(text.firstLine)
        top = 0
    }

    /// - Returns: whether there was a search.
    package mutating func endSearch() -> Bool {
        defer { (search, isTyping) = (nil, false) }
        return search != nil
    }
}

extension TextField {
    /// A search as a title shows it: `/` and the text, with the cursor while it is typed.
    package func searchSpans<Target>(
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
