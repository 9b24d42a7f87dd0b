// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// One tweak with its editor.
struct TweakScreen: DemoPanel {
    enum Command: Hashable, Sendable {
        case back, help
        case edit(TweakEdit)
        /// Scrolls by so many pages.
        case scroll(pages: Int)
        /// A part of the editor.
        case part([Int])
    }

    typealias Line = ActiveLine<Command>

    let name = "Tweaks"
    private let keys: UserKeys
    var size: Size
    var feedback: String
    private(set) var edit: TweakEditing
    private var problem: String?
    private var pane = EditorPane()

    /// - Returns: `nil` if there is no such tweak, or none with an editor.
    init?(_ id: String, _ state: PanelState, size: Size) {
        let tweaks = state.demo.tweaks
        guard let item = tweaks.items.first(where: { $0.id == id }) else { return nil }
        guard let edit = TweakEditing(item, explanation: tweaks.explanation(of: id)) else { return nil }
        (self.edit, self.size, problem, feedback) = (edit, size, tweaks.problem, tweaks.problem ?? "")
        keys = state.look.keys
    }

    var kind: PanelKind { .tweak(edit.item.id) }

    mutating func update(_ state: PanelState) {
        let tweaks = state.demo.tweaks
        feedback.replaceProblem(problem, by: tweaks.problem)
        problem = tweaks.problem
        guard let item = tweaks.items.first(where: { $0.id == edit.item.id }) else { return }
        edit.update(item, explanation: tweaks.explanation(of: item.id))
    }

    mutating func endDrag() {
        pane.endDrag()
        edit.endGesture()
    }
}

extension TweakScreen {
    var takesText: Bool { edit.editor.takesText }
    private var place: PanelPlace { .side(in: size) }
    private var page: Int { max(place.list.size.rows, 1) }

    var commands: [ScreenCommand<Command>] {
        let scrolling = [(Key.Code.pageUp, -1, "Scroll up by a page"), (.pageDown, 1, "Scroll down by a page")]
        return TweakEdit.commands(takesText: takesText, Command.edit)
            + scrolling.map { ScreenCommand(.scroll(pages: $1), [Key($0)], help: $2) } + [
                ScreenCommand(.help, keys.help(isTyping: takesText), hint: "Help"),
                ScreenCommand(.back, [Key(.escape), Key(.enter)], hint: "Back", help: "Return to the list"),
            ]
    }

    var notes: [ScreenHelp] {
        [
            ScreenHelp("Arrows, Tab", "Move the focus or change the value"),
            ScreenHelp("Click", "Press a button, select a value, or focus a field"),
            ScreenHelp("Drag", "Move a slider"),
            ScreenHelp("Wheel", "Change the value under the pointer, or scroll"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .back: return .close
        case .help: return .done([.toggle(.help)])
        case .scroll(let pages): scroll(by: pages * max(page - 1, 1))
        case .edit(let what):
            edit.release()
            switch what {
            case .reset: return .done([.tweak(.reset(id: edit.item.id))])
            case .step(let step):
                feedback = step.feedback
                return .done([.tweak(.step(step, isConfirmed: false))])
            }
        case .part(let part): return handle(.click(part, offset: 0)) ?? .handled
        }
        return .handled
    }

    mutating func handle(_ event: InputEvent) -> ScreenResponse<DemoIntent> {
        switch event {
        case .key(let key): press(key)
        case .mouse(let mouse): use(mouse)
        case .paste(let text): handle(.paste(text.withoutLineBreakAtEnd)) ?? .handled
        case .focus, .reply: .ignored
        }
    }

    private mutating func handle(_ input: EditorInput) -> ScreenResponse<DemoIntent>? {
        guard let commands = edit.handle(input) else { return nil }
        feedback = ""
        pane.followKeyboard()
        return .done(commands.map(DemoIntent.tweak))
    }

    private mutating func press(_ key: Key) -> ScreenResponse<DemoIntent> {
        // Those with Alt or Ctrl mean the same in a field.
        if key.isChord, case let response = perform(key), response != .ignored { return response }
        // Only a field has a use for other letters with Ctrl or Alt.
        if !key.isChord || takesText, let response = handle(.key(key)) { return response }
        let response = perform(key)
        return response == .ignored && key.staysInEditor ? .handled : response
    }

    private mutating func scroll(by rows: Int) {
        pane.scroll(by: rows, count: edit.lines(columns: place.content.size.columns).count, page: page)
    }
}

extension TweakScreen {
    private mutating func use(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        switch mouse.action {
        // A release may have been lost, as outside the terminal's window.
        case .press, .release: endDrag()
        case .drag, .scroll: break
        }
        let panel = panel
        let path = { (target: Command) in if case .part(let part) = target { part } else { [Int]?.none } }
        if let input = pane.wheel(mouse, on: panel, path: path), let response = handle(input) { return response }
        switch pane.use(mouse, on: panel, edit.editor, page: page, path: path) {
        case .input(let input): return .done((edit.handle(input) ?? []).map(DemoIntent.tweak))
        case .perform(let command): return perform(command)
        case .handled: return .handled
        case .ignored: return .ignored
        }
    }

    var panel: Panel<Command> {
        let place = place
        let lines = edit.lines(columns: place.content.size.columns)
        let (name, category) = (edit.item.row.name, edit.item.row.place.category)
        let fullTitle = "\(category) › \(name)"
        let title = fullTitle.columnWidth <= place.titleColumns ? fullTitle : name
        return panel(titled: title, lines, in: place, top: pane.top(of: lines, page: page))
    }
}
