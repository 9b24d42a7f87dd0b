// SPDX-License-Identifier: Apache-2.0

import Basics
import ConfigModel
import RemoteConfig
import TerminalUI

/// The keys of a configuration as a list with a cursor, which may be filtered, sorted and folded.
///
/// Whatever the number of keys, an event costs what is in sight: a place in the list is found by its key.
struct KeyList: Sendable {
    /// All keys, sorted.
    private(set) var keys: [String] = []
    /// The keys that have no value: they have a rule, or a value that is not published; sorted.
    private var valueless: [String] = []
    private(set) var wantedColumns = InspectorColumns.Wanted([], in: ConfigEntries())
    /// The keys that the filter has found, or all in another order; `nil` for all keys by name.
    private(set) var listing: KeyListing?
    /// The keys that the last filter has found, after it was cleared.
    private var found: KeyListing?
    private(set) var order = KeySortOrder()
    private var folds = KeyFolds()
    /// The cursor, the rows in sight and the field of the filter.
    private(set) var list = ListState()
    /// How many rows are in sight at once.
    var page = 1
    /// The key that the cursor stays on; `nil` for the first one.
    private var selected: RankedKey?

    init(_ configuration: ConfigState.Snapshot) {
        load(configuration, Self.valueless(in: configuration.snapshot))
    }
}

extension KeyList {
    var rows: KeyRows { listing.map { .ranked($0.found) } ?? .named(keys, folds) }
    /// The filter; `nil` without one.
    var query: KeyQuery? { listing?.ranking.query }
    /// The filter, or the one before it was cleared, whose matches are marked.
    var markedQuery: KeyQuery? { query ?? found?.ranking.query }
    /// Whether there are keys that a filter or an order still has to look at; see ``continueWork(in:)``.
    var isWorking: Bool { listing?.isComplete == false || found?.isComplete == false }
    var extent: ListExtent { ListExtent(lines: rows.count, page: page) }

    /// `nil` on a group, and without rows.
    var selectedKey: String? {
        let rows = rows
        guard list.cursor < rows.count, case .key(let key) = rows[list.cursor] else { return nil }
        return key
    }

    /// Takes over a cursor, the rows in sight and a filter.
    mutating func use(_ next: ListState) {
        let hasMoved = next.cursor != list.cursor
        list = next
        if hasMoved { select(list.cursor) }
    }

    /// Puts the cursor on a row.
    mutating func select(_ row: Int) {
        let rows = rows
        list.select(row, extent)
        if list.cursor < rows.count { selected = rows.key(at: list.cursor) }
    }

    /// Puts the cursor on a key, without the filter and the folds that hide it.
    mutating func select(_ key: String, in entries: ConfigEntries) {
        if query != nil, listing?.found.rank(of: key) == nil {
            list.clearFilter()
            filter(in: entries)
        }
        if listing == nil { return select(unfolding: key) }
        var work = 0
        let rank = listing?.ranking.rank(of: key, in: entries, work: &work) ?? 0
        select(rows.row(of: RankedKey(rank: rank, key: key)))
    }

    private mutating func select(unfolding key: String) {
        _ = folds.unfold(at: keys.lowerBound { $0 < key }, of: keys)
        select(rows.row(of: RankedKey(key: key)))
    }

    /// Changes the list, and leaves the cursor on its key, and the row where it is on the screen.
    private mutating func keepingPlace(_ change: (inout Self) -> Void) {
        change(&self)
        guard let selected else { return list.select(0, extent) }
        if let rank = listing?.found.rank(of: selected.key) { self.selected?.rank = rank }
        let rows = rows
        list.follow(max(min(rows.row(of: self.selected ?? selected), rows.count - 1), 0))
        list.select(list.cursor, extent)
    }
}

// Changes of the configuration.
extension KeyList {
    /// Takes in another state of the configuration.
    ///
    /// - Parameter unpublished: keys with a value that is not published, which the configuration may have as well.
    mutating func update(
        from before: ConfigState.Snapshot,
        to next: ConfigState.Snapshot,
        unpublished: Set<String> = []
    ) {
        keepingPlace { $0.replace(before, with: next, unpublished) }
    }

    private static func valueless(in snapshot: EntrySnapshot, _ unpublished: Set<String> = []) -> [String] {
        let new = unpublished.filter { snapshot.entries[$0] == nil }
        return new.isEmpty ? snapshot.keysOfRulesAlone : new.union(snapshot.keysOfRulesAlone).sorted()
    }

    private mutating func load(_ configuration: ConfigState.Snapshot, _ others: [String]) {
        valueless = others
        keys = configuration.keys.merged(with: valueless)
        folds.apply(to: keys)
        wantedColumns = InspectorColumns.Wanted(keys, in: configuration.snapshot.entries)
    }

    private mutating func replace(
        _ before: ConfigState.Snapshot,
        with next: ConfigState.Snapshot,
        _ unpublished: Set<String>
    ) {
        let (revision, entries) = (before.snapshot.revision, next.snapshot.entries)
        let ruled = Self.valueless(in: next.snapshot, unpublished)
        let isRuledAsBefore = ruled == valueless
        let isSame = next.snapshot.revision == revision && next.keys.count + ruled.count == keys.count
        if isSame, isRuledAsBefore { return }
        load(next, ruled)
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
    /// Adapts to another text of the filter. Without one, all keys are shown again, with the cursor on its key.
    mutating func filter(in entries: ConfigEntries) {
        guard let text = list.filterText else {
            if query == nil { return }
            select(list.cursor)
            found = listing
            return keepingPlace { $0.show(nil, entries) }
        }
        guard ExactString(text) != ExactString(query?.text ?? "") else { return }
        // The best match is the first one.
        (selected, found) = (nil, nil)
        list.reset()
        show(KeyQuery(text), entries)
    }

    /// Moves the cursor to the next match of the filter, or to the one before, and from the last to the first.
    ///
    /// - Returns: whether there is one.
    mutating func find(forward: Bool) -> Bool {
        let (rows, cursor) = (rows, list.cursor)
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
        select(list.cursor)
        self.order = order
        keepingPlace { keys in
            keys.show(keys.query, entries)
            let matches = keys.found?.ranking.query.flatMap { KeyRanking($0, order) }
            keys.found = matches.map { KeyListing($0, among: keys.keys) }
        }
    }

    private mutating func show(_ query: KeyQuery?, _ entries: ConfigEntries) {
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
        select(list.cursor)
        let place = folds.place(ofRow: list.cursor)
        var isDone = false
        keepingPlace { isDone = $0.folds.toggle(at: place, of: $0.keys) }
        return isDone
    }

    /// Folds all groups, or unfolds them.
    mutating func toggleAllFolds() {
        guard canFold else { return }
        select(list.cursor)
        keepingPlace { $0.folds.toggleAll(of: $0.keys) }
    }
}

extension [String] {
    /// This sorted list with the keys of another one, none of which it has.
    fileprivate func merged(with others: [String]) -> [String] { others.isEmpty ? self : (self + others).sorted() }
}
