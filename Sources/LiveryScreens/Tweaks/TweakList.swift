// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import TerminalUI

/// The rows of the tweaks as lists: the categories, the rows of one, or the rows that a search finds.
struct TweakList: Sendable {
    /// A line of a list that can be selected.
    enum Entry {
        case category(String, items: [TweakItem])
        case item(TweakItem)
    }

    /// A line of a list.
    enum Row {
        case title(String)
        /// With its index among the lines that can be selected.
        case entry(Int, Entry)
    }

    var items: [TweakItem]
    /// The category that is open; `nil` for the list of categories.
    private(set) var category: String?
    /// The text that is searched for; `nil` without a search.
    private(set) var search: TextField?
    /// Whether letters go into the search.
    private(set) var isTyping = false
    /// The cursor in the category that was open before the search.
    private var cursorBeforeSearch: ListCursor?
    private var categoryCursor = ListCursor()
    private var itemCursor = ListCursor()

    init(_ items: [TweakItem]) { self.items = items }
}

extension TweakList {
    /// Whether the list is that of the categories.
    var isOverview: Bool { search == nil && category == nil }

    var cursor: ListCursor {
        get { isOverview ? categoryCursor : itemCursor }
        set { if isOverview { categoryCursor = newValue } else { itemCursor = newValue } }
    }

    /// The lines that can be selected.
    var entries: [Entry] {
        guard isOverview else { return sections.flatMap(\.items).map(Entry.item) }
        return Self.grouped(items, by: \.row.category).map { .category($0.title, items: $0.items) }
    }

    var selected: Entry? {
        let entries = entries
        return entries.indices.contains(cursor.index) ? entries[cursor.index] : nil
    }

    /// The lines, those of a section below its title.
    var rows: [Row] {
        if isOverview { return entries.enumerated().map(Row.entry) }
        var index = 0
        return sections.flatMap { section in
            [.title(section.title)]
                + section.items.map { item in
                    defer { index += 1 }
                    return Row.entry(index, .item(item))
                }
        }
    }

    /// The category that a reset of a category means.
    var categoryToReset: String? {
        switch selected {
        case .category(let name, _): name
        case .item(let item): item.row.category
        case nil: category
        }
    }

    /// The rows by their section, in the order in which the sections first came.
    private var sections: [(title: String, items: [TweakItem])] {
        let items = items.filter { item in
            search.map { item.row.matches($0.text) } ?? (item.row.category == category)
        }
        return Self.grouped(items) { item in
            search == nil ? item.row.section : "\(item.row.category) › \(item.row.section)"
        }
    }

    /// The items by their title, in the order in which the titles first came.
    private static func grouped(
        _ items: [TweakItem],
        by title: (TweakItem) -> String
    ) -> [(title: String, items: [TweakItem])] {
        var groups: [(title: String, items: [TweakItem])] = []
        for item in items {
            let title = title(item)
            if let place = groups.firstIndex(where: { $0.title == title }) {
                groups[place].items.append(item)
            } else {
                groups.append((title, [item]))
            }
        }
        return groups
    }
}

extension TweakList {
    mutating func open(_ name: String) {
        category = name
        cursor.index = 0
    }

    mutating func beginSearch() {
        isTyping = true
        if search != nil { return }
        cursorBeforeSearch = cursor
        search = TextField()
        cursor.index = 0
    }

    mutating func endTyping() { isTyping = false }

    /// Hands a key to the search.
    ///
    /// - Returns: whether the key means something there.
    mutating func type(_ key: Key) -> Bool {
        guard search?.handle(key) == true else { return false }
        cursor.index = 0
        return true
    }

    mutating func type(_ text: String) {
        search?.insert(text)
        cursor.index = 0
    }

    /// Leaves the search, or the category.
    ///
    /// - Returns: whether there was one.
    mutating func back() -> Bool {
        if search != nil {
            endSearch()
        } else if category != nil {
            category = nil
        } else {
            return false
        }
        return true
    }

    /// Leaves the search with the cursor on its row, if that is in the list from which the search began.
    private mutating func endSearch() {
        let found = selected
        search = nil
        isTyping = false
        if let before = cursorBeforeSearch.take() { itemCursor = before }
        guard case .item(let item) = found else { return }
        let index = entries.firstIndex { entry in
            switch entry {
            case .category(let name, _): name == item.row.category
            case .item(let other): other.id == item.id
            }
        }
        if let index { cursor.index = index }
    }
}
