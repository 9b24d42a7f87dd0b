import ConfigModel
import RemoteConfig
import TerminalUI

/// The open overlay: its content, unclipped, and where it goes.
struct OverlayLayout {
    let title: String
    let lines: [String]
    let frame: Rect
    /// Where the content goes: within a border, where there is room for one.
    let content: Rect
    /// How many rows of the content are seen at once.
    var page: Int { max(content.size.rows, 1) }

    init(title: String, lines: [String], in size: Size) {
        self.title = title
        self.lines = lines
        let margin = size.columns >= 60 ? 4 : 0
        let widest = (lines.map(\.columnWidth).max() ?? 0) + 4
        let room = Size(columns: size.columns - 2 * margin, rows: max(size.rows - 1, min(size.rows, 1)))
        let wanted = Size(columns: min(widest, room.columns), rows: min(lines.count + 2, room.rows))
        var frame = Rect.centered(wanted, in: room)
        frame.origin.column += margin
        self.frame = frame
        content = frame.size.rows >= 3 && frame.size.columns >= 5 ? frame.inset(columns: 2, rows: 1) : frame
    }
}

extension DemoModel {
    var overlayLayout: OverlayLayout? {
        switch overlay {
        case .help: OverlayLayout(title: "Keys", lines: helpLines, in: size)
        case .inspector: OverlayLayout(title: "Inspector", lines: inspectorLines, in: size)
        case nil: nil
        }
    }

    func drawOverlay(on grid: inout Grid, _ theme: Theme) {
        guard let layout = overlayLayout else { return }
        grid.fill(layout.frame, style: theme.inverse)
        if layout.content != layout.frame { grid.drawBox(layout.frame, title: layout.title, style: theme.inverse) }
        for (line, row) in zip(layout.lines.dropFirst(scroll), layout.content.rows) {
            let text = line.truncated(toColumns: layout.content.size.columns)
            grid.write(text, at: Point(column: layout.content.origin.column, row: row), style: theme.inverse)
        }
    }
}

extension DemoModel {
    private var helpLines: [String] {
        let rows = Action.allCases.compactMap { action -> (keys: String, text: String)? in
            let names = keys.keys(for: action).map(\.description)
            return names.isEmpty ? nil : (names.joined(separator: ", "), action.facts.explanation)
        }
        let widest = rows.map(\.keys.columnWidth).max() ?? 0
        return rows.map { $0.keys.padded(toColumns: widest + 2) + $0.text }
    }

    /// Which link of a tweaked key's chain answers.
    private func tweakLines(_ key: String) -> [String] {
        guard let item = state.tweaks.items.first(where: { $0.id == key }), item.isOverridden else { return [] }
        return item.explanation.map { "    \($0)".sanitized() }
    }

    private var inspectorLines: [String] {
        let entries = configuration.snapshot.entries.sorted { $0.key < $1.key }
        guard !entries.isEmpty else { return ["\(configuration.status.source) has no keys yet.".sanitized()] }
        let version = "This is livery \(SemanticVersion.livery). \(values.versionText)."
        return [version]
            + entries.flatMap { key, entry in
                let place = [entry.source, entry.location?.description].compactMap(\.self).joined(separator: ":")
                return [
                    "\(key) = \(entry.value.canonicalJSON)".sanitized(),
                    "    \(place), changed \(clock.dateAndClock(entry.changedAt))".sanitized(),
                ] + tweakLines(key)
            }
    }
}
