// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

typealias TweakLine = ActiveLine<TweakTarget>

extension TweaksModel {
    /// The rows of the screen: a title, the list or the editor, what happened, and the buttons.
    func visibleLines(_ size: Size) -> [TweakLine] {
        let (body, focused) = body(columns: size.columns)
        let room = Self.bodyRows(size)
        let top =
            detail?.scroll.map { min($0, max(body.count - room, 0)) }
            ?? ListCursor.top(showing: focused, of: body.count, rows: room)
        let window = Array(body.dropFirst(top).prefix(room))
        if room == size.rows { return window }
        let news = feedbackLines(columns: size.columns)
        // A long message covers the end of the list until the next key.
        let list = Array(([titleLine(columns: size.columns)] + window).prefix(size.rows - 1 - news.count))
        let gap = Array(repeating: TweakLine([]), count: size.rows - 1 - news.count - list.count)
        return list + gap + news + [buttonLine(columns: size.columns)]
    }

    /// How many rows of the open list or editor are seen at once.
    var page: Int { Self.bodyRows(room.size) }

    private static func bodyRows(_ size: Size) -> Int {
        // The row for what happened is kept free, so that nothing moves when it is needed.
        size.rows >= 5 ? size.rows - 3 : size.rows
    }

    private func titleLine(columns: Int) -> TweakLine {
        if let detail {
            let (name, title) = (detail.item.row.name, "\(detail.item.row.place.category) › \(detail.item.row.name)")
            return TweakLine([.init(title.columnWidth <= columns ? title : name, .title)])
        }
        guard let search else { return TweakLine([.init(category ?? "All tweaks", .title)]) }
        guard isSearching else { return TweakLine([.init("/" + search.text, .title, target: .button(.search))]) }
        let window = search.window(columns: 30)
        return TweakLine([
            .init("/", .title), .init(window.before, .field), .init(window.under, .caret),
            .init(window.after, .field),
        ])
    }

    private func feedbackLines(columns: Int) -> [TweakLine] {
        let (text, tone): (String, Tone) =
            switch question {
            case .resetCategory(let name): ("Reset all of \(name)?", .accent)
            case .resetAll: ("Reset every tweak?", .accent)
            case .step(let question): (text(of: question), .accent)
            case nil: (feedback, .title)
            }
        return text.sanitized().wrapped(toColumns: columns, maximumLines: 3).map { TweakLine([.init($0, tone)]) }
    }

    /// Both values, and what the step would do.
    private func text(of question: TweakStepQuestion) -> String {
        let conflict = question.conflict
        let item = items.first { $0.id == conflict.id }
        let shown = { (value: EntryValue?) in
            value.map { value in
                (item?.row.tweak?.preview(of: value) ?? value.canonicalJSON).excerpt(ofScalars: 40)
            } ?? "no override"
        }
        let verb = question.step == .undo ? "Undo" : "Redo"
        let name = item?.row.name ?? conflict.id
        return "\(name) was set elsewhere to \(shown(conflict.current)). \(verb) to \(shown(conflict.target))? [y/N]"
    }

    private func buttonLine(columns: Int) -> TweakLine {
        let buttons: [(text: String, button: TweakButton)]
        if let question {
            let no = question.isConfirmedByEnter ? "n No" : "Enter No"
            buttons = [("y Yes", .yes), (no, .no)]
        } else if let detail {
            let key = detail.editor.takesText ? "Alt-" : ""
            buttons = [("Esc Back", .back), (key + "z Reset", .reset), (key + "u Undo", .undo)]
        } else if isSearching {
            buttons = [("Enter Done", .search), ("Esc Back", .back), ("Alt-u Undo", .undo)]
        } else {
            let group = isOverview ? ("X Reset all", TweakButton.resetAll) : ("Z Reset all", .resetGroup)
            buttons = [("Esc Back", .back), ("/ Search", .search), group, ("u Undo", .undo)]
        }
        let line = Self.line(of: buttons)
        if line.columnWidth <= columns { return line }
        // On a small screen the key and what it does have to do, and the help has the rest.
        var short = buttons.map { text, button in
            (text.split(separator: " ").prefix(2).joined(separator: " ").replacing("Search", with: "Find"), button)
        }
        while short.count > 1, Self.line(of: short).columnWidth > columns { short.removeLast() }
        return Self.line(of: short)
    }

    private static func line(of buttons: [(text: String, button: TweakButton)]) -> TweakLine {
        let spans = buttons.map { [.init("  "), TweakLine.Span($0.text, .dimmed, target: .button($0.button))] }
        return TweakLine(Array(spans.joined().dropFirst()))
    }
}

extension TweaksModel {
    /// The keys of this screen, and what the mouse does.
    var help: [ScreenHelp] {
        let isText = takesText
        let edits = [
            (isText ? "Alt-u" : "u", "Undo a word, a drag, a key held down"),
            ("Ctrl-R", "Redo"), (isText ? "Alt-z" : "z", "Reset this tweak"),
        ]
        if detail != nil {
            let moves = [
                ("Arrows, Tab", "Move, or change the value"), ("Enter, Esc", "Back to the list"),
                ("PageUp, PageDown", "Scroll"),
            ]
            let mouse = [
                ("Click", "Press a button, choose a value, or go to a field"), ("Drag", "Move a slider"),
                ("Wheel", "Turn what is under the pointer, or scroll"),
            ]
            return (moves + edits + mouse).map(ScreenHelp.init)
        }
        let moves = [
            ("j, k, g, G, arrows", "Move"), ("Enter, l", "Open, or run"), ("Space", "Toggle"), ("/", "Search"),
        ]
        let resets = [("Z, X", "Reset the category, or everything"), ("Esc, h", "Back"), ("t", "Close the tweaks")]
        let mouse = [("Click", "Open, or press a button"), ("Wheel", "Move")]
        return (moves + edits + resets + mouse).map(ScreenHelp.init)
    }
}

extension TweaksModel {
    /// A line of a list before it is laid out; only visible lines are laid out.
    private enum ListRow {
        case title(String)
        case entry(Int, Entry)
    }

    /// The lines of the open list or editor, and which of them has to be seen.
    private func body(columns: Int) -> (lines: LazyMapCollection<Range<Int>, TweakLine>, focused: Int) {
        if let detail {
            let lines = detail.lines(columns: columns)
            return (lines.indices.lazy.map { lines[$0] }, lines.firstIndex(where: \.isFocused) ?? 0)
        }
        let rows = listRows
        let focused = rows.firstIndex { row in
            if case .entry(let index, _) = row { index == cursor.index } else { false }
        }
        if rows.isEmpty, !isOverview {
            return ((0..<1).lazy.map { _ in TweakLine([.init("Nothing found", .dimmed)]) }, 0)
        }
        let lines = rows.indices.lazy.map { index in
            switch rows[index] {
            case .title(let title): TweakLine([.init(title, .title)])
            case .entry(let index, let entry): line(index, entry, columns: columns)
            }
        }
        return (lines, focused ?? 0)
    }

    private var listRows: [ListRow] {
        if isOverview { return entries.enumerated().map(ListRow.entry) }
        var index = 0
        var rows: [ListRow] = []
        for group in groups {
            rows.append(.title(group.title))
            for item in group.items {
                rows.append(.entry(index, .item(item)))
                index += 1
            }
        }
        return rows
    }

    /// A line of a list: a name on the left and something on the right.
    private func line(_ index: Int, _ entry: Entry, columns: Int) -> TweakLine {
        let (name, right) = Self.parts(of: entry, columns: columns)
        let isSelected = index == cursor.index
        let room = max(columns - right.reduce(3) { $0 + $1.text.columnWidth }, 1)
        let text = name.sanitized().truncated(toColumns: room).padded(toColumns: room + 1)
        let left = TweakLine.Span((isSelected ? "▸ " : "  ") + text, isSelected ? .selected : .plain)
        let spans = ([left] + right).map { TweakLine.Span($0.text, $0.tone, target: .entry(index)) }
        return TweakLine(spans, isFocused: isSelected)
    }

    private static func parts(of entry: Entry, columns: Int) -> (name: String, right: [TweakLine.Span]) {
        switch entry {
        case .category(let name, let items):
            let changed = items.count(where: \.isOverridden)
            let text = changed == 0 ? "\(items.count)" : "\(changed) of \(items.count) changed"
            return (name, [.init(text, changed == 0 ? .dimmed : .accent)])
        case .item(let item):
            guard let tweak = item.row.tweak else { return (item.row.name, [.init("run", .dimmed)]) }
            var right: [TweakLine.Span] = []
            if tweak.editor == .color, case .string(let text) = item.value, let color = RGBColor(text) {
                right += [.init("  ", .swatch(color)), .init(" ")]
            }
            // The value gets what the name leaves, but for the mark of the selection and the gaps.
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
