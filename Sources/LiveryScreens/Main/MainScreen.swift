// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI

/// The main screen: the background, the button, what happened last, and the status line. Panels lie beside or over it.
struct MainScreen: Screen {
    enum Command: String, CaseIterable, Hashable, Sendable {
        case open, copy, refresh, inspect, find, problems, log, history, tweak, sources, compare, palette
        case importFile = "import"
        case staged, drafts, undo, help, redraw, quit, close
    }

    /// How the screen is seen.
    enum Presence: Hashable, Sendable {
        case alone
        /// With panels that get the keys first.
        case behind(PanelLayer, takesText: Bool)
        /// As a picture that handles nothing.
        case picture
    }

    let name = "Main"
    var size: Size
    var look: ScreenLook
    var state: DemoState
    var presence = Presence.alone
    /// Whether the terminal's window has the keyboard.
    var hasFocus = true
    var activity = Activity()
    /// The background that an editor previews.
    var previewedBackground: RGBColor?
    /// Whether a file can be imported into the source.
    var mayImport = false
    /// Whether there is a write that can be undone.
    var mayUndo = false
    /// Whether the source has drafts.
    var mayReview = false
    /// The number of staged changes and of drafts.
    var unpublished = (staged: 0, drafts: 0)

    init(size: Size, look: ScreenLook, state: DemoState) {
        (self.size, self.look, self.state) = (size, look, state)
    }
}

extension MainScreen.Command {
    /// A word for the status line, a sentence for the help, and the standard keys.
    var facts: (hint: String, help: String, keys: [Key]) {
        switch self {
        case .open: ("Open", "Open the URL", [Key(.enter)])
        case .copy: ("Copy", "Copy the URL to the clipboard", [.character("c")])
        case .refresh: ("Refresh", "Refresh from the source", [.character("r")])
        case .inspect: ("Inspect", "List every key with its value and origin", [.character("i")])
        case .find: ("Find", "Find a key: list the keys with a filter", [.character("/")])
        case .problems: ("Errors", "Show all errors in full", [.character("!")])
        case .log: ("Log", "List all changes and errors since the start", [.character("l")])
        case .history: ("History", "List the revisions", [.character("h")])
        case .tweak: ("Tweaks", "Override values on this machine", [.character("t")])
        case .sources: ("Sources", "Follow another namespace or source", [.character("S")])
        case .compare: ("Compare", "Compare with another namespace or source", [.character("C")])
        case .palette:
            ("Palette", "Find an action or a key by typing", [.character(":"), Key(.character("p"), .control)])
        case .importFile: ("Import", "Import a file into the source", [.character("I")])
        case .staged: ("Staged", "Review the staged changes", [.character("P")])
        case .drafts: ("Drafts", "List the drafts of the server", [.character("v")])
        case .undo: ("Undo", "Undo the last write", [.character("u")])
        case .help: ("Help", "Show the keys of this screen", [.character("?"), Key(.function(1))])
        case .redraw: ("Redraw", "Redraw the screen", [Key(.character("l"), .control)])
        case .quit: ("Quit", "Quit", [.character("q"), .interrupt])
        case .close: ("Close", "Close the open panel", [Key(.escape)])
        }
    }

    func declaration(_ keys: UserKeys) -> ScreenCommand<Self> {
        let facts = facts
        let bound = keys.keys(for: rawValue, standard: facts.keys)
        return ScreenCommand(self, bound, hint: facts.hint, help: facts.help)
    }
}

extension MainScreen {
    var commands: [ScreenCommand<Command>] {
        Command.allCases.filter(isPossible).map { $0.declaration(look.keys) }
    }

    private func isPossible(_ command: Command) -> Bool {
        switch command {
        case .importFile: mayImport
        case .staged: unpublished.staged > 0
        case .drafts: mayReview
        case .undo: mayUndo
        default: true
        }
    }

    var notes: [ScreenHelp] {
        [
            ScreenHelp("Click", "Press the button, a hint in the status line, or a line of this list"),
            ScreenHelp("Click outside", "Close the open panel"), ScreenHelp("Wheel", "Scroll the open panel"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .open: .done(isBehind(.list) ? [] : [.open(values.buttonURL)])
        case .copy: .done(isBehind(.inspector) ? [] : [.copy(values.buttonURL.text)])
        case .refresh: .done([.refresh])
        case .inspect: .done([.toggle(.inspector)])
        case .find: presence == .alone ? .done([.findKeys]) : .ignored
        case .problems: .done([.toggle(.problems)])
        case .log: .done([.toggle(.log)])
        case .history: .done([.toggle(.history(nil))])
        case .tweak: .done([.toggle(.tweaks)])
        case .sources: .done([.toggle(.sources(.follow))])
        case .compare: .done([.toggle(.sources(.compare))])
        case .palette: .done([.toggle(.palette)])
        case .importFile: .done([.toggle(.importFile)])
        case .staged: .done([.toggle(.staged)])
        case .drafts: .done([.toggle(.drafts)])
        case .undo: .done([.undo])
        case .help: .done([.toggle(.help)])
        case .redraw: .done([.redraw])
        case .quit: .done([.leave])
        case .close: .close
        }
    }

    /// Whether a panel of a layer, or a higher one, is open.
    private func isBehind(_ layer: PanelLayer) -> Bool {
        if case .behind(let top, _) = presence { top >= layer } else { false }
    }

    mutating func handle(_ event: InputEvent) -> ScreenResponse<DemoIntent> {
        switch event {
        case .key(let key): return perform(key)
        case .mouse(let mouse):
            guard mouse.action == .press(button: 0), let command = command(at: mouse.point) else { return .handled }
            return perform(command)
        case .focus(let hasFocus): self.hasFocus = hasFocus
        case .paste, .reply: break
        }
        return .handled
    }

    private func command(at point: Point) -> Command? {
        let layout = layout
        if layout.button.contains(point) { return .open }
        if layout.newsRow == point.row { return activity.changedKeys.isEmpty ? nil : .log }
        if layout.statusRow == point.row { return StatusLine(self).command(atColumn: point.column) }
        return nil
    }

    /// Takes in what has changed.
    mutating func take(_ next: DemoState) {
        activity.follow(next, after: state, on: look)
        state = next
    }
}

extension MainScreen {
    var values: DemoValues { state.values }
    var layout: MainLayout { MainLayout(size: size, text: values.buttonText) }
    /// The background as it is painted now.
    var background: ShownColor {
        look.colors.match(previewedBackground ?? activity.fade?.color ?? values.background)
    }
    var theme: Theme { Theme(background: background, colors: look.colors) }

    func draw(on grid: inout Grid, _ theme: Theme) {
        let layout = layout
        drawButton(on: &grid, layout, theme)
        let page = Rect.row(0, columns: size.columns).inset(columns: 1, rows: 0)
        if let row = layout.urlRow {
            let url = values.buttonURL.text
            let cells = grid.writeCentered(url, in: page, row: row, style: theme.dimmed)
            if !isBehind(.list) { grid.link(cells, to: url) }
        }
        if let row = layout.bannerRow, !values.isUpToDate {
            // Inverse over the whole width, since the program may go wrong until it is replaced.
            grid.fill(.row(row, columns: size.columns), style: theme.inverse)
            grid.writeCentered(values.versionText, in: page, row: row, style: theme.inverse)
        }
        if let row = layout.newsRow, let news = activity.news {
            grid.drawOnPage(news.line, in: .row(row, from: 1, columns: page.size.columns), theme)
        }
        drawFirstSteps(on: &grid, layout, theme)
        if let row = layout.colorsRow { drawColors(on: &grid, row: row, theme) }
        if let row = layout.statusRow {
            let text = StatusLine(self).bar.text(columns: size.columns)
            let isHealthy = state.problems.isEmpty
            // Dimmed without errors, with nothing painted after it; the error line fills the whole width.
            let shown = isHealthy ? String(text.droppingTrailingSpaces()) : text
            grid.write(shown, at: Point(column: 0, row: row), style: isHealthy ? theme.dimmed : theme.error)
        }
    }

    /// The first steps, below the button, if there is room for all of them.
    private func drawFirstSteps(on grid: inout Grid, _ layout: MainLayout, _ theme: Theme) {
        guard let steps = FirstSteps(state.configuration.status), let end = layout.newsRow else { return }
        // The card has them.
        if case .behind(.start, _) = presence { return }
        let page = Rect.row(0, columns: size.columns).inset(columns: 1, rows: 0)
        let lines = steps.lines(columns: page.size.columns)
        let top = (layout.urlRow ?? layout.button.rows.upperBound) + 2
        guard top + lines.count <= end else { return }
        for (index, line) in lines.enumerated() {
            grid.writeCentered(line, in: page, row: top + index, style: theme.page)
        }
    }

    /// The last colours of the background, the newest on the right.
    private func drawColors(on grid: inout Grid, row: Int, _ theme: Theme) {
        guard activity.colors.count > 1, look.hasColors else { return }
        for (index, color) in activity.colors.suffix(max(size.columns - 2, 0) / 2).enumerated() {
            grid.drawSwatch(color, in: .row(row, from: 1 + 2 * index, columns: 2), theme)
        }
    }

    /// A solid block in the text's colour; the arrows show that Enter presses it.
    private func drawButton(on grid: inout Grid, _ layout: MainLayout, _ theme: Theme) {
        let block = layout.button
        grid.fill(block, style: theme.inverse)
        let firstRow = block.origin.row + (layout.isPadded ? 1 : 0)
        for (index, line) in layout.label.enumerated() {
            grid.writeCentered(line, in: block, row: firstRow + index, style: theme.inverse)
        }
        guard layout.isPadded, hasFocus, presence != .picture else { return }
        let row = firstRow + layout.label.count / 2
        grid.write("▸", at: Point(column: block.columns.lowerBound + 1, row: row), style: theme.inverse)
        grid.write("◂", at: Point(column: block.columns.upperBound - 2, row: row), style: theme.inverse)
    }
}
