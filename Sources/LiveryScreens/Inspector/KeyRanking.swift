// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

/// The orders of the list of keys.
enum KeySorting: String, CaseIterable, Hashable, Sendable {
    /// By name; the best matches of a filter first.
    case name
    /// The last change first.
    case change
    /// By the author of the last change.
    case author

    /// The next order, and after the last one the first.
    var next: KeySorting {
        let all = Self.allCases
        return all[((all.firstIndex(of: self) ?? 0) + 1) % all.count]
    }

    /// A word for the title.
    var word: String { self == .change ? "last change" : rawValue }
}

/// An order, with the facts that it sorts by.
struct KeySortOrder: Hashable, Sendable {
    var sorting = KeySorting.name
    var changes = LastChanges()
}

/// Which keys a list has, and in which order.
struct KeyRanking: Sendable {
    let query: KeyQuery?
    let sorting: KeySorting
    /// The place of each key's author among the authors.
    private var authors: [String: Int] = [:]

    /// - Returns: `nil` for all keys by name.
    init?(_ query: KeyQuery?, _ order: KeySortOrder) {
        if query == nil, order.sorting == .name { return nil }
        (self.query, sorting) = (query, order.sorting)
        if sorting == .author { authors = order.changes.authorPlaces }
    }

    /// The rank of a key; `nil` if the list does not have it.
    func rank(of key: String, in entries: ConfigEntries, work: inout Int) -> Int? {
        var score = 0
        if let query {
            guard let found = query.score(key, in: entries, work: &work) else { return nil }
            score = found
        }
        return switch sorting {
        case .name: -score
        case .change: entries[key].map { -Int($0.changedAt.milliseconds) } ?? .max
        case .author: authors[key] ?? .max
        }
    }
}

/// The authors of the last changes of keys, as far as the source records them.
struct LastChanges: Hashable, Sendable {
    /// The authors by key; a key without one is not here.
    private(set) var authors: [String: String] = [:]
    /// The width of the longest author; 0 without authors.
    let authorColumns: Int

    /// - Parameter records: the newest first.
    init(_ records: [HistoryRecord] = []) {
        for record in records where record.kind == .value && authors[record.key] == nil {
            authors[record.key] = record.author
        }
        authorColumns = authors.values.lazy.map(\.columnWidth).max() ?? 0
    }

    /// For each key the place of its author among the authors, sorted by name.
    var authorPlaces: [String: Int] {
        let places = Set(authors.values).sorted().enumerated().reduce(into: [:]) { $0[$1.element] = $1.offset }
        return authors.compactMapValues { places[$0] }
    }
}
