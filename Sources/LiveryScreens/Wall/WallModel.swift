// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Programs
import RemoteConfig
import TerminalUI

/// A client on the wall and what it shows.
struct WallScreen: Sendable {
    let identity: WallIdentity
    var state: DemoState
}

/// What has happened on the wall, read at one moment.
struct WallState: Sendable {
    var screens: [WallScreen]
    /// The changes since the last reading.
    var arrivals: [Arrival] = []
}

/// Everything that a wall of screens is drawn from.
struct WallModel: ScreenModel, Screen {
    /// What can happen.
    enum Message {
        case terminal(TerminalEvent)
        case changed(WallState)
        /// All clients have read their source again.
        case refreshed([RefreshOutcome])
        /// Another client could not be made.
        case refused(ConfigError)
    }

    /// What the model wants done.
    enum Effect: Hashable {
        case refresh
        /// There are to be so many clients.
        case populate(Int)
        case redraw
        case quit(signal: Int32?)
    }

    let name = "Wall"
    var size: Size
    var colors: ColorMatcher
    var repertoire = GlyphRepertoire.unicode
    /// The user's keys, as far as they mean something here.
    var keys = KeyMap.standard
    var clock = ClockFormat.local
    /// The source as the user named it.
    var source: String
    private(set) var screens: [WallScreen] = []
    /// How many screens there will be: several keys may come before the first of them has had its effect.
    private(set) var wanted = 0
    private(set) var spread = ChangeSpread()
    private(set) var isHelpOpen = false
    /// The place in the help and its search.
    private(set) var list = ScrolledList()
    private(set) var feedback = "" {
        didSet { hasFailed = false }
    }
    /// Whether the feedback is that a refresh has failed.
    private(set) var hasFailed = false
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
            // A failure that is over.
            let isWell = screens.allSatisfy { $0.state.configuration.status.problem == nil }
            if hasFailed, isWell { feedback = "" }
        case .refreshed(let outcomes):
            feedback = Self.summary(of: outcomes)
            hasFailed = outcomes.contains { if case .failed = $0 { true } else { false } }
        case .refused(let error):
            wanted = screens.count
            feedback = "No more screens: \(error.message)"
        }
        return []
    }

    private static func summary(of outcomes: [RefreshOutcome]) -> String {
        for case .failed(let error) in outcomes { return "Not refreshed: \(error.message)" }
        return outcomes.allSatisfy { $0 == .unchanged } ? "Refreshed: nothing new" : "Refreshed: new values"
    }

    private mutating func update(_ event: TerminalEvent) -> [Effect] {
        switch event {
        case .resized(let size): self.size = size
        case .palette(let palette): colors = ColorMatcher(depth: colors.depth, palette: palette)
        case .signal(let signal): return [.quit(signal: signal)]
        case .hangUp: return [.quit(signal: nil)]
        case .input(let input): if case .done(let effects) = handle(input) { return effects }
        }
        return []
    }

    mutating func handle(_ event: InputEvent) -> ScreenResponse<Effect> {
        switch event {
        case .key(let key):
            if let page = helpPage, list.handle(key, count: page.lines.count, page: page.page) { return .handled }
            if let command = command(for: key) { return .done(perform(command)) }
            feedback = "\(key) does nothing here; \(keys.helpAdvice)"
            return .handled
        case .mouse(let mouse): return .done(update(mouse))
        case .paste, .focus, .reply: return .ignored
        }
    }

    var takesText: Bool { list.isTyping }

    private mutating func update(_ mouse: MouseEvent) -> [Effect] {
        switch mouse.action {
        case .press(button: 0) where isHelpOpen && helpPage?.frame.contains(mouse.point) == false:
            return perform(.close)
        case .press(button: 0) where WallLayout(of: screens.count, in: size).statusRow == mouse.point.row:
            return command(atColumn: mouse.point.column).map { perform($0) } ?? []
        case .scroll(let direction): return perform(direction < 0 ? .up : .down)
        default: return []
        }
    }

    private mutating func perform(_ command: Command) -> [Effect] {
        switch command {
        case .more: return populate(wanted + 1)
        case .fewer: return populate(wanted - 1)
        case .refresh:
            feedback = "Reading \(source) …"
            return [.refresh]
        case .help: (isHelpOpen, list) = (!isHelpOpen, ScrolledList())
        case .redraw: return [.redraw]
        case .quit: return [.quit(signal: nil)]
        case .close: isHelpOpen = false
        case .up, .down, .pageUp, .pageDown, .top, .end, .search:
            guard let page = helpPage, let key = command.action?.listKey else { break }
            _ = list.handle(key, count: page.lines.count, page: page.page)
        }
        return []
    }

    private mutating func populate(_ count: Int) -> [Effect] {
        let most = WallLayout.mostScreens(in: size)
        feedback = ""
        if count < 1 {
            feedback = "One screen has to stay"
        } else if count > wanted, count > most {
            feedback = WallLayout.capacity(of: size)
        } else {
            wanted = count
            return [.populate(count)]
        }
        return []
    }
}

extension WallModel {
    /// What a person can ask for.
    enum Command: CaseIterable {
        case more, fewer, refresh, help, redraw, quit, close, up, down, pageUp, pageDown, top, end, search

        /// What is the same on the main screen, with the same keys.
        fileprivate var action: Action? {
            switch self {
            case .more, .fewer: nil
            case .refresh: .refresh
            case .help: .help
            case .redraw: .redraw
            case .quit: .quit
            case .close: .close
            case .up: .scrollUp
            case .down: .scrollDown
            case .pageUp: .pageUp
            case .pageDown: .pageDown
            case .top: .scrollTop
            case .end: .scrollEnd
            case .search: .search
            }
        }

        private var own: (title: String, explanation: String, keys: [Key]) {
            self == .more
                ? ("More", "One screen more", [.character("+"), .character("=")])
                : ("Fewer", "One screen fewer", [.character("-")])
        }

        var facts: (title: String, explanation: String, keys: [Key]) { action?.facts ?? own }
    }

    private func keys(for command: Command) -> [Key] {
        command.action.map { keys.keys(for: $0) } ?? command.facts.keys
    }

    private func command(for key: Key) -> Command? { Command.allCases.first { keys(for: $0).contains(key) } }

    private func command(atColumn column: Int) -> Command? {
        let item = statusBar.item(at: column, columns: size.columns)
        return Command.allCases.first { hint(for: $0) == item?.text }
    }

    /// A key and a word, such as `+ More`; empty if no key does it.
    func hint(for command: Command) -> String {
        keys(for: command).first.map { "\($0) \(command.facts.title)" } ?? ""
    }

    var help: [ScreenHelp] {
        Command.allCases.compactMap { command in
            let names = keys(for: command).map(\.description)
            return names.isEmpty ? nil : ScreenHelp(names.joined(separator: ", "), command.facts.explanation)
        }
    }

    /// The page of the help, while it is open.
    var helpPage: OverlayLayout? {
        guard isHelpOpen else { return nil }
        let sections = HelpText(entries: help.map { .init($0.keys, $0.text) }).sections(
            columns: OverlayLayout.mostColumns(in: size)
        )
        return OverlayLayout(title: "Keys", sections, list, in: size)
    }
}
