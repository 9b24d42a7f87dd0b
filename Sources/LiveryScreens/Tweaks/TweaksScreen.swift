// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// The list of tweaks, by category, with a search through all.
struct TweaksScreen: DemoPanel {
    enum Command: Hashable, Sendable {
        case open, toggle, search, endTyping, resetCategory, resetAll, back, close
        case edit(TweakEdit)
        /// A line of the list, by its index among the lines that can be selected.
        case entry(Int)
    }

    let name = "Tweaks"
    let kind = PanelKind.tweaks
    var size: Size
    var feedback: String
    private(set) var list: TweakList
    private var problem: String?
    private var grip = ScrollGrip()

    init(_ state: TweakState, size: Size) {
        (self.size, list, problem, feedback) = (size, TweakList(state.items), state.problem, state.problem ?? "")
    }

    mutating func update(_ state: PanelState) {
        let tweaks = state.demo.tweaks
        feedback.replaceProblem(problem, by: tweaks.problem)
        problem = tweaks.problem
        list.items = tweaks.items
    }
}

/// The edits that the list and the editor have in common.
enum TweakEdit: Hashable, Sendable {
    case reset
    case step(TweakStep)

    /// The commands with their keys, which are others where letters type.
    static func commands<Command>(
        takesText: Bool,
        _ command: (TweakEdit) -> Command
    ) -> [ScreenCommand<Command>] {
        let keys = { (letter: Character) in
            (takesText ? [] : [Key.character(letter)]) + [Key(.character(letter), .alt)]
        }
        return [
            ScreenCommand(command(.reset), keys("z"), hint: "Reset", help: "Reset this tweak"),
            ScreenCommand(
                command(.step(.undo)),
                keys("u"),
                hint: "Undo",
                help: "Undo the last change"
            ),
            ScreenCommand(command(.step(.redo)), [Key(.character("r"), .control)], help: "Redo"),
        ]
    }
}

extension TweakStep {
    var feedback: String { self == .undo ? "Undone" : "Redone" }
}

extension String {
    /// Puts a problem in the place of the former one, and of any other message.
    mutating func replaceProblem(_ former: String?, by next: String?) {
        if let next { self = next } else if self == former { self = "" }
    }
}

extension TweaksScreen {
    var takesText: Bool { list.isTyping }
    private var place: PanelPlace { .side(in: size) }
    private var page: Int { max(place.list.size.rows, 1) }

    var commands: [ScreenCommand<Command>] {
        if list.isTyping {
            return [
                ScreenCommand(.endTyping, [Key(.enter)], hint: "Done"),
                ScreenCommand(.edit(.step(.undo)), [Key(.character("u"), .alt)], hint: "Undo"),
                ScreenCommand(.back, [Key(.escape)], hint: "Back"),
            ]
        }
        let resets: [ScreenCommand<Command>] = [
            ScreenCommand(
                .resetCategory,
                [.character("Z")],
                hint: list.isOverview ? "" : "Reset",
                help: "Reset the category"
            ),
            ScreenCommand(
                .resetAll,
                [.character("X")],
                hint: list.isOverview ? "Reset" : "",
                help: "Reset all tweaks"
            ),
        ]
        let edits = TweakEdit.commands(takesText: false, Command.edit).map { edit in
            var edit = edit
            if edit.command == .edit(.reset) { edit.hint = "" }
            return edit
        }
        return [
            ScreenCommand(.open, [Key(.enter), Key(.right), .character("l")], help: "Open or run"),
            ScreenCommand(.toggle, [.character(" ")], help: "Toggle"),
            ScreenCommand(.search, [.character("/")], hint: "Search", help: "Search"),
        ] + edits + resets + [
            ScreenCommand(.close, [.character("t")], help: "Close the tweaks"),
            ScreenCommand(
                .back,
                [Key(.escape), Key(.left)],
                hint: list.isOverview ? "Close" : "Back",
                help: "Back, then close"
            ),
        ]
    }

    var notes: [ScreenHelp] {
        [
            ScreenHelp("j, k, g, G, arrows", "Move"), ScreenHelp("Click", "Open an item or press a hint"),
            ScreenHelp("Wheel, scrollbar", "Move"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        feedback = ""
        switch command {
        case .open: return open()
        case .toggle:
            guard case .item(let item) = list.selected, case .boolean(let isOn) = item.value else { return open() }
            return .done([.tweak(.set(id: item.id, .boolean(!isOn), isContinuing: false))])
        case .search: list.beginSearch()
        case .endTyping: list.endTyping()
        case .resetCategory:
            return .done(list.categoryToReset.map { [.toggle(.question(.resettingCategory($0)))] } ?? [])
        case .resetAll: return .done([.toggle(.question(.resettingAllTweaks))])
        case .back: return list.back() ? .handled : .close
        case .close: return .close
        case .edit(.step(let step)):
            feedback = step.feedback
            return .done([.tweak(.step(step, isConfirmed: false))])
        case .edit(.reset):
            switch list.selected {
            case .item(let item) where item.row.tweak != nil: return .done([.tweak(.reset(id: item.id))])
            case .category(let name, _): return .done([.toggle(.question(.resettingCategory(name)))])
            default: break
            }
        case .entry(let index):
            list.cursor.index = index
            return open()
        }
        return .handled
    }

    /// Opens or runs the selected row.
    private mutating func open() -> ScreenResponse<DemoIntent> {
        switch list.selected {
        case .category(let name, _): list.open(name)
        case .item(let item) where item.row.tweak != nil: return .done([.toggle(.tweak(item.id))])
        case .item(let item):
            feedback = "\(item.row.name): done"
            return .done([.tweak(.perform(id: item.id))])
        case nil: break
        }
        return .handled
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        let types = list.isTyping && !ListCursor.movesWhileTyping(key)
        return (types ? list.type(key) : move(key)) ? .handled : .ignored
    }

    mutating func handle(pasted text: String) -> ScreenResponse<DemoIntent> {
        if list.isTyping { list.type(text.withoutLineBreakAtEnd) }
        return .handled
    }

    private mutating func move(_ key: Key) -> Bool {
        feedback = ""
        return list.cursor.handle(key, count: list.entries.count, page: page)
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        let panel = panel
        if case .scroll(let steps) = mouse.action, panel.part(at: mouse.point) != nil {
            _ = move(Key(steps < 0 ? .up : .down))
            return .handled
        }
        if let top = grip.top(after: mouse, on: panel) {
            moveCursor(intoSightFrom: top)
            return .handled
        }
        return press(mouse, on: panel)
    }

    /// Puts the cursor where the list is scrolled to a row, which it is in the middle of.
    private mutating func moveCursor(intoSightFrom top: Int) {
        let rows = list.rows
        let wanted = min(top + page / 2, rows.count - 1)
        for case .entry(let index, _) in rows.prefix(wanted + 1) { list.cursor.index = index }
    }
}

extension String {
    /// A text that was pasted: terminals send a return for each end of a line, and what is copied as a whole line ends with
    /// one.
    var withoutLineBreakAtEnd: String {
        let text = replacing("\r\n", with: "\n").replacing("\r", with: "\n")
        return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
}

extension TweaksScreen {
    var panel: Panel<Command> {
        let (place, rows) = (place, list.rows)
        let focused = rows.firstIndex { row in
            if case .entry(list.cursor.index, _) = row { true } else { false }
        }
        let isEmpty = rows.isEmpty && !list.isOverview
        return Panel(
            place,
            title: titleSpans,
            hints: commands,
            feedback: feedback,
            count: isEmpty ? 1 : rows.count,
            top: ListCursor.top(showing: focused ?? 0, of: rows.count, rows: page)
        ) { index in
            if isEmpty { return Line([.init("No matches", .dimmed)]) }
            switch rows[index] {
            case .title(let title): return Line([.init(title, .title)])
            case .entry(let index, let entry): return line(index, entry, columns: place.content.size.columns)
            }
        }
    }

    private var titleSpans: [Line.Span] {
        let title: [Line.Span] = [.init(name, .title), .init(" ── ")]
        guard let search = list.search else { return title + [.init(list.category ?? "All", .title)] }
        let columns = place.searchColumns(after: name)
        return title + search.searchSpans(isTyping: list.isTyping, columns: columns, target: .search)
    }

    /// A line of a list: a name on the left and something on the right.
    private func line(_ index: Int, _ entry: TweakList.Entry, columns: Int) -> Line {
        let (name, right) = Self.parts(of: entry, columns: columns)
        let isSelected = index == list.cursor.index
        let room = max(columns - right.reduce(3) { $0 + $1.text.columnWidth }, 1)
        let text = name.sanitized().truncated(toColumns: room).padded(toColumns: room + 1)
        let left = Line.Span((isSelected ? "▸ " : "  ") + text, isSelected ? .selected : .plain)
        return Line([left] + right, isFocused: isSelected, target: .entry(index))
    }

    private static func parts(of entry: TweakList.Entry, columns: Int) -> (name: String, right: [Line.Span]) {
        switch entry {
        case .category(let name, let items):
            let changed = items.count(where: \.isOverridden)
            let text = changed == 0 ? "\(items.count)" : "\(changed) of \(items.count) changed"
            return (name, [.init(text, changed == 0 ? .dimmed : .accent)])
        case .item(let item):
            guard let tweak = item.row.tweak else { return (item.row.name, [.init("run", .dimmed)]) }
            var right: [Line.Span] = []
            if tweak.editor == .color, case .string(let text) = item.value, let color = RGBColor(text) {
                right += [.init("  ", .swatch(color)), .init(" ")]
            }
            // The value gets the width left by the name, the selection mark and the gaps.
            let left = columns - item.row.name.columnWidth - right.reduce(4) { $0 + $1.text.columnWidth }
            let most = item.isOverridden ? columns / 3 : max(left, columns / 3)
            let value = item.preview.sanitized().truncated(toColumns: max(most, 1))
            right.append(.init(value, item.isOverridden ? .accent : .plain))
            if item.isOverridden {
                let initial = item.initialPreview.sanitized().truncated(toColumns: max(columns / 4, 1))
                right.append(.init(" (\(initial))", .dimmed))
            }
            return (item.row.name, right)
        }
    }
}
