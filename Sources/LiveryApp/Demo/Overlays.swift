import ConfigModel
import RemoteConfig
import TerminalUI

extension DemoModel {
    var overlayFrame: Rect {
        let margin = size.columns >= 60 ? 4 : 0
        let widest = (overlayLines.map(\.columnWidth).max() ?? 0) + 4
        let room = Size(columns: size.columns - 2 * margin, rows: max(size.rows - 1, min(size.rows, 1)))
        let wanted = Size(columns: min(widest, room.columns), rows: min(overlayLines.count + 2, room.rows))
        var frame = Rect.centered(wanted, in: room)
        frame.origin.column += margin
        return frame
    }

    /// Where the overlay's content goes: within a border, where there is room for one.
    private var overlayContent: Rect {
        let frame = overlayFrame
        let hasBorder = frame.size.rows >= 3 && frame.size.columns >= 5
        return hasBorder ? frame.inset(columns: 2, rows: 1) : frame
    }

    var overlayPage: Int { max(overlayContent.size.rows, 1) }

    var overlayLines: [String] {
        switch overlay {
        case .help: helpLines
        case .inspector: inspectorLines
        case nil: []
        }
    }

    func drawOverlay(on grid: inout Grid, _ theme: Theme) {
        guard let overlay else { return }
        let (frame, inner) = (overlayFrame, overlayContent)
        grid.fill(frame, style: theme.inverse)
        if inner != frame {
            grid.drawBox(frame, title: overlay == .help ? "Keys" : "Inspector", style: theme.inverse)
        }
        for (line, row) in zip(overlayLines.dropFirst(scroll), inner.rows) {
            let text = line.truncated(toColumns: inner.size.columns)
            grid.write(text, at: Point(column: inner.origin.column, row: row), style: theme.inverse)
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
