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

    private typealias Section = (title: String, items: [TweakItem])

    var items: [TweakItem]
    /// The category that is open; `nil` for the list of categories.
    var category: String?
    /// The text that is searched for in all categories; `nil` without a search.
    var search: String?

    init(_ items: [TweakItem]) { self.items = items }
}

extension TweakList {
    /// Whether the list is that of the categories.
    var isOverview: Bool { search == nil && category == nil }

    /// The lines that can be selected.
    var entries: [Entry] {
        guard isOverview else { return sections.flatMap(\.items).map(Entry.item) }
        return Self.grouped(items, by: \.row.category).map { .category($0.title, items: $0.items) }
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

    /// The rows by their section, in the order in which the sections first came.
    private var sections: [Section] {
        let items = items.filter { item in
            search.map { item.row.matches($0) } ?? (item.row.category == category)
        }
        return Self.grouped(items) { item in
            search == nil ? item.row.section : "\(item.row.category) › \(item.row.section)"
        }
    }

    /// The items by their title, in the order in which the titles first came.
    private static func grouped(_ items: [TweakItem], by title: (TweakItem) -> String) -> [Section] {
        items.reduce(into: []) { sections, item in
            let title = title(item)
            let place = sections.firstIndex { $0.title == title } ?? sections.count
            if place == sections.count { sections.append((title, [])) }
            sections[place].items.append(item)
        }
    }
}

extension TweakList {
    /// Leaves the category.
    ///
    /// - Returns: its index among the categories; `nil` if none is open.
    mutating func close() -> Int? {
        guard let name = category.take() else { return nil }
        return entries.firstIndex { if case .category(name, _) = $0 { true } else { false } }
    }

    /// The index of a row, or of its category.
    func index(of item: TweakItem) -> Int? {
        entries.firstIndex { entry in
            switch entry {
            case .category(let name, _): name == item.row.category
            case .item(let other): other.id == item.id
            }
        }
    }
}
