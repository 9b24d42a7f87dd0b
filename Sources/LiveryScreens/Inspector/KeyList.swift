// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI

/// The keys of a configuration as a list with a cursor, which may be filtered.
///
/// Whatever the number of keys, an event costs what is in sight: a place in the list is found by its key.
struct KeyList: Sendable {
    /// All keys, sorted.
    private(set) var keys: [String] = []
    /// The keys that have a rule and no value, sorted.
    private var valueless: [String] = []
    private(set) var wantedColumns = InspectorColumns.Wanted([], in: ConfigEntries())
    private(set) var filter: KeyFilter?
    /// The field of the filter.
    private(set) var field = TextField()
    /// Whether letters go into the filter.
    private(set) var isTyping = false
    /// How many rows are in sight at once.
    var page = 1
    /// The key that the cursor is on; where that is not in the list, the cursor is on the next one.
    private var selected = ""
    /// The first row in sight, but for the limits of the list.
    private var top = 0

    init(_ configuration: ConfigState.Snapshot) { load(configuration) }
}

extension KeyList {
    /// The keys of the list as it is filtered.
    var rows: [String] { filter?.matches ?? keys }
    /// Whether there are keys that the filter still has to look at; see ``goOn(in:)``.
    var isWorking: Bool { filter?.isComplete == false }
    /// The row that the cursor is on.
    var cursor: Int { max(min(rows.lowerBound(of: selected), rows.count - 1), 0) }

    var selectedKey: String? {
        let rows = rows
        return rows.isEmpty ? nil : rows[cursor]
    }

    /// Which rows are in sight, among them that of the cursor.
    var scrollbar: Scrollbar {
        let cursor = cursor
        return Scrollbar(count: rows.count, page: page, top: min(max(top, cursor - page + 1), cursor))
    }

    /// Puts the cursor on a row.
    mutating func select(_ row: Int) {
        top = scrollbar.top
        if let key = rows.isEmpty ? nil : rows[max(min(row, rows.count - 1), 0)] { selected = key }
        top = scrollbar.top
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
        if cursor < rows.count { selected = rows[cursor] }
    }

    /// Changes the list, and leaves the cursor's row where it is on the screen.
    private mutating func keepingPlace(_ change: (inout Self) -> Void) {
        let offset = cursor - scrollbar.top
        change(&self)
        top = cursor - offset
    }
}

extension KeyList {
    /// Takes in another state of the configuration.
    mutating func update(from before: ConfigState.Snapshot, to next: ConfigState.Snapshot) {
        keepingPlace { $0.replace(before, with: next) }
    }

    private mutating func load(_ configuration: ConfigState.Snapshot) {
        valueless = configuration.snapshot.keysOfRulesAlone
        keys = configuration.sortedKeys.merged(with: valueless)
        wantedColumns = InspectorColumns.Wanted(keys, in: configuration.snapshot.entries)
    }

    private mutating func replace(_ before: ConfigState.Snapshot, with next: ConfigState.Snapshot) {
        let (revision, entries) = (before.snapshot.revision, next.snapshot.entries)
        let ruled = next.snapshot.keysOfRulesAlone
        let isRuledAsBefore = ruled == valueless
        let isSame = next.snapshot.revision == revision && next.sortedKeys.count + ruled.count == keys.count
        if isSame, isRuledAsBefore { return }
        load(next)
        guard let text = filter?.text else { return }
        if isRuledAsBefore, let changed = next.changedKeys(since: revision),
            filter?.update(changed, in: entries) == true
        {
            return
        }
        filter = KeyFilter(text, among: keys)
        goOn(in: entries)
    }

    /// Filters the next keys.
    mutating func goOn(in entries: ConfigEntries) {
        keepingPlace { $0.filter?.goOn(in: entries) }
    }

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
        field.insert(text.split(whereSeparator: \.isNewline).first.map(String.init) ?? "")
        filterByField(entries)
    }

    private mutating func filterByField(_ entries: ConfigEntries) {
        let text = field.text
        guard ExactString(text) != ExactString(filter?.text ?? "") else { return }
        keepingPlace { list in
            list.filter = text.isEmpty ? nil : KeyFilter(text, among: list.keys, after: list.filter)
        }
        goOn(in: entries)
    }

    /// Ends the typing. Without the filter the cursor stays on its key.
    mutating func endFilter(keeping isKept: Bool) {
        isTyping = false
        if let selectedKey { selected = selectedKey }
        if isKept, filter != nil { return }
        field = TextField()
        keepingPlace { $0.filter = nil }
    }
}

extension [String] {
    /// This sorted list with the keys of another one, none of which it has.
    fileprivate func merged(with others: [String]) -> [String] { others.isEmpty ? self : (self + others).sorted() }
}
