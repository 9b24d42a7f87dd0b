// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// A question to answer before something is done.
struct Question: Hashable, Sendable {
    var text: String
    /// The work after a yes.
    var intents: [DemoIntent]
}

extension DemoIntent {
    /// Do some work after a question.
    static func ask(_ text: String, then intents: DemoIntent...) -> DemoIntent { ask(text, then: intents) }

    static func ask(_ text: String, then intents: [DemoIntent]) -> DemoIntent {
        .toggle(.question(Question(text: text, intents: intents)))
    }
}

/// A question with its answers.
struct QuestionScreen: DemoPanel {
    enum Command: Hashable, Sendable { case yes, no, help }

    let name = "Confirm"
    let question: Question
    private let keys: UserKeys
    var size: Size {
        didSet { list.clamp(extent) }
    }
    /// Not shown: it would cover the question.
    var feedback = ""
    private var list = ListState()

    private static let maximumRows = 12
    /// The keys that confirm what cannot be taken back by Esc; no other does.
    static let confirming = [Key.character("y"), Key(.character("s"), .control)]

    /// A command that confirms.
    static func confirmation<Action>(of action: Action, hint: String, _ help: String) -> ScreenCommand<Action> {
        var command = ScreenCommand(action, confirming, hint: hint, help: help)
        command.isConfirmation = true
        return command
    }

    init(_ question: Question, size: Size, keys: UserKeys) {
        (self.question, self.size, self.keys) = (question, size, keys)
    }

    var kind: PanelKind { .question(question) }
    var isSidePanel: Bool { false }

    mutating func update(_ state: PanelState) {}

    var commands: [ScreenCommand<Command>] {
        [
            Self.confirmation(of: .yes, hint: "Yes", "Confirm"), keys.helpCommand(Command.help),
            ScreenCommand(.no, [.character("n"), Key(.escape)], hint: "No", help: "Cancel"),
        ]
    }

    var notes: [ScreenHelp] { [ScreenHelp("Up, Down, PageUp, PageDown, wheel", "Scroll a long question")] }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .yes: .done([.toggle(kind)] + question.intents)
        case .no: .close
        case .help: .done([.toggle(.help)])
        }
    }

    // Nothing else is possible before the answer, but for what keys with Ctrl do everywhere. Enter is not an answer: it
    // is often pressed before the question is read.
    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        if let move = ListMove.whileTyping(key) { list.move(move, extent) }
        return key.isChord ? .ignored : .handled
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        let panel = panel
        let response = list.handle(mouse, on: panel, extent) ? .handled : press(mouse, on: panel)
        return response == .ignored ? .handled : response
    }

    /// Lines without entries, which only scroll.
    private var extent: ListExtent {
        let bar = panel.scrollbar
        return ListExtent(lines: bar.count, starts: [], page: bar.page)
    }

    var panel: Panel<Command> {
        let columns = PanelPlace.maximumColumns(in: size)
        let lines = question.text.split(separator: "\n").flatMap {
            $0.sanitized().wrapped(toColumns: columns, maximumLines: Self.maximumRows)
        }.map { Line([.init($0, .accent)]) }
        let place = PanelPlace.centered(columns: lines.map(\.columnWidth).max() ?? 0, rows: lines.count, in: size)
        return Panel(place, title: [.init(name, .title)], hints: commands, count: lines.count, top: list.top) {
            lines[$0]
        }
    }
}
