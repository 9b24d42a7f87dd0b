// SPDX-License-Identifier: Apache-2.0

import ConfigDefinitions
import ConfigModel
import TerminalUI

/// A question to answer before a command is carried out.
struct TweakQuestionScreen: DemoPanel {
    enum Command: Hashable, Sendable { case yes, no }

    let name = "Confirm"
    let question: TweakQuestion
    /// The question in words.
    private let text: String
    var size: Size
    /// Not shown: it would cover the question.
    var feedback = ""

    private static let mostRows = 5

    /// - Parameter items: the rows of the tweaks.
    init(_ question: TweakQuestion, _ items: [TweakItem], size: Size) {
        (self.question, self.size) = (question, size)
        text =
            switch question {
            case .resetCategory(let name): "Reset all tweaks in \(name)?"
            case .resetAll: "Reset all tweaks?"
            case .step(let question): question.text(items.first { $0.id == question.conflict.id })
            }
    }

    var kind: PanelKind { .question(question) }
    var isBeside: Bool { false }

    mutating func update(_ state: PanelState) {}

    /// Values of others are overwritten by `y` alone, and not by Enter.
    private var isConfirmedByEnter: Bool {
        if case .step = question { false } else { true }
    }

    var commands: [ScreenCommand<Command>] {
        let (yes, no) = (Key.character("y"), [Key.character("n"), Key(.escape), .character("h")])
        let enter = Key(.enter)
        return [
            ScreenCommand(.yes, isConfirmedByEnter ? [yes, enter] : [yes], hint: "Yes", help: "Do it"),
            ScreenCommand(.no, isConfirmedByEnter ? no : [enter] + no, hint: "No", help: "Cancel"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        if command == .no { return .close }
        let command: TweakCommand =
            switch question {
            case .resetCategory(let name): .resetCategory(name)
            case .resetAll: .resetAll
            case .step(let question): .step(question.step, isConfirmed: true)
            }
        return .done([.toggle(kind), .tweak(command)])
    }

    mutating func handle(_ event: InputEvent) -> ScreenResponse<DemoIntent> {
        switch event {
        case .key(let key):
            let response = perform(key)
            // Nothing else is possible before the answer, but for what keys with Ctrl do everywhere.
            return response == .ignored && !key.isChord ? .handled : response
        case .mouse(let mouse):
            guard mouse.action == .press(button: 0) else { return .handled }
            guard case .target(let command, _) = panel.part(at: mouse.point) else { return .handled }
            return perform(command)
        case .paste: return .handled
        case .focus, .reply: return .ignored
        }
    }

    private var panel: Panel<Command> {
        let columns = PanelPlace.mostColumns(in: size)
        let lines = text.sanitized().wrapped(toColumns: columns, maximumLines: Self.mostRows)
        let place = PanelPlace.centered(columns: lines.map(\.columnWidth).max() ?? 0, rows: lines.count, in: size)
        return Panel(
            place,
            title: [.init(name, .title)],
            hints: commands,
            count: lines.count,
            top: 0
        ) { ActiveLine([.init(lines[$0], .accent)]) }
    }

    func draw(on grid: inout Grid, _ theme: Theme) { grid.draw(panel, theme) }
}

extension TweakStepQuestion {
    /// Both values, and the effect of the step.
    fileprivate func text(_ item: TweakItem?) -> String {
        let shown = { (value: EntryValue?) in
            value.map { value in
                (item?.row.tweak?.preview(of: value) ?? value.canonicalJSON).excerpt(ofScalars: 40)
            } ?? "no override"
        }
        let verb = step == .undo ? "Undo" : "Redo"
        let name = item?.row.name ?? conflict.id
        return "\(name) was set by another program to \(shown(conflict.current)). \(verb) to \(shown(conflict.target))?"
    }
}
