// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// The list of tweaks, by category, with a search through all.
struct TweaksScreen: ListPanel {
    enum Own: Hashable, Sendable {
        case toggle, resetCategory, resetAll, close
        case edit(TweakEdit)
    }

    let name = "Tweaks"
    let kind = PanelKind.tweaks
    let keys: UserKeys
    var size: Size
    var feedback: String
    var list = ListState()
    private(set) var tweaks: TweakList
    private var problem: String?
    /// The cursor before the search.
    private var cursorBeforeSearch: Int?

    init(_ state: PanelState, size: Size) {
        let tweaks = state.demo.tweaks
        (self.size, keys, self.tweaks) = (size, state.look.keys, TweakList(tweaks.items))
        (problem, feedback) = (tweaks.problem, tweaks.problem ?? "")
    }

    mutating func update(_ state: PanelState) {
        let tweaks = state.demo.tweaks
        feedback.replaceProblem(&problem, by: tweaks.problem)
        self.tweaks.items = tweaks.items
    }
}

/// The edits that the list and the editor have in common.
enum TweakEdit: Hashable, Sendable {
    case reset
    case step(TweakStep)

    /// The commands with their keys, some of which also work where letters type.
    ///
    /// - Parameter hint: that of the reset.
    static func commands<Command>(hint: String = "Reset", _ command: (TweakEdit) -> Command) -> [ScreenCommand<Command>]
    {
        let keys = { (letter: Character) in [Key.character(letter), Key(.character(letter), .alt)] }
        return [
            ScreenCommand(command(.reset), keys("z"), hint: hint, help: "Reset this tweak"),
            ScreenCommand(command(.step(.undo)), keys("u"), hint: "Undo", help: "Undo the last change"),
            ScreenCommand(command(.step(.redo)), [Key(.character("r"), .control)], help: "Redo"),
        ]
    }
}

extension TweakStep {
    var feedback: String { self == .undo ? "Undone" : "Redone" }
}

extension String {
    /// Puts a problem in the place of the former one, and of any other message.
    mutating func replaceProblem(_ problem: inout String?, by next: String?) {
        if let next { self = next } else if self == problem { self = "" }
        problem = next
    }
}

extension TweaksScreen {
    private var selected: TweakList.Entry? {
        let entries = tweaks.entries
        return entries.indices.contains(list.cursor) ? entries[list.cursor] : nil
    }

    var backKeys: [Key] { [Key(.left)] }
    /// Next to the main screen, which shows the effect of a tweak.
    var normalPlace: PanelPlace { .side(in: size) }

    var opening: ScreenCommand<Command>? {
        ScreenCommand(.open, [Key(.enter), Key(.right), .character("l")], help: "Open or run")
    }

    var actions: [ScreenCommand<Command>] {
        let edits = TweakEdit.commands(hint: "") { Command.own(.edit($0)) }
        let (hintOfCategory, hintOfAll) = tweaks.isOverview ? ("", "Reset") : ("Reset", "")
        return [
            ScreenCommand(.own(.toggle), [.character(" ")], help: "Toggle"),
            ScreenCommand(.filter, [.character("/")], hint: "Search", help: "Search all categories"),
        ] + edits + [
            ScreenCommand(.own(.resetCategory), [.character("Z")], hint: hintOfCategory, help: "Reset the category"),
            ScreenCommand(.own(.resetAll), [.character("X")], hint: hintOfAll, help: "Reset all tweaks"),
            ScreenCommand(.own(.close), [.character("t")], help: "Close the tweaks"),
        ]
    }

    mutating func run(_ action: Own) -> ScreenResponse<DemoIntent> {
        switch action {
        case .toggle:
            guard case .item(let item) = selected, case .boolean(let isOn) = item.value else {
                return open(list.cursor)
            }
            return .done([.tweak(.set(id: item.id, .boolean(!isOn), isContinuing: false))])
        case .resetCategory:
            return .done(categoryToReset.map { [.toggle(.question(.resettingCategory($0)))] } ?? [])
        case .resetAll: return .done([.toggle(.question(.resettingAllTweaks))])
        case .close: return .close
        case .edit(.step(let step)):
            feedback = step.feedback
            return .done([.tweak(.step(step, isConfirmed: false))])
        case .edit(.reset):
            switch selected {
            case .item(let item) where item.row.tweak != nil: return .done([.tweak(.reset(id: item.id))])
            case .category(let name, _): return .done([.toggle(.question(.resettingCategory(name)))])
            default: return .handled
            }
        }
    }

    /// The category that a reset of a category means.
    private var categoryToReset: String? {
        switch selected {
        case .category(let name, _): name
        case .item(let item): item.row.category
        case nil: tweaks.category
        }
    }

    /// Opens or runs the selected row.
    mutating func open(_ entry: Int) -> ScreenResponse<DemoIntent> {
        switch selected {
        case .category(let name, _):
            tweaks.category = name
            list.reset()
        case .item(let item) where item.row.tweak != nil: return .done([.toggle(.tweak(item.id))])
        case .item(let item):
            feedback = "\(item.row.name): done"
            return .done([.tweak(.perform(id: item.id))])
        case nil: break
        }
        return .handled
    }

    mutating func goBack() -> ScreenResponse<DemoIntent> {
        guard let index = tweaks.close() else { return .close }
        list.select(index, extent)
        return .handled
    }

    /// Searches all categories; the end of a search leaves the cursor on its row.
    mutating func filterChanged() {
        let found = selected
        tweaks.search = list.filter?.text
        guard list.filter == nil else {
            cursorBeforeSearch = cursorBeforeSearch ?? list.cursor
            return list.reset()
        }
        var place = cursorBeforeSearch.take() ?? 0
        if case .item(let item)? = found { place = tweaks.index(of: item) ?? place }
        list.select(place, extent)
    }
}

extension TweaksScreen {
    var lineCount: Int { tweaks.rows.count }

    var starts: [Int]? {
        tweaks.rows.enumerated().compactMap { index, row in if case .entry = row { index } else { nil } }
    }

    var titleSpans: [Line.Span] {
        let title = [Line.Span(name, .title)]
        if list.filter != nil { return title }
        return title + [.init(" ── "), .init(tweaks.category ?? "All", .title)]
    }

    /// A line: the title of a section, or a name on the left and something on the right.
    func line(_ index: Int) -> Line {
        switch tweaks.rows[index] {
        case .title(let title): return Line([.init(title, .title)])
        case .entry(let entry, let content):
            let columns = place.content.size.columns
            let (name, right) = Self.parts(of: content, columns: columns)
            let room = max(columns - right.reduce(3) { $0 + $1.text.columnWidth }, 1)
            let text = name.sanitized().truncated(toColumns: room).padded(toColumns: room + 1)
            let isSelected = entry == list.cursor
            let left = Line.Span((isSelected ? "▸ " : "  ") + text, isSelected ? .selected : .plain)
            return Line([left] + right, isFocused: isSelected, target: .entry(entry))
        }
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

extension Question {
    static func resettingCategory(_ name: String) -> Question {
        Question(text: "Reset all tweaks in \(name)?", intents: [.tweak(.resetCategory(name))])
    }

    static let resettingAllTweaks = Question(text: "Reset all tweaks?", intents: [.tweak(.resetAll)])

    /// - Parameter items: the rows of the tweaks.
    init(_ question: TweakStepQuestion, _ items: [TweakItem]) {
        let text = question.text(items.first { $0.id == question.conflict.id })
        // The value of another program is overwritten.
        self.init(text: text, intents: [.tweak(.step(question.step, isConfirmed: true))])
    }
}

extension TweakStepQuestion {
    /// Both values, and the effect of the step.
    fileprivate func text(_ item: TweakItem?) -> String {
        let shown = { (value: EntryValue?) in
            value.map { value in
                (item?.row.tweak?.preview(of: value) ?? value.canonicalJSON).excerpt(ofScalars: 40)
            } ?? "no override"
        }
        let verb = step == .undo ? "Undo" : "Redo"
        let name = item?.row.name ?? conflict.id
        return "\(name) was set by another program to \(shown(conflict.current)). \(verb) to \(shown(conflict.target))?"
    }
}
