// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI

/// The keys of a configuration as a list with a cursor, which may be filtered, sorted and folded.
///
/// Whatever the number of keys, an event costs what is in sight: a place in the list is found by its key.
struct KeyList: Sendable {
    /// All keys, sorted.
    private(set) var keys: [String] = []
    /// The keys that have a rule and no value, sorted.
    private var valueless: [String] = []
    private(set) var wantedColumns = InspectorColumns.Wanted([], in: ConfigEntries())
    /// The keys that the filter has found, or all in another order; `nil` for all keys by name.
    private(set) var listing: KeyListing?
    /// The keys that the last filter has found, after it was cleared.
    private var found: KeyListing?
    private(set) var order = KeySortOrder()
    private var folds = KeyFolds()
    /// The field of the filter.
    private(set) var field = TextField()
    /// Whether letters go into the filter.
    private(set) var isTyping = false
    /// How many rows are in sight at once.
    var page = 1
    /// The key that the cursor is on; where that is not in the list, the cursor is on the next one. `nil` for the first one.
    private var selected: RankedKey?
    /// The first row in sight, but for the limits of the list.
    private var top = 0

    init(_ configuration: ConfigState.Snapshot) { load(configuration) }
}

extension KeyList {
    var rows: KeyRows { listing.map { .ranked($0.found) } ?? .named(keys, folds) }
    /// The filter; `nil` without one.
    var query: KeyQuery? { listing?.ranking.query }
    /// The filter, or the one before it was cleared, whose matches are marked.
    var markedQuery: KeyQuery? { query ?? found?.ranking.query }
    /// Whether there are keys that a filter or an order still has to look at; see ``continueWork(in:)``.
    var isWorking: Bool { listing?.isComplete == false || found?.isComplete == false }
    /// The row that the cursor is on.
    var cursor: Int { selected.map { max(min(rows.row(of: $0), rows.count - 1), 0) } ?? 0 }

    /// `nil` on a group, and without rows.
    var selectedKey: String? {
        let rows = rows
        guard !rows.isEmpty, case .key(let key) = rows[cursor] else { return nil }
        return key
    }

    /// Which rows are in sight, among them that of the cursor.
    var scrollbar: Scrollbar {
        let cursor = cursor
        return Scrollbar(count: rows.count, page: page, top: min(max(top, cursor - page + 1), cursor))
    }

    /// Puts the cursor on a row.
    mutating func select(_ row: Int) {
        top = scrollbar.top
        let rows = rows
        if !rows.isEmpty { selected = rows.key(at: max(min(row, rows.count - 1), 0)) }
        top = scrollbar.top
    }

    /// Puts the cursor on a key, without the filter and the folds that hide it.
    mutating func select(_ key: String, in entries: ConfigEntries) {
        if query != nil, listing?.found.rank(of: key) == nil { clearFilter(in: entries) }
        if listing == nil { return select(unfolding: key) }
        var work = 0
        let rank = listing?.ranking.rank(of: key, in: entries, work: &work) ?? 0
        select(rows.row(of: RankedKey(rank: rank, key: key)))
    }

    private mutating func select(unfolding key: String) {
        _ = folds.unfold(at: keys.lowerBound { $0 < key }, of: keys)
        select(rows.row(of: RankedKey(key: key)))
    }

    /// Moves the cursor by a key.
    ///
    /// - Returns: whether the key does.
    mutating func move(_ key: Key) -> Bool {
        var list = ListCursor()
        list.index = cursor
        let key = key == .character(" ") ? Key(.pageDown) : key
        guard list.handle(key, count: rows.count, page: page) else { return false }
        select(list.index)
        return true
    }

    /// Scrolls to other rows; the cursor stays visible.
    mutating func scroll(toTop row: Int) {
        let bar = Scrollbar(count: rows.count, page: page, top: row)
        let cursor = min(max(cursor, bar.top), bar.top + bar.page - 1)
        top = bar.top
        if cursor < rows.count { selected = rows.key(at: cursor) }
    }

    /// Changes the list, and leaves the cursor's row where it is on the screen.
    private mutating func keepingPlace(_ change: (inout Self) -> Void) {
        let offset = cursor - scrollbar.top
        change(&self)
        if let selected, let rank = listing?.found.rank(of: selected.key) { self.selected?.rank = rank }
        top = cursor - offset
    }
}

// Changes of the configuration.
extension KeyList {
    /// Takes in another state of the configuration.
    mutating func update(from before: ConfigState.Snapshot, to next: ConfigState.Snapshot) {
        keepingPlace { $0.replace(before, with: next) }
    }

    private mutating func load(_ configuration: ConfigState.Snapshot) {
        valueless = configuration.snapshot.keysOfRulesAlone
        keys = configuration.keys.merged(with: valueless)
        folds.apply(to: keys)
        wantedColumns = InspectorColumns.Wanted(keys, in: configuration.snapshot.entries)
    }

    private mutating func replace(_ before: ConfigState.Snapshot, with next: ConfigState.Snapshot) {
        let (revision, entries) = (before.snapshot.revision, next.snapshot.entries)
        let ruled = next.snapshot.keysOfRulesAlone
        let isRuledAsBefore = ruled == valueless
        let isSame = next.snapshot.revision == revision && next.keys.count + ruled.count == keys.count
        if isSame, isRuledAsBefore { return }
        load(next)
        let changed = isRuledAsBefore ? next.changedKeys(since: revision) : nil
        for listing in [\KeyList.listing, \.found] {
            guard let ranking = self[keyPath: listing]?.ranking else { continue }
            if let changed, self[keyPath: listing]?.update(changed, in: entries) == true { continue }
            self[keyPath: listing] = KeyListing(ranking, among: keys)
            self[keyPath: listing]?.continueWork(in: entries)
        }
    }

    /// Looks at the next keys.
    mutating func continueWork(in entries: ConfigEntries) {
        keepingPlace { list in
            if list.listing?.isComplete == false {
                list.listing?.continueWork(in: entries)
            } else {
                list.found?.continueWork(in: entries)
            }
        }
    }
}

// The filter.
extension KeyList {
    mutating func beginFilter() { isTyping = true }

    /// Hands a key to the field of the filter.
    ///
    /// - Returns: whether the key means something there.
    mutating func type(_ key: Key, in entries: ConfigEntries) -> Bool {
        guard field.handle(key) else { return false }
        filterByField(entries)
        return true
    }

    /// Types the first line of a text.
    mutating func type(_ text: String, in entries: ConfigEntries) {
        field.insert(text.firstLine)
        filterByField(entries)
    }

    private mutating func filterByField(_ entries: ConfigEntries) {
        let text = field.text
        guard ExactString(text) != ExactString(query?.text ?? "") else { return }
        // The best match is the first one.
        (selected, top, found) = (nil, 0, nil)
        list(text.isEmpty ? nil : KeyQuery(text), entries)
    }

    /// Ends the typing.
    mutating func endFilter(in entries: ConfigEntries) {
        isTyping = false
        select(cursor)
        if query == nil { clearFilter(in: entries) }
    }

    /// Shows all keys again, with the cursor on its key.
    mutating func clearFilter(in entries: ConfigEntries) {
        select(cursor)
        if query != nil { found = listing }
        (isTyping, field) = (false, TextField())
        keepingPlace { $0.list(nil, entries) }
    }

    /// Moves the cursor to the next match of the filter, or to the one before, and from the last to the first.
    ///
    /// - Returns: whether there is one.
    mutating func find(forward: Bool) -> Bool {
        let (rows, cursor) = (rows, cursor)
        guard query == nil else {
            if !rows.isEmpty { select((cursor + (forward ? 1 : rows.count - 1)) % rows.count) }
            return !rows.isEmpty
        }
        guard let matches = found?.found, matches.count > 0 else { return false }
        let match = matches.neighbor(of: rows.key(at: cursor), byName: listing == nil, forward: forward)
        if listing == nil { select(unfolding: match.key) } else { select(rows.row(of: match)) }
        return true
    }
}

// The order and the groups.
extension KeyList {
    /// Sorts the list.
    mutating func sort(by order: KeySortOrder, in entries: ConfigEntries) {
        select(cursor)
        self.order = order
        keepingPlace { list in
            list.list(list.query, entries)
            let matches = list.found?.ranking.query.flatMap { KeyRanking($0, order) }
            list.found = matches.map { KeyListing($0, among: list.keys) }
        }
    }

    private mutating func list(_ query: KeyQuery?, _ entries: ConfigEntries) {
        listing = KeyRanking(query, order).map { KeyListing($0, among: keys, after: listing) }
        listing?.continueWork(in: entries)
    }

    /// Whether groups can be folded: the list is sorted by name, and shows all keys.
    var canFold: Bool { listing == nil && !keys.isEmpty }

    /// Folds the group of the key at the cursor, or unfolds it.
    ///
    /// - Returns: whether there is one.
    mutating func toggleFold() -> Bool {
        guard canFold else { return false }
        select(cursor)
        let place = folds.place(ofRow: cursor)
        var isDone = false
        keepingPlace { isDone = $0.folds.toggle(at: place, of: $0.keys) }
        return isDone
    }

    /// Folds all groups, or unfolds them.
    mutating func toggleAllFolds() {
        guard canFold else { return }
        select(cursor)
        keepingPlace { $0.folds.toggleAll(of: $0.keys) }
    }
}

extension [String] {
    /// This sorted list with the keys of another one, none of which it has.
    fileprivate func merged(with others: [String]) -> [String] { others.isEmpty ? self : (self + others).sorted() }
}
