// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files
import RemoteConfig
import TerminalUI

/// A client on the wall and its screen.
struct WallScreen: Sendable {
    let identity: WallIdentity
    var state: DemoState
}

/// The events on the wall, read at one moment.
struct WallState: Sendable {
    var screens: [WallScreen]
    /// The changes since the last reading.
    var arrivals: [Arrival] = []
}

/// A wall of screens in one terminal, each with its own client.
struct WallModel: ScreenModel, Screen {
    /// An event.
    enum Message {
        case terminal(TerminalEvent)
        case changed(WallState)
        /// All clients have read their source again.
        case refreshed([RefreshOutcome])
        /// Another client could not be made.
        case refused(ConfigError)
    }

    /// An action that the model requests.
    enum Effect: Hashable {
        case refresh
        /// Changes the number of clients.
        case populate(Int)
        case redraw
        case quit(signal: Int32?)
    }

    enum Command: String, CaseIterable, Hashable, Sendable {
        case more, fewer, refresh, help, redraw, quit
    }

    let name = "Wall"
    var size: Size {
        didSet { helpList?.size = size }
    }
    var look: ScreenLook
    /// The source as the user named it.
    var source: String
    private(set) var screens: [WallScreen] = []
    /// The requested number of screens: several keys may come before the first of them has had its effect.
    private(set) var wanted = 0
    private(set) var spread = ChangeSpread()
    /// The help, while it is open.
    private(set) var helpList: ListScreen<HelpPage>?
    private(set) var feedback = "" {
        didSet { hasFailed = false }
    }
    /// Whether the feedback is that a refresh has failed.
    private(set) var hasFailed = false

    init(size: Size, look: ScreenLook, source: String) {
        (self.size, self.look, self.source) = (size, look, source)
    }
}

extension WallModel {
    mutating func update(_ message: Message) -> [Effect] {
        switch message {
        case .terminal(let event): return update(event)
        case .changed(let state):
            screens = state.screens
            wanted = screens.count
            spread.watch(screens.map(\.identity))
            for arrival in state.arrivals { spread.record(arrival) }
            // The failure has ended.
            let isHealthy = screens.allSatisfy { $0.state.configuration.status.problem == nil }
            if hasFailed, isHealthy { feedback = "" }
        case .refreshed(let outcomes):
            feedback = Self.summary(of: outcomes)
            hasFailed = outcomes.contains { if case .failed = $0 { true } else { false } }
        case .refused(let error):
            wanted = screens.count
            feedback = "Cannot add another screen: \(error.message)"
        }
        return []
    }

    private static func summary(of outcomes: [RefreshOutcome]) -> String {
        for case .failed(let error) in outcomes { return "Refresh failed: \(error.message)" }
        return outcomes.allSatisfy { $0 == .unchanged } ? "Refreshed: no changes" : "Refreshed: new values"
    }

    private mutating func update(_ event: TerminalEvent) -> [Effect] {
        switch event {
        case .resized(let size): self.size = size
        case .palette(let palette): look.colors = ColorMatcher(depth: look.colors.depth, palette: palette)
        case .signal(let signal): return [.quit(signal: signal)]
        case .hangUp: return [.quit(signal: nil)]
        case .input(let input): if case .done(let effects) = handle(input) { return effects }
        }
        return []
    }
}

extension WallModel.Command {
    /// The command with its keys: those of the main screen, where it has the command too.
    fileprivate func declaration(_ keys: UserKeys) -> ScreenCommand<Self> {
        if let common = MainScreen.Command(rawValue: rawValue)?.declaration(keys) {
            return ScreenCommand(self, common.keys, hint: common.hint, help: common.help)
        }
        return self == .more
            ? ScreenCommand(self, [.character("+"), .character("=")], hint: "More", help: "Add a screen")
            : ScreenCommand(self, [.character("-")], hint: "Fewer", help: "Remove a screen")
    }
}

extension WallModel {
    var commands: [ScreenCommand<Command>] { Command.allCases.map { $0.declaration(look.keys) } }
    var takesText: Bool { helpList?.takesText == true }

    mutating func perform(_ command: Command) -> ScreenResponse<Effect> {
        switch command {
        case .more: return populate(wanted + 1)
        case .fewer: return populate(wanted - 1)
        case .refresh:
            feedback = "Reading \(source)…"
            return .done([.refresh])
        case .help:
            let help = help + ListScrolling.help(look.keys)
            helpList = helpList == nil ? ListScreen(HelpPage(help: help), size: size, keys: look.keys) : nil
        case .redraw: return .done([.redraw])
        case .quit: return .done([.quit(signal: nil)])
        }
        return .handled
    }

    mutating func handle(_ event: InputEvent) -> ScreenResponse<Effect> {
        switch helpList?.handle(event) {
        case .close:
            helpList = nil
            return .handled
        case .done(let intents):
            for case .press(let key) in intents {
                helpList = nil
                return perform(key)
            }
            return .handled
        case .ignored, nil: break
        }
        switch event {
        case .key(let key):
            let response = perform(key)
            if response == .ignored { feedback = "\(key) is not bound here; \(look.keys.helpAdvice)" }
            return response
        case .mouse(let mouse):
            let statusRow = WallLayout(of: screens.count, in: size).statusRow
            guard mouse.action == .press(button: 0), statusRow == mouse.point.row else { return .ignored }
            let item = statusBar.item(at: mouse.point.column, columns: size.columns)
            return item?.target.flatMap(Command.init(rawValue:)).map { perform($0) } ?? .ignored
        case .paste, .focus, .reply: return .ignored
        }
    }

    private mutating func populate(_ count: Int) -> ScreenResponse<Effect> {
        let most = WallLayout.maximumScreens(in: size)
        feedback = ""
        if count < 1 {
            feedback = "Cannot remove the last screen"
        } else if count > wanted, count > most {
            feedback = WallLayout.capacity(of: size)
        } else {
            wanted = count
            return .done([.populate(count)])
        }
        return .handled
    }
}

extension WallModel {
    func view() -> Grid {
        // The wall itself is black, so that its lines are visible next to any colour.
        grid(Theme(background: look.colors.match(RGBColor(0x000000)), colors: look.colors))
    }

    func draw(on grid: inout Grid, _ theme: Theme) {
        let layout = WallLayout(of: screens.count, in: size)
        grid.drawLines(of: layout, style: theme.dimmed)
        for (screen, tile) in zip(screens, layout.tiles) {
            grid.draw(picture(of: screen, size: tile.size), at: tile.origin)
        }
        if let row = layout.statusRow {
            let isHealthy = problem == nil
            let text = statusBar.text(columns: size.columns)
            grid.write(text, at: Point(column: 0, row: row), style: isHealthy ? theme.dimmed : theme.error)
        }
        helpList?.draw(on: &grid, theme)
    }

    /// The main screen made small, with the client's name in the corner.
    private func picture(of screen: WallScreen, size: Size) -> Grid {
        var state = screen.state
        // One line of the wall names it for all of them.
        state.configuration.status.source = ""
        var main = MainScreen(size: size, look: look, state: state)
        main.presence = .picture
        let theme = main.theme
        var grid = main.grid(theme)
        let last = max(size.rows - 1, 0)
        // A message in this row, inverse, continues around the name.
        let style = grid[Point(column: 0, row: 0)]?.style == theme.page ? theme.dimmed : theme.inverse
        let room = size.columns - 2
        let name = screen.identity.description.truncated(toColumns: room)
        guard size.rows > 1 else { return grid }
        grid.write(name, at: Point(column: 1, row: 0), style: style)
        let color = main.background.asked.description
        if name.columnWidth + color.columnWidth < room, !grid.text(row: last).contains(color) {
            grid.write(color, at: Point(column: size.columns - 1 - color.columnWidth, row: 0), style: style)
        }
        return grid
    }
}

extension WallModel {
    /// The bottom row: the states of the clients, and how the last change has spread.
    var statusBar: StatusBar {
        let problem = problem ?? ""
        // In the order of their importance, as on the main screen; a message leaves room to the first two.
        let important = problem.isEmpty && feedback.isEmpty ? 3 : 1
        let hints: [(command: Command, rank: Int)] = [
            (.help, important), (.quit, important), (.more, 6), (.fewer, 7), (.refresh, 9),
        ]
        var message = StatusBar.Item(feedback.isEmpty ? problem : feedback, rank: 2, isTruncatable: true)
        message.minimumColumns = feedback.isEmpty ? 20 : 40
        let file = source.fileNameOfPath
        return StatusBar(
            items: states.map { StatusBar.Item($0, rank: 0) }
                + [
                    StatusBar.Item(hiddenText, rank: 1),
                    StatusBar.Item(spreadText.long, shorter: spreadText.short, rank: 1),
                    message, StatusBar.Item(feedback.isEmpty ? "" : problem, rank: 2, isTruncatable: true),
                    StatusBar.Item(problem.isEmpty ? source : "", shorter: file, rank: 4),
                ]
                + hints.map { command, rank in
                    let hint = command.declaration(look.keys).hintText()
                    return StatusBar.Item(hint, rank: rank, isTrailing: true, target: command.rawValue)
                }
        )
    }

    /// The number of clients in each state, such as `● 3 live` and `○ 1 offline`.
    private var states: [String] {
        let texts = screens.map(\.state.title)
        var seen: Set<String> = []
        return texts.filter { seen.insert($0).inserted }.map { text in
            let words = text.split(separator: " ", maxSplits: 1)
            return "\(words.first ?? "") \(texts.count { $0 == text }) \(words.dropFirst().joined())"
        }
    }

    /// The progress of the newest state, the number of values that it has changed, and the time from the first client that has
    /// it to the last, such as `4 of 4 changed within 3.2 ms`. With a rollout, `2 of 4 changed within 3.2 ms, 4 received`.
    private var spreadText: (long: String, short: String) {
        guard let report = spread.newest else { return ("", "") }
        let time = (report.duration / .milliseconds(1)).oneDecimal
        let received = "\(report.count) of \(report.total)"
        let short = "\(received) in \(time) ms"
        if report.changedCount == 0 { return ("\(received) received within \(time) ms", short) }
        let rest = report.changedCount == report.count ? "" : ", \(report.count) received"
        return ("\(report.changedCount) of \(report.total) changed within \(time) ms\(rest)", short)
    }

    /// The number of visible screens, such as `6 of 9 fit`.
    private var hiddenText: String {
        let most = WallLayout.maximumScreens(in: size)
        return most < screens.count ? "\(most) of \(screens.count) fit" : ""
    }

    /// The first problem of the first client that has one; else the note on their namespace.
    private var problem: String? {
        for screen in screens {
            guard var problem = screen.state.problems.first else { continue }
            problem.source = problem.source?.fileNameOfPath
            return "\(screen.identity): \(problem)"
        }
        return screens.lazy.compactMap(\.state.configuration.noteOnNamespace).first
    }
}
