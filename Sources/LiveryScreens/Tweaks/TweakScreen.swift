// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// One tweak with its editor.
struct TweakScreen: EditorPanel {
    enum Command: Hashable, Sendable {
        case back, help
        case edit(TweakEdit)
        /// Scrolls by so many pages.
        case scroll(pages: Int)
        /// A part of the editor.
        case part([Int])
    }

    let name = "Tweaks"
    private let keys: UserKeys
    var size: Size
    var feedback: String
    private(set) var edit: TweakEditing
    private var problem: String?
    var pane = EditorPane()

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
        feedback.replaceProblem(&problem, by: tweaks.problem)
        guard let item = tweaks.items.first(where: { $0.id == edit.item.id }) else { return }
        edit.update(item, explanation: tweaks.explanation(of: item.id))
    }

    mutating func endDrag() {
        pane.drag = nil
        edit.endGesture()
    }
}

extension TweakScreen {
    var editor: (any ValueEditing)? { edit.editor }

    var commands: [ScreenCommand<Command>] {
        TweakEdit.commands(Command.edit) + Self.scrolling(Command.scroll) + [
            keys.helpCommand(Command.help),
            ScreenCommand(.back, [Key(.escape), Key(.enter)], hint: "Back", help: "Return to the list"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .back: return notice.map { .done([.toggle(kind), .explain($0)]) } ?? .close
        case .help: return .done([.toggle(.help)])
        case .scroll(let pages): scroll(pages: pages, of: lines)
        case .edit(.reset):
            edit.release()
            return .done([.tweak(.reset(id: edit.item.id))])
        case .edit(.step(let step)):
            edit.release()
            feedback = step.feedback
            return .done([.tweak(.step(step, isConfirmed: false))])
        case .part(let part): return handle(.click(part, offset: 0)) ?? .handled
        }
        return .handled
    }

    static func part(of command: Command) -> [Int]? { if case .part(let part) = command { part } else { nil } }

    mutating func pass(_ input: EditorInput) -> ScreenResponse<DemoIntent>? {
        edit.handle(input).map { .done($0.map(DemoIntent.tweak)) }
    }

    mutating func press(_ key: Key) -> ScreenResponse<DemoIntent> {
        let response = pass(key)
        guard key == Key(.enter), let notice, response == perform(.back) else { return response }
        feedback = notice
        return .handled
    }

    /// The notice on text that is not a value, which the list shows after Esc.
    private var notice: String? { editor?.problem.map { "Not applied: \($0)" } }
}

extension TweakScreen {
    var panel: Panel<Command> {
        let row = edit.item.row
        return panel(titled: "\(row.category) › \(row.name)", or: row.name, lines)
    }

    private var lines: [Line] { edit.lines(columns: place.content.size.columns) }
}
