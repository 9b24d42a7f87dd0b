// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Programs
import RemoteConfig
import TerminalUI

/// What a click on the inspector means.
enum InspectorTarget: Hashable, Sendable {
    case open, filter, done, copyValue, copyKey, scroll, search, help, back
}

/// The inspector: every key with its value, a cursor, a filter, and one key in full.
///
/// Whatever the number of keys, an event costs what is in sight: a place in the list is found by its key, and only the
/// rows that are shown are made.
struct InspectorModel: Sendable {
    /// What an event has led to.
    enum Response: Hashable {
        /// The event means nothing here.
        case ignored
        case close
        case help
        case copy(String)
        case done
    }

    private(set) var state: InspectedState
    let clock: ClockFormat
    let hasColors: Bool
    /// All keys, sorted.
    private(set) var keys: [String]
    private(set) var wantedColumns: InspectorColumns.Wanted
    var size: Size {
        didSet { layOutDetail() }
    }

    private(set) var filter: KeyFilter?
    var field = TextField()
    /// Whether letters go into the filter.
    var isTyping = false
    /// The key that the cursor is on; where that is not in the list, the cursor is on the next one.
    private var selected = ""
    /// The first row of the list that is in sight, but for the limits of the list.
    private var top = 0
    /// The key that is shown in full.
    var detail: InspectorDetail?
    /// The keys whose rows are marked, since they have just changed.
    var marked: Set<String> = []
    var feedback = ""
    /// The row of the scrollbar's thumb that is held.
    var grip: Int?

    init(_ state: InspectedState, clock: ClockFormat, _ depth: ColorDepth, size: Size) {
        (self.state, self.clock, self.size) = (state, clock, size)
        hasColors = depth != .monochrome
        keys = state.configuration.sortedKeys
        wantedColumns = InspectorColumns.Wanted(keys, in: state.configuration.snapshot.entries)
    }
}

extension InspectorModel {
    var entries: ConfigEntries { state.configuration.snapshot.entries }
    var preview: ValuePreview { ValuePreview(hasColors: hasColors) }
    /// The keys of the list as it is filtered.
    var rows: [String] { filter?.matches ?? keys }

    /// Whether keys type into the filter or a search.
    var takesText: Bool { detail.map(\.list.isTyping) ?? isTyping }

    /// The row that the cursor is on.
    var cursor: Int { max(min(rows.lowerBound(of: selected), rows.count - 1), 0) }

    var selectedKey: String? {
        let rows = rows
        return rows.isEmpty ? nil : rows[cursor]
    }

    /// Which rows of the list are in sight, among them that of the cursor.
    var scrollbar: Scrollbar {
        let (page, cursor) = (layout.page, cursor)
        return Scrollbar(count: rows.count, page: page, top: min(max(top, cursor - page + 1), cursor))
    }

    /// Puts the cursor on a row of the list.
    mutating func select(_ row: Int) {
        top = scrollbar.top
        if let key = rows.isEmpty ? nil : rows[max(min(row, rows.count - 1), 0)] { selected = key }
        top = scrollbar.top
    }

    /// Brings other rows into sight; the cursor comes along.
    mutating func scroll(toTop row: Int) {
        let bar = Scrollbar(count: rows.count, page: layout.page, top: row)
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

extension InspectorModel {
    /// Takes in what has changed.
    mutating func update(_ next: InspectedState) {
        keepingPlace { $0.replaceState(next) }
        let columns = layout.list.content.size.columns
        detail?.update(next, columns: columns)
    }

    mutating func layOutDetail() {
        let columns = layout.list.content.size.columns
        detail?.layOut(state, columns: columns)
    }

    private mutating func replaceState(_ next: InspectedState) {
        let revision = state.configuration.snapshot.revision
        let isSame =
            next.configuration.snapshot.revision == revision && next.configuration.sortedKeys.count == keys.count
        state = next
        if isSame { return }
        keys = next.configuration.sortedKeys
        wantedColumns = InspectorColumns.Wanted(keys, in: entries)
        guard let text = filter?.text else { return }
        let entries = entries
        if let changed = next.configuration.changedKeys(since: revision), filter?.update(changed, in: entries) == true {
            return
        }
        filter = KeyFilter(text, among: keys)
        goOn()
    }

    /// Whether there are keys that the filter still has to look at; see ``goOn()``.
    var isFiltering: Bool { filter?.isComplete == false }

    /// Looks for the filter's text in the next keys.
    mutating func goOn() {
        let entries = entries
        keepingPlace { $0.filter?.goOn(in: entries) }
    }

    /// Takes in what is typed into the filter.
    mutating func filterByField() {
        let text = field.text
        guard ExactString(text) != ExactString(filter?.text ?? "") else { return }
        keepingPlace { model in
            model.filter = text.isEmpty ? nil : KeyFilter(text, among: model.keys, after: model.filter)
        }
        goOn()
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
