// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import TerminalUI

/// The screen of tweaks: the open category, the selection, and the editor.
struct TweaksModel: DemoPanel {
    /// A question to answer before a command is sent.
    enum Question: Hashable {
        case resetCategory(String)
        case resetAll
        case step(TweakStepQuestion)
    }

    /// A line of a list that can be selected.
    enum Entry {
        case category(String, items: [TweakItem])
        case item(TweakItem)
    }

    typealias Response = ScreenResponse<PanelIntent>

    /// A part of an editor that is being dragged, wherever the pointer strays.
    struct Drag: Hashable {
        var part: [Int]
        /// The column of the screen where the part begins.
        var origin: Int
    }

    let name = "Tweaks"
    let layer = PanelLayer.tweaks
    var size: Size
    private(set) var items: [TweakItem]
    /// The category that is open; `nil` for the list of categories.
    var category: String?
    /// What is searched for; `nil` without a search.
    var search: TextField?
    /// Whether letters go into the search.
    var isSearching = false
    /// The cursor in the category that was open before the search.
    var cursorBeforeSearch: ListCursor?
    private var categoryCursor = ListCursor()
    private var itemCursor = ListCursor()
    var detail: TweakDetail? {
        didSet { if detail?.id != oldValue?.id { drag = nil } }
    }
    var question: Question?
    var drag: Drag?
    var feedback = ""
    private var commandCount: Int
    private var problem: String?

    init(_ state: TweakState, size: Size) {
        self.size = size
        items = state.items
        commandCount = state.commandCount
        problem = state.problem
        feedback = problem ?? ""
    }

    /// Updates the rows. A state that was read before the last command is out of date and ignored.
    mutating func update(_ state: PanelState) {
        let state = state.tweaks
        guard state.commandCount >= commandCount else { return }
        if let problem = state.problem {
            feedback = problem
        } else if feedback == self.problem {
            feedback = ""
        }
        items = state.items
        problem = state.problem
        // Each command asks once.
        if let conflict = state.conflict, state.commandCount > commandCount {
            question = .step(conflict)
            feedback = ""
        }
        commandCount = state.commandCount
        guard let detail else { return }
        if let item = items.first(where: { $0.id == detail.id }) {
            self.detail?.update(item)
        } else {
            self.detail = nil
        }
    }

    func respond(_ commands: [TweakCommand] = []) -> Response { .done(commands.map(PanelIntent.tweak)) }
}

extension TweaksModel {
    private var layout: SidePanel { SidePanel(size) }
    /// The room within the border.
    var room: Rect { layout.content }

    mutating func handle(_ event: InputEvent) -> Response {
        switch event {
        case .key(let key): update(key)
        case .mouse(let mouse): update(mouse)
        case .paste(let text): paste(text)
        case .focus, .reply: .ignored
        }
    }

    func draw(on grid: inout Grid, _ theme: Theme) {
        let layout = layout
        grid.fill(layout.panel, style: theme.panel)
        let hasBorder = layout.content != layout.panel
        if hasBorder { grid.drawBox(layout.panel, title: name, style: theme.style(of: .border)) }
        let content = layout.content
        for (line, row) in zip(visibleLines(content.size), content.rows) {
            let place = Rect.row(row, from: content.origin.column, columns: content.size.columns)
            grid.draw(line, in: place, theme)
        }
    }

    /// Whether the panel, or its border, is at a place.
    func covers(_ point: Point) -> Bool { layout.panel.contains(point) }
}

extension TweaksModel.Question {
    /// Whether Enter means yes; values of others are overwritten by `y` alone.
    var isConfirmedByEnter: Bool {
        if case .step = self { false } else { true }
    }
}

extension TweaksModel {
    /// Whether the open list is that of the categories.
    var isOverview: Bool { search == nil && category == nil }

    var cursor: ListCursor {
        get { isOverview ? categoryCursor : itemCursor }
        set { if isOverview { categoryCursor = newValue } else { itemCursor = newValue } }
    }

    /// Whether the keys of characters type.
    var takesText: Bool { detail.map(\.editor.takesText) ?? isSearching }

    /// The lines of the open list that can be selected.
    var entries: [Entry] {
        guard isOverview else { return groups.flatMap(\.items).map(Entry.item) }
        return Self.grouped(items, by: \.row.place.category).map { .category($0.title, items: $0.items) }
    }

    /// The rows of the open list by their section, in the order in which the sections first came.
    var groups: [(title: String, items: [TweakItem])] {
        let items = items.filter { item in
            search.map { item.row.matches($0.text) } ?? (item.row.place.category == category)
        }
        let title = { (item: TweakItem) in
            let place = item.row.place
            return search == nil ? place.section : "\(place.category) › \(place.section)"
        }
        return Self.grouped(items, by: title)
    }

    /// Leaves the search with the cursor on what it is on, if that is in the list from which the search began.
    mutating func endSearch() {
        let found = selected
        search = nil
        isSearching = false
        if let before = cursorBeforeSearch.take() { itemCursor = before }
        guard case .item(let item) = found else { return }
        let index = entries.firstIndex { entry in
            switch entry {
            case .category(let name, _): name == item.row.place.category
            case .item(let other): other.id == item.id
            }
        }
        if let index { cursor.index = index }
    }

    var selected: Entry? {
        let entries = entries
        return entries.indices.contains(cursor.index) ? entries[cursor.index] : nil
    }

    /// The items by their title, in the order in which the titles first came.
    private static func grouped(
        _ items: [TweakItem],
        by title: (TweakItem) -> String
    ) -> [(title: String, items: [TweakItem])] {
        var groups: [(title: String, items: [TweakItem])] = []
        var places: [String: Int] = [:]
        for item in items {
            let title = title(item)
            let place = places[title] ?? groups.count
            if place == groups.count {
                places[title] = place
                groups.append((title, []))
            }
            groups[place].items.append(item)
        }
        return groups
    }
}
