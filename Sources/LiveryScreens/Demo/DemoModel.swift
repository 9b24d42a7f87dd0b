// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Programs
import RemoteConfig
import TerminalUI

/// What the screen shows of the world, read at one moment.
struct DemoState: Sendable {
    var configuration: ConfigState.Current
    /// When it was read.
    var time = Timestamp.now
    /// The demo's values, tweaks included.
    var values: DemoValues
    var tweaks = TweakState()
}

extension DemoState {
    /// Reads a configuration and the values that definitions find in it.
    init(of state: ConfigState, by config: DemoConfig, _ tweaks: @autoclosure () -> TweakState = TweakState()) {
        let current = state.current
        self.init(configuration: current, values: config.values(of: current), tweaks: tweaks())
    }
}

/// Everything that the screen is drawn from.
struct DemoModel: ScreenModel {
    /// What lies over the main screen.
    enum Overlay: Hashable {
        case help
        case problems
        case log
    }

    /// What can happen.
    enum Message {
        case terminal(TerminalEvent)
        case changed(DemoState)
        case refreshed(RefreshOutcome)
        case opened(URLOpener.Outcome)
        case copied(String, isPossible: Bool)
        /// It is time to go on with the panel's work.
        case working
    }

    /// What the model wants done.
    enum Effect: Hashable {
        case refresh
        case open(WebAddress)
        case copy(String)
        /// Post that it is time to go on with the panel's work, after what waits already.
        case work
        case tweak(TweakCommand)
        case redraw
        case quit(signal: Int32?)
    }

    var size: Size
    var colors: ColorMatcher
    /// Whether the background may fade.
    var hasMotion = true
    var repertoire = GlyphRepertoire.unicode
    var keys = KeyMap.standard
    var clock = ClockFormat.local
    var state: DemoState

    /// The panels that are open beside or over the main screen, the last one on top.
    var panels: [any DemoPanel] = []
    /// What keys were before they changed.
    var history = ChangeHistory()
    var overlay: Overlay?
    /// The overlay's place and its search.
    var list = ScrolledList()
    private(set) var activity = Activity() {
        didSet { markPanels() }
    }
    /// Whether the terminal's window has the keyboard.
    var hasFocus = true
    /// The feedback on a refresh that has failed, until the source can be read.
    private(set) var failure: String?
    /// What is printed on the normal screen after the program has ended.
    var parting: [String] = []

    var configuration: ConfigState.Current { state.configuration }
    var values: DemoValues { state.values }

    /// The problems: of the source as a whole first, then of single values and rules.
    var problems: [ConfigError] {
        (configuration.status.problem.map { [$0] } ?? []) + values.problems + configuration.snapshot.ruleProblems
    }
}

extension DemoModel {
    /// More keys than any screen has room to name.
    private static let mostNamedKeys = 1000

    mutating func update(_ message: Message) -> [Effect] {
        let wasWorking = panels.contains(where: \.isWorking)
        let effects = respond(to: message)
        // One request at a time: the answer to it leads to the next.
        let isAsked: Bool
        if case .working = message { isAsked = false } else { isAsked = wasWorking }
        return panels.contains(where: \.isWorking) && !isAsked ? effects + [.work] : effects
    }

    private mutating func respond(to message: Message) -> [Effect] {
        // A larger screen or a shorter list may leave less to scroll.
        defer { if let layout = overlayLayout { list.clamp(count: layout.lines.count, page: layout.page) } }
        switch message {
        case .terminal(let event): return update(event)
        case .changed(let state):
            activity.follow(state, after: self.state, on: activityScreen)
            history.record(from: configuration, to: state.configuration)
            self.state = state
            updatePanels()
            if state.configuration.status.problem == nil { withdrawFailure() }
        case .refreshed(.changed(let keys)):
            // What has changed was announced already, with its values.
            if activity.changedKeys.isEmpty {
                show("Refreshed: " + keys.prefix(Self.mostNamedKeys).joined(separator: ", "))
            }
        case .refreshed(.staged): show("Refreshed: new values are there for the next launch")
        case .refreshed(.unchanged): show("Refreshed: nothing new")
        case .refreshed(.failed(let error)):
            let text = "Not refreshed: \(error.message)"
            show(text)
            failure = text
        case .opened(.opened(let url, let program)): show("Opened \(url.text) with \(program)")
        case .opened(.noBrowser(let url)):
            show("No browser here; the URL is printed when you leave: \(url.text)")
            printWhenLeaving(url)
        case .opened(.failed(let url, let reason)):
            show("Not opened: \(reason); the URL is printed when you leave")
            printWhenLeaving(url)
        case .copied(let text, isPossible: true): show("Copied \(text.prefix(100)), if the terminal allows it")
        case .copied(_, isPossible: false): show("This terminal has no clipboard")
        case .working: for index in panels.indices where panels[index].isWorking { panels[index].goOn() }
        }
        return []
    }

    var timer: ScreenTimer? { activity.timer }

    mutating func timeIsUp(isBehind: Bool) { activity.timeIsUp(isBehind: isBehind) }

    private var activityScreen: Activity.Screen {
        let depth = colors.depth
        return .init(repertoire: repertoire, hasColors: depth != .monochrome, mayFade: hasMotion && depth == .direct)
    }

    private mutating func printWhenLeaving(_ url: WebAddress) {
        if !parting.contains(url.text) { parting.append(url.text) }
    }

    private mutating func update(_ event: TerminalEvent) -> [Effect] {
        // What lies over a panel gets the release of the button, and the panel does not.
        for index in overlay == nil ? panels.indices.dropLast() : panels.indices { panels[index].endDrag() }
        switch event {
        case .resized(let size):
            self.size = size
            for index in panels.indices { panels[index].size = size }
        case .palette(let palette): colors = ColorMatcher(depth: colors.depth, palette: palette)
        case .signal(let signal): return [.quit(signal: signal)]
        case .hangUp: return [.quit(signal: nil)]
        case .input(.key(let key)):
            if overlay != nil, list.isTyping || key == Key(.escape), handleInList(key) { return [] }
            if let effects = handleInPanel(.key(key)) { return effects }
            if let action = keys.action(for: key) { return perform(action) }
            show("\(key) does nothing here; \(keys.helpAdvice)")
        case .input(.mouse(let mouse)):
            return handleInPanel(.mouse(mouse)) ?? update(mouse)
        case .input(.paste(let text)):
            if overlay != nil {
                list.paste(text)
                return []
            }
            return handleInPanel(.paste(text)) ?? []
        case .input(.focus(let hasFocus)): self.hasFocus = hasFocus
        case .input(.reply): break
        }
        return []
    }

    private mutating func update(_ mouse: MouseEvent) -> [Effect] {
        if overlay != nil { return updateOverlay(mouse).map { perform($0) } ?? [] }
        guard mouse.action == .press(button: 0) else { return [] }
        let (main, layout) = (main, MainLayout(main))
        if layout.button.contains(mouse.point) { return perform(.open) }
        if layout.newsRow == mouse.point.row {
            return main.activity.news?.line.hit(column: mouse.point.column - 1).map { perform($0.target) } ?? []
        }
        guard layout.statusRow == mouse.point.row else { return [] }
        return main.action(atColumn: mouse.point.column).map { perform($0) } ?? []
    }

    mutating func perform(_ action: Action) -> [Effect] {
        switch action {
        case .open: return overlay == nil ? [.open(values.buttonURL)] : []
        case .copy:
            return overlay == nil && panels.allSatisfy { $0.layer != .inspector } ? [.copy(values.buttonURL.text)] : []
        case .refresh:
            show("Reading \(configuration.status.source) …")
            return [.refresh]
        case .inspect:
            toggle(.inspector) { InspectorModel($0.panelState, clock: $0.clock, $0.colors.depth, size: $0.size) }
            markPanels()
        case .problems: toggle(.problems)
        case .log: toggle(.log)
        case .help: toggle(.help)
        case .tweak:
            toggle(.tweaks) { TweaksModel($0.state.tweaks, size: $0.size) }
        case .redraw: return [.redraw]
        case .quit: return [.quit(signal: nil)]
        case .close where overlay == nil:
            let key = keys.keys(for: .quit).first.map { "\($0) leaves" } ?? keys.helpAdvice
            show("No panel is open; \(key)")
        case .close: if !list.endSearch() { overlay = nil }
        case .search where list.isTyping: _ = handleInList(Key(.enter))
        case .scrollUp, .scrollDown, .pageUp, .pageDown, .scrollTop, .scrollEnd, .search:
            if let key = action.listKey { _ = handleInList(key) }
        }
        return []
    }

    /// Shows feedback on the screen that is open; over an overlay as long as elsewhere on the main screen.
    private mutating func show(_ text: String) {
        failure = nil
        if overlay == nil, !panels.isEmpty {
            panels[panels.count - 1].feedback = text
        } else {
            activity.say(text)
        }
    }

    /// Removes the feedback on a refresh that has failed, once the source can be read.
    private mutating func withdrawFailure() {
        guard let text = failure.take() else { return }
        if activity.news?.text == text.sanitized() { activity.forgetNews() }
        for index in panels.indices where panels[index].feedback == text { panels[index].feedback = "" }
    }

    private mutating func toggle(_ wanted: Overlay) {
        overlay = overlay == wanted ? nil : wanted
        list = ScrolledList()
    }

    /// Hands a key to the list of the overlay, if one is open.
    private mutating func handleInList(_ key: Key) -> Bool {
        guard let layout = overlayLayout else { return false }
        return list.handle(key, count: layout.lines.count, page: layout.page)
    }
}
