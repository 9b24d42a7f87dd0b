// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import RemoteConfig
import TerminalUI

/// A screen that opens next to the main screen, or over it if there is no room for both.
protocol DemoPanel: Screen where Intent == DemoIntent {
    typealias Line = ActiveLine<Command>

    var kind: PanelKind { get }
    /// Whether it takes the room beside the main screen, and not the middle of all. Yes, by default.
    var isSidePanel: Bool { get }
    /// The room that it leaves to the main screen.
    var mainSize: Size { get }
    /// The latest message, until the next key.
    var feedback: String { get set }
    /// The panel as it is drawn now.
    var panel: Panel<Command> { get }

    /// Handles a key that is not bound to a command. Ignores it, by default.
    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent>

    /// Handles the mouse. Ignores it, by default.
    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent>

    /// Handles pasted text. Does nothing, by default.
    mutating func handle(pasted text: String) -> ScreenResponse<DemoIntent>

    /// Applies changes.
    mutating func update(_ state: PanelState)

    /// Ends a drag, since something else has the input now. Nothing, by default.
    mutating func endDrag()

    /// Puts the cursor on a key of the configuration. Nothing, by default.
    mutating func goTo(_ key: String)

    /// The work that the panel requests when it opens, such as a request to the operator. Nothing, by default.
    var openingIntents: [DemoIntent] { get }

    /// The reads whose answers the panel shows, while it is open. None, by default.
    var needs: Set<OperatorRequest> { get }

    /// Takes in an answer of the operator, to this panel or to another one. Nothing, by default.
    ///
    /// - Returns: the work that follows from it.
    mutating func receive(_ answer: OperatorAnswer) -> [DemoIntent]

    /// Takes in a text from the user's editor. Nothing, by default.
    ///
    /// - Returns: the work that follows from it.
    mutating func receive(_ edit: ExternalEdit.Outcome) -> [DemoIntent]

    /// Takes in a text that was typed for it. Nothing, by default.
    ///
    /// - Throws: the reason why the text is not accepted, which the prompt shows.
    mutating func receive(_ prompt: Prompt, _ text: String) throws(ConfigError)

    /// Whether an input must wait for the work or the read of the panel that it follows on. No, by default.
    func holds(_ event: InputEvent) -> Bool

    /// The draft that is kept when the panel closes, such as `app.limit`. None, by default.
    var unsaved: String? { get }

    /// Continues as a draft that is opened again, maybe in another way. Applies changes, by default.
    mutating func resume(as kind: PanelKind, _ state: PanelState)

    /// Starts a draft of an entry from its current value, after a conflict. Nothing, by default.
    mutating func rebase(on change: KeyChange)

    /// The background that the main screen previews. None, by default.
    var previewedBackground: RGBColor? { get }

    /// The draft of the server that the main screen previews. None, by default.
    var previewedDraft: String? { get }

    /// The keys that write at once: as letters of a typed word, they are ignored. Those of an answer, by default.
    var confirmations: [Key] { get }
}

extension DemoPanel {
    var layer: PanelLayer { kind.layer }
    var isSidePanel: Bool { true }
    var mainSize: Size { isSidePanel ? PanelPlace.side(in: size).main(in: size) : size }

    var openingIntents: [DemoIntent] { [] }
    var needs: Set<OperatorRequest> { [] }
    var unsaved: String? { nil }
    var previewedBackground: RGBColor? { nil }
    var previewedDraft: String? { nil }
    var confirmations: [Key] { layer.keepsLetters ? QuestionScreen.confirming : [] }

    mutating func handle(_ event: InputEvent) -> ScreenResponse<DemoIntent> {
        switch event {
        case .key(let key):
            feedback = ""
            let response = perform(key)
            return response == .ignored ? handle(key) : response
        case .mouse(let mouse): return handle(mouse)
        case .paste(let text): return handle(pasted: text)
        case .focus, .reply: return .ignored
        }
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> { .ignored }
    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> { .ignored }
    mutating func handle(pasted text: String) -> ScreenResponse<DemoIntent> { .handled }

    func draw(on grid: inout Grid, _ theme: Theme) { grid.draw(panel, theme) }

    mutating func endDrag() {}
    mutating func goTo(_ key: String) {}
    mutating func receive(_ answer: OperatorAnswer) -> [DemoIntent] { [] }
    mutating func receive(_ edit: ExternalEdit.Outcome) -> [DemoIntent] { [] }
    mutating func receive(_ prompt: Prompt, _ text: String) throws(ConfigError) {}
    func holds(_ event: InputEvent) -> Bool { false }
    mutating func resume(as kind: PanelKind, _ state: PanelState) { update(state) }
    mutating func rebase(on change: KeyChange) {}

    /// Discards the draft, after a question.
    func discard() -> ScreenResponse<DemoIntent> {
        unsaved.map { .done([.discarding([kind], $0)]) } ?? .close
    }

    /// Runs the command that the mouse is pressed on, in the panel that was drawn.
    mutating func press(_ mouse: MouseEvent, on panel: Panel<Command>) -> ScreenResponse<DemoIntent> {
        guard let part = panel.part(at: mouse.point) else { return .ignored }
        guard mouse.action == .press(button: 0), case .target(let command, _) = part else { return .handled }
        feedback = ""
        return perform(command)
    }
}

extension ScreenCommand {
    /// The same for another command.
    func map<Other>(_ transform: (Command) -> Other) -> ScreenCommand<Other> {
        ScreenCommand<Other>(transform(command), keys, hint: hint, help: help, isPossible: isPossible)
    }
}

extension ScreenResponse<DemoIntent> {
    /// The screen has handled the event, and a sentence explains how.
    static func explain(_ text: String) -> Self { .done([.explain(text)]) }
}

/// The use of the source that is selected.
enum SourcesPurpose: Hashable, Sendable {
    case follow, compare
}

/// The panels of the demo.
enum PanelKind: Hashable, Sendable {
    /// The card of a fresh start.
    case start
    case tweaks
    /// The editor of a tweak, by its id.
    case tweak(String)
    case inspector
    /// A key in full.
    case key(String)
    /// The revisions, or those of one key.
    case history(String?)
    /// The difference between two revisions.
    case diff(DiffStart)
    /// A key in full, opened from a difference.
    case changedKey(String)
    /// The rule of a key as shares of users.
    case rollout(String)
    /// The editor of a key of the source.
    case edit(EditStart)
    /// Changes before they are written.
    case review(Proposal)
    /// The staged changes.
    case staged
    /// The drafts of the server.
    case drafts
    /// A draft of the server, by its id.
    case serverDraft(String)
    case help, problems, log
    case prompt(Prompt)
    case question(Question)
    case sources(SourcesPurpose)
    /// The difference between the source on the screen and another one.
    case compare(String)
    case palette

    /// The question whether a revision is restored, or a name of it, with the difference.
    static func restore(_ revision: UInt64, name: String? = nil) -> PanelKind {
        .diff(DiffStart(from: nil, to: revision, name: name, isRestored: true))
    }
    static let importFile = PanelKind.prompt(.importFile)
    static func name(_ purpose: NamePurpose, _ proposed: String) -> PanelKind {
        .prompt(.name(purpose, proposed: proposed))
    }

    var layer: PanelLayer {
        switch self {
        case .start: .start
        case .tweaks: .tweaks
        case .tweak: .tweak
        case .inspector: .inspector
        case .key: .key
        case .history: .history
        case .diff(let start): start.isRestored ? .restore : .diff
        case .changedKey: .changedKey
        case .rollout: .rollout
        case .prompt(.name), .prompt(.importFile): .name
        case .edit: .edit
        case .review: .review
        case .staged: .staged
        case .drafts: .drafts
        case .serverDraft: .serverDraft
        case .problems, .log: .list
        case .prompt: .prompt
        case .question: .question
        case .sources: .sources
        case .compare: .compare
        case .palette: .palette
        case .help: .help
        }
    }
}

/// The layers of panels, the lowest first: a panel that opens closes the panels that are not below it.
enum PanelLayer: Int, Comparable, Sendable {
    case start, tweaks, tweak, inspector, compare, key, rollout, history, diff, changedKey, restore, drafts,
        serverDraft, staged, name, edit,
        review, list, prompt, question, sources, palette, help

    /// Whether no letter reaches what lies below: it is typed, or answers a question.
    var keepsLetters: Bool { [.restore, .staged, .name, .review, .prompt, .question].contains(self) }

    static func < (left: PanelLayer, right: PanelLayer) -> Bool { left.rawValue < right.rawValue }
}

/// The work that a screen of the demo requests.
enum DemoIntent: Hashable, Sendable {
    /// Open a panel, or close it if it is open.
    case toggle(PanelKind)
    /// Close the panel, and press a key on what lies below.
    case press(Key)
    /// Open the inspector with a filter to type.
    case findKeys
    /// Close the panels above the inspector, and open a key in full.
    case goTo(String)
    case copy(String)
    case open(WebAddress)
    case tweak(TweakCommand)
    /// Ask the operator of the source.
    case request(OperatorRequest)
    /// Cancel a request to the operator.
    case cancel(OperatorRequest)
    /// Stage changes for one revision, and return to the list.
    case stage(StagedEdits)
    /// Replace the staged changes.
    case restage(StagedEdits)
    /// Stage the changes of a draft of the server in place of others, to edit them.
    case openDraft(ServerDraft)
    /// Publish changes.
    case publish(Proposal)
    /// Start the drafts of an entry from its current value.
    case rebase(KeyChange)
    /// Close a panel without keeping its draft.
    case discard(PanelKind)
    /// Discard the staged changes and all drafts.
    case discardAll
    /// Review the changes that take the last write back.
    case undo
    /// Remember changes that were written as the last write, for undo.
    case remember(PublishedChanges)
    /// Open a text in the user's editor.
    case edit(ExternalEdit)
    /// Show a sentence, such as the reason why an action is not possible.
    case explain(String)
    /// Follow another source, after a question if that would lose unpublished changes.
    case follow(String)
    /// Close the panels above the inspector, and compare the source on the screen with another one.
    case compare(String)
    /// Read the state of the sources in the list.
    case checkSources
    /// Create a file with a first value.
    case createFile(String)
    /// Use a text that was typed.
    case answer(Prompt, String)
    case save(SaveRequest)
    /// Cancel the reads of the open panels.
    case cancelReads
    case refresh, redraw
    /// Quit, after a question if that would lose unpublished changes.
    case leave
    /// Quit at once.
    case quit
}

/// The data that panels show, read at one moment.
struct PanelState: Sendable {
    var demo: DemoState
    var look: ScreenLook
    /// The former values of each key.
    var history = ChangeHistory()
    var activity = Activity()
    var sources = KnownSources()
    var desk = DeskState()
    var reads = DeskReads()
    var users = RecentUsers()
    /// The drafts that are kept.
    var drafts: [PanelKind] = []

    var configuration: ConfigState.Snapshot { demo.configuration }
    var snapshot: EntrySnapshot { demo.configuration.snapshot }
    var preview: ValuePreview { ValuePreview(hasColors: look.hasColors) }
}

/// The revisions to compare.
struct DiffStart: Hashable, Sendable {
    /// `nil` for the current state.
    var from: UInt64?
    var to: UInt64
    /// The key whose value, rule and schema are compared, or the name of a schema or a rule; `nil` for all.
    var name: String?
    /// The key of the entry (`EntryKind.key(of:)`) whose change the cursor begins on.
    var first: String?
    /// The author, the time and the message of the later revision.
    var note = ""
    /// Whether this is the question whether the second one is restored.
    var isRestored = false
}
