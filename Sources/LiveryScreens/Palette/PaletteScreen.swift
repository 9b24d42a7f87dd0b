// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI

/// The palette: every action of the open screens with its keys, and every key of the configuration, found by typing.
struct PaletteScreen: PickerPanel {
    let name = "Actions and keys"
    let kind = PanelKind.palette
    var size: Size
    var feedback = ""
    private var state: PanelState
    private var list: PaletteList
    private(set) var field = TextField()
    private(set) var cursor = ListCursor()
    private var top = 0
    private var grip = ScrollGrip()

    static let rows = 20
    private static let gap = 2

    /// - Parameter actions: the actions of the screens below, those of the top one first.
    init(_ actions: [ScreenHelp], _ state: PanelState, size: Size) {
        (self.state, self.size) = (state, size)
        list = PaletteList(actions, keys: state.configuration.keys)
    }

    private var entries: ConfigEntries { state.snapshot.entries }
    private var scrollbar: Scrollbar {
        Scrollbar(count: list.count, page: page, top: min(max(top, cursor.index - page + 1), cursor.index))
    }
}

extension PaletteScreen {
    var isWorking: Bool { list.isWorking }

    mutating func continueWork() { list.continueWork(in: entries) }

    mutating func update(_ next: PanelState) {
        let before = state.snapshot.revision
        state = next
        guard next.snapshot.revision != before else { return }
        let changed = next.configuration.changedKeys(since: before)
        list.update(next.configuration.keys, changed: changed, in: entries)
        cursor.index = max(min(cursor.index, list.count - 1), 0)
    }

    var commands: [ScreenCommand<Command>] {
        [
            ScreenCommand(.choose, [Key(.enter)], hint: "Run", help: "Run the action, or open the key"),
            ScreenCommand(.close, [Key(.escape)], hint: "Close", help: "Close the palette"),
        ]
    }

    func choose(_ row: Int) -> ScreenResponse<DemoIntent> {
        guard row < list.count else { return .handled }
        switch list[row] {
        case .action(let action): return .done(action.key.map { [.press($0)] } ?? [])
        case .key(let key): return .done([.goTo(key)])
        }
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        type(key) || move(key) ? .handled : .ignored
    }

    mutating func handle(pasted text: String) -> ScreenResponse<DemoIntent> {
        field.insert(text.firstLine)
        filter()
        return .handled
    }

    private mutating func type(_ key: Key) -> Bool {
        guard !ListCursor.movesWhileTyping(key), field.handle(key) else { return false }
        filter()
        return true
    }

    private mutating func filter() {
        guard ExactString(field.text) != ExactString(list.query.text) else { return }
        (cursor.index, top) = (0, 0)
        list.filter(by: field.text, in: entries)
    }

    private mutating func move(_ key: Key) -> Bool {
        guard cursor.handle(key, count: list.count, page: page) else { return false }
        top = scrollbar.top
        return true
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        let panel = panel
        if let row = grip.top(after: mouse, on: panel) {
            let bar = Scrollbar(count: list.count, page: page, top: row)
            cursor.index = min(max(cursor.index, bar.top), bar.top + bar.page - 1)
            top = bar.top
            return .handled
        }
        return pressOrClose(mouse, on: panel)
    }
}

extension PaletteScreen {
    var panel: Panel<Command> {
        let place = place
        return Panel(
            place,
            title: title,
            hints: commands,
            feedback: feedback,
            count: max(list.count, 1),
            top: scrollbar.top
        ) { row in
            guard row < list.count else {
                return Line([.init(isWorking ? "" : list.query.problem ?? "No matches", .dimmed)])
            }
            return line(row, columns: place.list.size.columns)
        }
    }

    /// A row: the action and its keys, or the key and its value.
    private func line(_ row: Int, columns: Int) -> Line {
        let isSelected = row == cursor.index
        let mark = Line.Span(isSelected ? "▌" : " ")
        let (name, fact): ([Line.Span], [Line.Span])
        switch list[row] {
        case .action(let action):
            name = Line.Span(action.text).marked(list.query.marks(inKey: action.text))
            fact = [.init(action.keys, .accent)]
        case .key(let key):
            name = Line.Span(key).marked(list.query.marks(inKey: key))
            let room = max(columns / 2, 1)
            fact = entries[key].map { state.preview.spans(of: $0.value, columns: room) } ?? [.init("rule", .dimmed)]
        }
        let fitted = fact.fitted(columns: min(fact.columnWidth(), columns / 2))
        let spans =
            [mark] + name.fitted(columns: columns - 1 - Self.gap - fitted.columnWidth())
            + [.init(String(repeating: " ", count: Self.gap))] + fitted
        return Line(isSelected ? spans.map(\.selected) : spans, isFocused: isSelected, target: .row(row))
    }
}
