// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import RemoteConfig
import TerminalUI

/// The demo as a stack of screens: the main screen, and the panels that are open over or beside it.
struct DemoModel: ScreenModel {
    /// An event.
    enum Message {
        /// With its time; `nil` for one that comes after a pause.
        case terminal(TerminalEvent, at: ContinuousClock.Instant? = nil)
        case changed(DemoState)
        /// A command of the tweaks was carried out, or not.
        case tweaked(TweakOutcome, DemoState)
        case refreshed(RefreshOutcome)
        case opened(URLOpener.Outcome)
        case copied(String, CopyOutcome)
        case saved(SaveRequest, SaveOutcome)
        /// A request to the operator has ended.
        case answered(OperatorAnswer)
        /// The user's editor has ended.
        case edited(ExternalEdit.Outcome)
        /// The sources that were followed before.
        case recentSources([String])
        case checked(String, SourceCheck)
        /// Something was done outside the screen, or not.
        case reported(String)
        /// It is time to go on with the panels' work.
        case working
    }

    /// An action that the model requests.
    enum Effect: Hashable {
        case refresh
        case open(WebAddress)
        case copy(String)
        case save(SaveRequest)
        /// Post that it is time to go on with the panels' work, after what waits already.
        case work
        case tweak(TweakCommand)
        case request(OperatorRequest)
        case cancel(OperatorRequest)
        case edit(ExternalEdit)
        /// Read the list of recent sources.
        case listSources
        case check([String])
        case follow(String)
        /// Show the preview of a draft of the server in place of the source, or the source again.
        case preview(String?)
        case createFile(String)
        case redraw
        case quit(signal: Int32?)
    }

    var size: Size
    var main: MainScreen
    /// The last one is on top, and gets the input first.
    var panels: [any DemoPanel] = []
    /// The panels that were closed with something unsaved.
    var drafts: [PanelKind: any DemoPanel] = [:]
    /// The earlier values of keys.
    private var history = ChangeHistory()
    /// The feedback on a refresh that has failed, until the source can be read.
    private var failure: String?
    /// The state of the operator's work.
    var desk: DeskState
    private var sources = KnownSources()
    /// The card that was opened last, so that it is not opened again.
    private var lastStartCard: StartCard?
    /// The reads of the open panels.
    var reads = DeskReads()
    /// The draft of the server whose preview is shown.
    private var previewed: String?
    /// The users of the evaluations on the screen.
    var users = RecentUsers()
    /// The input that waits for the work of the panel on top, with its times.
    private var waiting: [(event: InputEvent, moment: ContinuousClock.Instant?)] = []
    private var typing = TypingGuard()
    /// The lines that are printed on the normal screen after the program has ended.
    private(set) var exitLines: [String] = []

    /// - Parameter desk: the operator's work, if the source has an operator.
    init(size: Size, look: ScreenLook, state: DemoState, desk: DeskState = DeskState()) {
        (self.size, main, self.desk) = (size, MainScreen(size: size, look: look, state: state), desk)
        users.follow(state.configuration.context)
        arrange()
    }

    /// Takes over from the screens of another source: the terminal's colours, the lists of sources, and whether the inspector
    /// is open.
    ///
    /// - Parameter source: as on the command line.
    /// - Returns: the effects that the open panels request.
    mutating func begin(with source: String, after former: DemoModel?) -> [Effect] {
        if let former { (main.look, sources, exitLines) = (former.main.look, former.sources, former.exitLines) }
        sources.current = source
        let isInspecting = former?.panels.contains { $0.kind == .inspector } ?? false
        return isInspecting ? toggle(.inspector) : []
    }

    /// The names of the commands that the user can bind to keys.
    static let commandNames = MainScreen.Command.allCases.map(\.rawValue) + ListScrolling.allCases.map(\.rawValue)

    var state: DemoState { main.state }
    /// Whether there is work left for ``Message/working``.
    var isWorking: Bool { panels.contains(where: \.isWorking) || isReplaying }
    /// Whether the panel is ready for the input that waits.
    private var isReplaying: Bool { waiting.first.map { !isHeld($0.event) } ?? false }
    private func isHeld(_ event: InputEvent) -> Bool { panels.last?.holds(event) == true }
}

extension DemoModel {
    /// More keys than fit on any screen.
    private static let maximumNamedKeys = 1000

    mutating func update(_ message: Message) -> [Effect] {
        let wasWorking = isWorking
        var effects = respond(to: message)
        arrange()
        effects += read() + preview()
        // One request at a time: the answer to it leads to the next.
        let isAsked: Bool
        if case .working = message { isAsked = false } else { isAsked = wasWorking }
        return isWorking && !isAsked ? effects + [.work] : effects
    }

    /// Shows the draft of the server whose page is on top, and the source again where there is another panel.
    private mutating func preview() -> [Effect] {
        let wanted = panels.last { $0.layer < .list }?.previewedDraft
        if wanted == previewed { return [] }
        previewed = wanted
        return [.preview(wanted)]
    }

    private mutating func respond(to message: Message) -> [Effect] {
        switch message {
        case .terminal(let event, let moment): return update(event, at: moment)
        case .changed(let state): take(state)
        case .tweaked(let outcome, let state):
            take(state)
            switch outcome {
            case .done: break
            case .failed(let reason): show(reason)
            case .question(let question): return toggle(.question(Question(question, state.tweaks.items)))
            }
        case .refreshed(.changed(let keys)):
            // The change was already announced, with its values.
            if main.activity.changedKeys.isEmpty {
                show("Refreshed: " + keys.prefix(Self.maximumNamedKeys).joined(separator: ", "))
            }
        case .refreshed(.staged): show("Refreshed: new values staged for the next start")
        case .refreshed(.unchanged): show("Refreshed: no changes")
        case .refreshed(.failed(let error)):
            let text = "Refresh failed: \(error.message)"
            show(text)
            failure = text
        case .opened(.opened(let url, let program)): show("Opened \(url.text) with \(program)")
        case .opened(.noBrowser(let url)):
            show("No browser found; the URL is printed on exit: \(url.text)")
            printOnExit(url)
        case .opened(.failed(let url, let reason)):
            show("Cannot open the URL: \(reason); it is printed on exit")
            printOnExit(url)
        case .recentSources(let names):
            sources.recent = names
            sources.checks = sources.checks.filter { $0.key == ExactString(sources.current) }
            updatePanels()
            return [.check(sources.all)]
        case .checked(let name, let check):
            sources.checks[ExactString(name)] = check
            updatePanels()
        case .reported(let text): show(text)
        case .copied(let text, let outcome): show(outcome.feedback(on: text))
        case .saved(let request, .done): show("Saved to \(request.path)")
        case .saved(let request, .exists): return toggle(.question(request.question))
        case .saved(let request, .failed(let reason)):
            _ = toggle(.prompt(.save(request)))
            show("Cannot save: \(reason)")
        case .answered(let answer):
            if reads.receive(answer) { updatePanels() }
            return receive(answer)
        case .edited(let outcome): return receive { $0.receive(outcome) }.flatMap { perform($0) }
        case .working:
            for index in panels.indices where panels[index].isWorking { panels[index].continueWork() }
            return replay()
        }
        return []
    }

    private mutating func take(_ next: DemoState) {
        let isBack = state.configuration.status.problem != nil && next.configuration.status.problem == nil
        if isBack { reads.retry() }
        // Another source is no change of the values.
        let isOfOther = state.configuration.status.preview != next.configuration.status.preview
        if !isOfOther { history.record(from: state.configuration, to: next.configuration) }
        if next.configuration.snapshot.revision != state.configuration.snapshot.revision { reads.invalidate() }
        users.follow(next.configuration.context)
        if isOfOther { main.state = next } else { main.take(next) }
        presentStartCard()
        updatePanels()
        if next.configuration.status.problem == nil { clearRefreshFailure() }
    }

    /// Opens the card of a fresh start where nothing else is open, once, and closes it when there is a configuration.
    private mutating func presentStartCard() {
        let card = StartCard(state, canEdit: false)
        if card == nil { panels.removeAll { $0.kind == .start } }
        guard card != lastStartCard else { return }
        lastStartCard = card
        if card != nil, panels.isEmpty { _ = toggle(.start) }
    }

    var timer: ScreenTimer? { main.activity.timer }

    mutating func timerFired(isBehind: Bool) {
        let marked = main.activity.changedKeys
        main.activity.timerFired(isBehind: isBehind)
        if main.activity.changedKeys != marked { updatePanels() }
    }

    private mutating func printOnExit(_ url: WebAddress) {
        if !exitLines.contains(url.text) { exitLines.append(url.text) }
    }

    private mutating func update(_ event: TerminalEvent, at moment: ContinuousClock.Instant?) -> [Effect] {
        // A panel above gets the release of the button, and this panel does not.
        for index in panels.indices.dropLast() { panels[index].endDrag() }
        switch event {
        case .resized(let size):
            self.size = size
            for index in panels.indices { panels[index].size = size }
        case .palette(let palette):
            main.look.colors = ColorMatcher(depth: main.look.colors.depth, palette: palette)
            updatePanels()
        case .signal(let signal):
            // A second Ctrl-C quits.
            if event.isInterrupt, let question = ask(before: .leave, "Quit") { return question }
            return [.quit(signal: signal)]
        case .hangUp: return [.quit(signal: nil)]
        case .input(let input):
            let endsWait = input == .key(Key(.escape)) || input == .key(.interrupt)
            if endsWait { waiting = [] }
            if endsWait || waiting.isEmpty && !isHeld(input) { return take(input, at: moment) }
            waiting.append((input, moment))
        }
        return []
    }

    /// Handles input that has waited. After input with effects, the rest waits for the state that these lead to.
    private mutating func replay() -> [Effect] {
        var effects: [Effect] = []
        while isReplaying, effects.isEmpty {
            let next = waiting.removeFirst()
            effects = take(next.event, at: next.moment)
            arrange()
        }
        return effects
    }

    /// Handles an event, unless it belongs to a text that was typed for a prompt which has closed.
    private mutating func take(_ event: InputEvent, at moment: ContinuousClock.Instant?) -> [Effect] {
        guard case .key(let key) = event else { return handle(event) }
        let isAnswer = key.isTyped && !isTyping && panels.last?.confirmations.contains(key) == true
        // A letter of a typed word is not an answer.
        if typing.follows(at: moment), isAnswer { typing.begin(at: moment) }
        if !isTyping, let text = typing.drop(key, at: moment) {
            show("Typed without a pause, ignored: \(text)")
            return []
        }
        let prompt = prompt
        let effects = handle(event)
        if prompt != nil, prompt != self.prompt, [.enter, .escape].contains(key.code) { typing.begin(at: moment) }
        return effects
    }

    /// Whether a field of the panel on top has the focus.
    private var isTyping: Bool { panels.last?.takesText == true }
    /// The prompt on top, while its field has the focus.
    private var prompt: PanelKind? {
        panels.last.flatMap { isTyping && ($0.layer == .prompt || $0.layer == .name) ? $0.kind : nil }
    }

    /// Hands an event to the panel on top, and to the main screen if the panel ignores it.
    private mutating func handle(_ event: InputEvent) -> [Effect] {
        if case .key(let key) = event, main.look.keys.help.contains(key), !isTyping || !key.isTyped {
            return toggle(.help)
        }
        if !panels.isEmpty {
            // Changed in place: there may be many rows.
            let response = panels[panels.count - 1].handle(event)
            if response != .ignored { return perform(response) }
        }
        let response = main.handle(event)
        if case .key(let key) = event, response == .ignored {
            show("\(key) is not bound here; \(main.look.keys.helpAdvice)")
        }
        return perform(response)
    }

    private mutating func perform(_ response: ScreenResponse<DemoIntent>) -> [Effect] {
        switch response {
        case .ignored: return []
        case .close:
            if let top = panels.last?.layer {
                report(close(from: top))
            } else {
                show("No panel is open; \(main.look.keys.quitAdvice)")
            }
            return []
        case .done(let intents): return intents.flatMap { perform($0) }
        }
    }

    mutating func perform(_ intent: DemoIntent) -> [Effect] {
        switch intent {
        case .toggle(let kind): return toggle(kind)
        case .press(let key):
            _ = panels.popLast()
            arrange()
            return handle(.key(key))
        case .findKeys:
            let filter = ListScrolling.search.declaration(ListScrolling.search, main.look.keys).keys.first
            return toggle(.inspector) + (filter.map { handle(.key($0)) } ?? [])
        case .goTo(let key):
            for index in panels.indices { panels[index].goTo(key) }
            let kept = close(from: .key)
            defer { report(kept) }
            return toggle(.key(key))
        case .copy(let text): return [.copy(text)]
        case .open(let url): return [.open(url)]
        case .tweak(let command): return [.tweak(command)]
        case .request(let request): return send(request)
        case .cancel(let request): return cancel(request).filter { !isNeeded($0) }
        case .stage(let changes): stage(changes)
        case .restage(let changes):
            desk.staged = changes
            updatePanels()
        case .openDraft(let draft):
            desk.staged = StagedEdits(draft)
            updatePanels()
            return toggle(.staged)
        case .publish(let proposal):
            desk.publishing = proposal
            return send(proposal.request)
        case .rebase(let change): rebase(on: change)
        case .discard(let kind): discard(kind)
        case .discardAll: discardAll()
        case .undo: return undo()
        case .remember(let changes): desk.last = changes
        case .edit(let edit): return [.edit(edit)]
        case .explain(let text): show(text)
        case .follow(let name): return ask(before: intent, "Follow another source") ?? [.follow(name)]
        case .compare(let source):
            let kept = close(from: .compare)
            defer { report(kept) }
            return toggle(.compare(source))
        case .checkSources: return [.listSources]
        case .createFile(let path): return [.createFile(path)]
        case .answer(let prompt, let text): answer(prompt, text)
        case .save(let request): return [.save(request)]
        case .cancelReads: return cancelReads()
        case .refresh:
            reads.retry()
            show("Reading \(state.configuration.status.source)…")
            return [.refresh]
        case .redraw: return [.redraw]
        case .leave: return ask(before: intent, "Quit") ?? [.quit(signal: nil)]
        case .quit: return [.quit(signal: nil)]
        }
        return []
    }

    /// Shows feedback on the screen that is open.
    mutating func show(_ text: String, written: [KeyChange] = []) {
        failure = nil
        guard panels.isEmpty else { return panels[panels.count - 1].feedback = text }
        main.activity.show(text, written: written)
    }

    /// Removes the feedback on a refresh that has failed, once the source can be read.
    private mutating func clearRefreshFailure() {
        guard let text = failure.take() else { return }
        if main.activity.news?.text == text.sanitized() { main.activity.clearNews() }
        for index in panels.indices where panels[index].feedback == text { panels[index].feedback = "" }
    }
}

extension DemoModel {
    var panelState: PanelState {
        PanelState(
            demo: state,
            look: main.look,
            history: history,
            activity: main.activity,
            sources: sources,
            desk: desk,
            reads: reads,
            users: users,
            drafts: Array(drafts.keys)
        )
    }

    mutating func updatePanels() {
        guard !panels.isEmpty else { return }
        let state = panelState
        for index in panels.indices { panels[index].update(state) }
    }

    /// Opens a panel in place of the panels that are not below it, or closes it and the panels above.
    ///
    /// - Returns: the effects that the panel requests.
    mutating func toggle(_ kind: PanelKind) -> [Effect] {
        let isOpen = panels.contains { $0.kind == kind }
        let kept = close(from: kind.layer)
        defer { arrange() }
        guard !isOpen, let panel = resumed(kind) ?? self.panel(kind) else {
            report(kept)
            return []
        }
        panels.append(panel)
        report(kept)
        return panel.openingIntents.flatMap { perform($0) }
    }

    private func panel(_ kind: PanelKind) -> (any DemoPanel)? {
        let (state, keys) = (panelState, main.look.keys)
        switch kind {
        case .tweaks: return TweaksScreen(state, size: size)
        case .tweak(let id): return TweakScreen(id, state, size: size)
        case .inspector: return InspectorScreen(state, size: size)
        case .key(let key), .changedKey(let key):
            return ListScreen(KeyPage(key, kind, in: state), size: size, keys: keys)
        case .history(let key): return HistoryScreen(key, state, size: size)
        case .diff(let start): return DiffScreen(start, state, size: size)
        case .rollout(let key): return RolloutScreen(key, state, size: size)
        case .help: return ListScreen(HelpPage(help: help), size: size, keys: keys)
        case .problems: return ListScreen(ProblemPage(state: state.demo), size: size, keys: keys)
        case .log: return ListScreen(LogPage(state: state), size: size, keys: keys)
        case .edit(let start): return EditScreen(start, state, size: size)
        case .review(let proposal): return ReviewScreen(proposal, state, size: size)
        case .staged: return ReviewScreen(nil, state, size: size)
        case .drafts: return DraftsScreen(state, size: size)
        case .serverDraft(let id): return ListScreen(DraftPage(id, in: state), size: size, keys: keys)
        case .start: return StartScreen(state, size: size)
        case .sources(let purpose): return SourcesScreen(purpose, state, size: size)
        case .compare(let source): return CompareScreen(source, state, size: size)
        case .question(let question): return QuestionScreen(question, size: size, keys: keys)
        case .prompt(let prompt): return PromptScreen(prompt, state, size: size)
        case .palette: return PaletteScreen(actions, state, size: size)
        }
    }

    /// Whether letters stay in the panel on top.
    private var keepsLetters: Bool { isTyping || panels.last?.layer.keepsLetters == true }

    /// The actions of the open screens, those of the top one first, as far as their keys reach them.
    private var actions: [ScreenHelp] {
        let keepsLetters = keepsLetters
        var screens: [([ScreenHelp], Set<Key>)] = panels.suffix(1).map { ($0.help, $0.keys) }
        screens += panels.dropLast().reversed().map { ($0.helpLines(whileTyping: keepsLetters), $0.keys) }
        screens.append((main.helpLines(whileTyping: keepsLetters), main.keys))
        var (actions, taken): ([ScreenHelp], Set<Key>) = (
            [], Set(MainScreen.Command.palette.declaration(main.look.keys).keys)
        )
        for (help, keys) in screens {
            actions += help.filter { line in line.key.map { !taken.contains($0) } ?? false }
            taken.formUnion(keys)
        }
        return actions
    }

    /// The help on the screen on top.
    private var help: [ScreenHelp] {
        guard let top = panels.last else { return main.help + ListScrolling.help(main.look.keys) }
        let everywhere: [MainScreen.Command] = [.help, .redraw, .quit]
        let lines = everywhere.map { $0.declaration(main.look.keys).reached(whileTyping: keepsLetters).helpLine }
        return top.help + lines.compactMap(\.self)
    }

    /// Leaves the main screen the room that the panels do not take, and the keys that they do not use.
    mutating func arrange() {
        main.size = panels.last(where: \.isSidePanel)?.mainSize ?? size
        main.presence = panels.last.map { .behind($0.layer, takesText: keepsLetters) } ?? .alone
        main.previewedBackground = panels.lazy.compactMap(\.previewedBackground).last
        main.mayImport = desk.abilities.allows(.edit)
        main.mayUndo = desk.last != nil
        main.mayReview = desk.abilities.offers(.drafts)
        main.unpublished = (desk.staged.count, drafts.count)
    }

    func view() -> Grid {
        let theme = main.theme
        var grid = Grid(size: size, base: theme.page)
        main.draw(on: &grid, theme)
        for panel in panels[(panels.lastIndex(where: \.isSidePanel) ?? 0)...] { panel.draw(on: &grid, theme) }
        return grid
    }
}

extension UserKeys {
    /// The hint that names the help key, shown after an unknown key.
    var helpAdvice: String { help.first.map { "\($0) shows the keys" } ?? "see the manual for the keys" }

    fileprivate var quitAdvice: String {
        MainScreen.Command.quit.declaration(self).keys.first.map { "\($0) quits" } ?? helpAdvice
    }
}
