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
struct InspectorModel: DemoPanel {
    typealias Response = ScreenResponse<PanelIntent>

    let name = "Inspector"
    let layer = PanelLayer.inspector
    private(set) var state: PanelState
    let clock: ClockFormat
    let hasColors: Bool
    /// The keys that have a rule and no value, sorted.
    private var valueless: [String]
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
    private(set) var marked: Set<String> = []
    var feedback = ""
    /// The row of the scrollbar's thumb that is held.
    var grip: Int?

    init(_ state: PanelState, clock: ClockFormat, _ depth: ColorDepth, size: Size) {
        (self.state, self.clock, self.size) = (state, clock, size)
        hasColors = depth != .monochrome
        valueless = state.configuration.snapshot.keysOfRulesAlone
        keys = state.configuration.sortedKeys.merged(with: valueless)
        wantedColumns = InspectorColumns.Wanted(keys, in: state.configuration.snapshot.entries)
    }
}

extension InspectorModel {
    mutating func handle(_ event: InputEvent) -> Response {
        switch event {
        case .key(let key): update(key)
        case .mouse(let mouse): update(mouse)
        case .paste(let text): paste(text)
        case .focus, .reply: .ignored
        }
    }

    mutating func mark(_ keys: Set<String>) { marked = keys }

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
    mutating func update(_ next: PanelState) {
        keepingPlace { $0.replaceState(next) }
        let columns = layout.list.content.size.columns
        detail?.update(next, columns: columns)
    }

    mutating func layOutDetail() {
        let columns = layout.list.content.size.columns
        detail?.layOut(state, columns: columns)
    }

    private mutating func replaceState(_ next: PanelState) {
        let revision = state.configuration.snapshot.revision
        let (listed, ruled) = (next.configuration.sortedKeys, next.configuration.snapshot.keysOfRulesAlone)
        let isRuledAsBefore = ruled == valueless
        let isSame =
            next.configuration.snapshot.revision == revision && listed.count + ruled.count == keys.count
        state = next
        if isSame, isRuledAsBefore { return }
        valueless = ruled
        keys = listed.merged(with: ruled)
        wantedColumns = InspectorColumns.Wanted(keys, in: entries)
        guard let text = filter?.text else { return }
        let entries = entries
        if isRuledAsBefore, let changed = next.configuration.changedKeys(since: revision),
            filter?.update(changed, in: entries) == true
        {
            return
        }
        filter = KeyFilter(text, among: keys)
        goOn()
    }

    /// Whether there are keys that the filter still has to look at; see ``goOn()``.
    var isWorking: Bool { filter?.isComplete == false }

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

extension [String] {
    /// This sorted list with the keys of another one, none of which it has.
    fileprivate func merged(with others: [String]) -> [String] { others.isEmpty ? self : (self + others).sorted() }
}
