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

    /// A part of an editor that is being dragged, wherever the pointer strays.
    private struct Drag: Hashable {
        var part: [Int]
        /// The column of the screen where the part begins.
        var origin: Int
    }

    let name = "Tweaks"
    private let help: [Key]
    var size: Size
    var feedback: String
    private(set) var edit: TweakEditing
    private var problem: String?
    /// The number of rows by which the user has scrolled the view; `nil` while it follows the keyboard.
    private var scroll: Int?
    private var drag: Drag?
    private var grip = ScrollGrip()

    /// - Returns: `nil` if there is no such tweak, or none with an editor.
    init?(_ id: String, _ state: PanelState, size: Size) {
        let tweaks = state.demo.tweaks
        guard let item = tweaks.items.first(where: { $0.id == id }) else { return nil }
        guard let edit = TweakEditing(item, explanation: tweaks.explanation(of: id)) else { return nil }
        (self.edit, self.size, problem, feedback) = (edit, size, tweaks.problem, tweaks.problem ?? "")
        help = state.look.keys.help
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
        drag = nil
        edit.endGesture()
    }
}

extension TweakScreen {
    var takesText: Bool { edit.editor.takesText }
    private var place: PanelPlace { .beside(in: size) }
    private var page: Int { max(place.list.size.rows, 1) }

    var commands: [ScreenCommand<Command>] {
        let scrolling = [(Key.Code.pageUp, -1, "Scroll up by a page"), (.pageDown, 1, "Scroll down by a page")]
        return TweakEdit.commands(takesText: takesText, Command.edit)
            + scrolling.map { ScreenCommand(.scroll(pages: $1), [Key($0)], help: $2) } + [
                ScreenCommand(.help, takesText ? help.filter { $0.code != .character("?") } : help, hint: "Help"),
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
        (feedback, scroll) = ("", nil)
        return .done(commands.map(DemoIntent.tweak))
    }

    private mutating func press(_ key: Key) -> ScreenResponse<DemoIntent> {
        // Those with Alt or Ctrl mean the same in a field.
        if key.isChord, case let response = perform(key), response != .ignored { return response }
        // Only a field has a use for other letters with Ctrl or Alt.
        if !key.isChord || takesText, let response = handle(.key(key)) { return response }
        let response = perform(key)
        if response != .ignored || key.isChord { return response }
        switch key.code {
        case .character, .left, .right, .up, .down, .tab, .home, .end:
            // These mean the same on all screens.
            let isGlobal = [.character("q"), .character("r"), .character("?")].contains(key.code)
            return key.modifiers.contains(.control) || isGlobal ? .ignored : .handled
        default: return .ignored
        }
    }

    private mutating func scroll(by rows: Int) {
        let count = edit.lines(columns: place.content.size.columns).count
        scroll = min(max((scroll ?? 0) + rows, 0), max(count - page, 0))
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
        let part = panel.part(at: mouse.point)
        if case .scroll(let steps) = mouse.action, case .target(.part(let part), _) = part,
            let response = handle(.wheel(part, steps))
        {
            return response
        }
        if let top = grip.top(after: mouse, on: panel) {
            scroll = Scrollbar(count: panel.scrollbar.count, page: page, top: top).top
            return .handled
        }
        switch (mouse.action, part) {
        case (.press, nil): return .ignored
        case (.press(button: 0), .target(let target, let offset)):
            guard case .part(let part) = target else { return perform(target) }
            drag = Drag(part: part, origin: mouse.point.column - offset)
            return click(part, offset: offset)
        case (.drag(button: 0), _):
            guard let drag else { break }
            var hit: (part: [Int], offset: Int)?
            if case .target(.part(let part), let offset) = part { hit = (part, offset) }
            guard let part = edit.editor.part(draggedFrom: drag.part, over: hit?.part) else { break }
            let isHere = part == drag.part
            return click(part, offset: isHere ? max(mouse.point.column - drag.origin, 0) : hit?.offset ?? 0)
        default: break
        }
        return .handled
    }

    private mutating func click(_ part: [Int], offset: Int) -> ScreenResponse<DemoIntent> {
        .done((edit.handle(.click(part, offset: offset)) ?? []).map(DemoIntent.tweak))
    }

    private var panel: Panel<Command> {
        let place = place
        let lines = edit.lines(columns: place.content.size.columns)
        let focused = lines.firstIndex(where: \.isFocused) ?? 0
        let (name, category) = (edit.item.row.name, edit.item.row.place.category)
        let title = "\(category) › \(name)"
        return Panel(
            place,
            title: [.init(title.columnWidth <= place.titleColumns ? title : name, .title)],
            hints: commands,
            feedback: feedback,
            count: lines.count,
            top: scroll ?? ListCursor.top(showing: focused, of: lines.count, rows: page)
        ) { lines[$0] }
    }

    func draw(on grid: inout Grid, _ theme: Theme) { grid.draw(panel, theme) }
}
