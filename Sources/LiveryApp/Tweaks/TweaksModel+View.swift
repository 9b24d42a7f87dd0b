import ConfigDefinitions
import ConfigModel
import TerminalUI

/// Where the screen of tweaks is: beside the main screen where both have room, else over it.
struct TweaksLayout: Hashable {
    /// The room of the main screen.
    let main: Size
    /// The screen of tweaks with its border.
    let panel: Rect
    /// What is within the border.
    let content: Rect

    private static let leastMain = 30
    private static let leastPanel = 42
    private static let mostPanel = 72

    init(_ size: Size) {
        let width = min(max(size.columns / 2 + 4, Self.leastPanel), Self.mostPanel)
        let isSplit = size.columns - width >= Self.leastMain
        main = isSplit ? Size(columns: size.columns - width, rows: size.rows) : size
        // Over the main screen, its first row and its status line stay in sight where there is room for that.
        let top = isSplit || size.rows < 10 ? 0 : 1
        let bottom = size.rows < 4 || isSplit ? 0 : 1
        panel = Rect(
            origin: Point(column: isSplit ? main.columns : 0, row: top),
            size: Size(columns: isSplit ? width : size.columns, rows: size.rows - top - bottom)
        )
        let hasBorder = panel.size.rows >= 8 && panel.size.columns >= 24
        content = hasBorder ? panel.inset(columns: 2, rows: 1) : panel
    }
}

/// A line of the screen of tweaks.
typealias TweakLine = ActiveLine<TweakTarget>

extension TweaksModel {
    /// The rows of the screen: a title, the list or the editor, what happened, and the buttons.
    func visibleLines(_ size: Size) -> [TweakLine] {
        let body = bodyLines(columns: size.columns)
        let room = bodyRows(size)
        if room == size.rows { return Self.window(of: body, rows: room, top: top(of: body, rows: room)) }
        var lines = [titleLine] + Self.window(of: body, rows: room, top: top(of: body, rows: room))
        lines += Array(repeating: TweakLine([]), count: size.rows - lines.count)
        lines[size.rows - 1] = buttonLine(columns: size.columns)
        let news = feedbackLines(columns: size.columns)
        // A long message covers the end of the list until the next key.
        lines.replaceSubrange(size.rows - 1 - news.count..<size.rows - 1, with: news)
        return lines
    }

    /// How many rows of the list or the editor are seen at once.
    func bodyRows(_ size: Size) -> Int {
        // The row for what happened is kept free, so that nothing moves when it is needed.
        size.rows >= 5 ? size.rows - 3 : size.rows
    }

    private func top(of lines: [TweakLine], rows: Int) -> Int {
        let last = max(lines.count - rows, 0)
        if let scroll = detail?.scroll { return min(scroll, last) }
        return ListCursor.top(showing: lines.firstIndex(where: \.isFocused) ?? 0, of: lines.count, rows: rows)
    }

    private static func window(of lines: [TweakLine], rows: Int, top: Int) -> [TweakLine] {
        Array(lines.dropFirst(top).prefix(rows))
    }

    private var titleLine: TweakLine {
        if let detail {
            return TweakLine([.init("\(detail.item.row.place.category) › \(detail.item.row.name)", .title)])
        }
        guard let search else { return TweakLine([.init(category ?? "All tweaks", .title)]) }
        guard isSearching else { return TweakLine([.init("/" + search.text, .title, target: .button(.search))]) }
        let window = search.window(columns: 30)
        return TweakLine([
            .init("/", .title), .init(window.before, .field), .init(window.under, .selected),
            .init(window.after, .field),
        ])
    }

    private func feedbackLines(columns: Int) -> [TweakLine] {
        switch question {
        case .resetCategory(let name): [TweakLine([.init("Reset all of \(name)?", .accent)])]
        case .resetAll: [TweakLine([.init("Reset every tweak?", .accent)])]
        case nil:
            feedback.sanitized().wrapped(toColumns: columns, maximumLines: 3).map { TweakLine([.init($0, .title)]) }
        }
    }

    private func buttonLine(columns: Int) -> TweakLine {
        let buttons: [(String, TweakButton)]
        if question != nil {
            buttons = [("y Yes", .yes), ("n No", .no)]
        } else if let detail {
            let key = detail.editor.takesText ? "Alt-" : ""
            buttons = [("Esc Back", .back), (key + "r Reset", .reset), (key + "u Undo", .undo)]
        } else {
            let isWhole = category == nil && search == nil
            let group = isWhole ? ("X Reset all", TweakButton.resetAll) : ("R Reset all", .resetGroup)
            buttons = [("Esc Back", .back), ("/ Search", .search), group, ("u Undo", .undo)]
        }
        let line = Self.line(of: buttons)
        return line.columnWidth <= columns ? line : Self.line(of: buttons.map { (Self.shortened($0), $1) })
    }

    private static func line(of buttons: [(text: String, button: TweakButton)]) -> TweakLine {
        let spans = buttons.map { [.init("  "), TweakLine.Span($0.text, .dimmed, target: .button($0.button))] }
        return TweakLine(Array(spans.joined().dropFirst()))
    }

    /// The first two words: on a small screen the key and what it does have to do.
    private static func shortened(_ text: String) -> String {
        text.split(separator: " ").prefix(2).joined(separator: " ").replacing("Search", with: "Find")
    }
}

extension TweaksModel {
    private func bodyLines(columns: Int) -> [TweakLine] {
        if let detail { return detail.lines(columns: columns) }
        if search == nil, category == nil {
            return entries.enumerated().map { index, entry in categoryLine(entry, index, columns: columns) }
        }
        var index = 0
        var lines: [TweakLine] = []
        for group in groups {
            lines.append(TweakLine([.init(group.title, .title)]))
            for item in group.items {
                lines.append(itemLine(item, index, columns: columns))
                index += 1
            }
        }
        return lines.isEmpty ? [TweakLine([.init("Nothing found", .dimmed)])] : lines
    }

    private func categoryLine(_ entry: Entry, _ index: Int, columns: Int) -> TweakLine {
        guard case .category(let name, let items) = entry else { return TweakLine([]) }
        let changed = items.count(where: \.isOverridden)
        let right = changed == 0 ? "\(items.count)" : "\(changed) of \(items.count) changed"
        return Self.line(
            name,
            [.init(right, changed == 0 ? .dimmed : .accent)],
            index,
            isSelected: index == self.index,
            columns: columns
        )
    }

    private func itemLine(_ item: TweakItem, _ index: Int, columns: Int) -> TweakLine {
        let isSelected = index == self.index
        guard item.row.tweak != nil else {
            return Self.line(item.row.name, [.init("run", .dimmed)], index, isSelected: isSelected, columns: columns)
        }
        var right: [TweakLine.Span] = []
        if case .string(let text) = item.value, item.row.tweak?.editor.isColor == true, let color = RGBColor(text) {
            right += [.init("  ", .swatch(color)), .init(" ")]
        }
        let value = item.preview.sanitized().truncated(toColumns: max(columns / 3, 1))
        right.append(.init(value, item.isOverridden ? .accent : .plain))
        if item.isOverridden {
            let initial = item.initialPreview.sanitized().truncated(toColumns: max(columns / 4, 1))
            right.append(.init(" (\(initial))", .dimmed))
        }
        return Self.line(item.row.name, right, index, isSelected: isSelected, columns: columns)
    }

    /// A name on the left and something on the right.
    private static func line(
        _ name: String,
        _ right: [TweakLine.Span],
        _ index: Int,
        isSelected: Bool,
        columns: Int
    ) -> TweakLine {
        let room = max(columns - right.reduce(3) { $0 + $1.text.columnWidth }, 1)
        let text = name.sanitized().truncated(toColumns: room)
        let padding = String(repeating: " ", count: room - text.columnWidth + 1)
        let left = TweakLine.Span((isSelected ? "▸ " : "  ") + text + padding, isSelected ? .selected : .plain)
        let spans = ([left] + right).map { TweakLine.Span($0.text, $0.tone, target: .entry(index)) }
        return TweakLine(spans, isFocused: isSelected)
    }
}

extension TweakDetail {
    /// The editor, and the facts about the tweak.
    func lines(columns: Int) -> [TweakLine] {
        var lines = editor.lines(columns: columns, hasFocus: true).map { $0.map(TweakTarget.editor) }
        lines.append(TweakLine([.init(editor.problem ?? "", .accent)]))
        let facts = [
            ("Type", item.row.tweak?.form.typeName ?? "", Tone.plain),
            ("Value", item.preview, item.isOverridden ? .accent : .plain),
            ("Initial", item.initialPreview, .plain),
            ("Stored", item.problem ?? "", .accent),
        ]
        for (name, text, tone) in facts where !text.isEmpty {
            let padding = String(repeating: " ", count: 9 - name.count)
            lines.append(TweakLine([.init(name + padding, .dimmed), .init(text, tone)]))
        }
        if !explanation.isEmpty { lines.append(TweakLine([.init("Why", .title)])) }
        return lines + explanation.flatMap { Self.wrapped($0, columns: columns) }
    }

    /// A line of an explanation, whose first two columns mark the link that decides.
    private static func wrapped(_ line: String, columns: Int) -> [TweakLine] {
        let parts = line.dropFirst(2).wrapped(toColumns: columns - 2, maximumLines: 4)
        return parts.enumerated().map { index, part in
            TweakLine([.init((index == 0 ? line.prefix(2) : "    ") + part)])
        }
    }
}

extension TweakEditor {
    /// Whether values are colours.
    var isColor: Bool { self == .color }
}
