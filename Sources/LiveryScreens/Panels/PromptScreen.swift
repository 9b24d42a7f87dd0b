// SPDX-License-Identifier: Apache-2.0

import TerminalUI

/// A line of text to type before something is done, with choices that can be taken over.
struct PromptScreen: DemoPanel {
    enum Command: Hashable, Sendable {
        case accept, cancel, next, previous
        case choice(Int)
    }

    let prompt: Prompt
    var size: Size
    var feedback = ""
    private var field: TextField
    /// The choice that is in the field; `nil` while it has something else.
    private var chosen: Int?

    private static let maximumChoices = 8

    init(_ prompt: Prompt, size: Size) {
        (self.prompt, self.size) = (prompt, size)
        field = TextField(selecting: prompt.text)
    }

    var name: String { prompt.title }
    var kind: PanelKind { .prompt(prompt) }
    var isSidePanel: Bool { false }
    var takesText: Bool { true }

    mutating func update(_ state: PanelState) {}

    var commands: [ScreenCommand<Command>] {
        let hasChoices = !prompt.choices.isEmpty
        return [
            ScreenCommand(.accept, [Key(.enter)], hint: prompt.verb, help: prompt.verb),
            ScreenCommand(
                .next,
                [Key(.down), Key(.tab)],
                hint: hasChoices ? "Choose" : "",
                help: "Select the next suggestion"
            ),
            ScreenCommand(.previous, [Key(.up), Key(.tab, .shift)], help: "Select the previous suggestion"),
            ScreenCommand(.cancel, [Key(.escape)], hint: "Cancel", help: "Cancel"),
        ].filter { hasChoices || ![.next, .previous].contains($0.command) }
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        // Closes the prompt if the text is accepted.
        case .accept: return .done([.answer(prompt, field.text)])
        case .cancel: return .close
        case .next: choose(chosen.map { $0 + 1 } ?? 0)
        case .previous: choose(chosen.map { $0 - 1 } ?? -1)
        case .choice(let index): choose(index)
        }
        return .handled
    }

    private mutating func choose(_ index: Int) {
        let count = min(prompt.choices.count, Self.maximumChoices)
        let index = (index + count) % count
        (chosen, field) = (index, TextField(prompt.choices[index]))
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        if field.handle(key) { chosen = nil }
        // Nothing else is possible before the answer, but for what keys with Ctrl do everywhere.
        return key.isChord ? .ignored : .handled
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        let response = press(mouse, on: panel)
        return response == .ignored ? .handled : response
    }

    mutating func handle(pasted text: String) -> ScreenResponse<DemoIntent> {
        field.insert(text.withoutLineBreakAtEnd)
        return .handled
    }

    var panel: Panel<Command> {
        let columns = PanelPlace.maximumColumns(in: size)
        let (note, tone) = feedback.isEmpty ? (prompt.help, Tone.dimmed) : (feedback.sanitized(), .accent)
        let help = note.wrapped(toColumns: columns, maximumLines: 3)
        let choices = prompt.choices.prefix(Self.maximumChoices)
        let widest = max((help + choices).map(\.columnWidth).max() ?? 0, field.text.columnWidth + 1, 48)
        let place = PanelPlace.centered(columns: widest, rows: 1 + help.count + choices.count, in: size)
        let line = ActiveLine<Command>(field.spans(columns: max(place.content.size.columns, 1)))
        let rows =
            [line] + help.map { ActiveLine([.init($0, tone)]) }
            + choices.enumerated().map { index, text in
                ActiveLine([.init(text, index == chosen ? .selected : .plain)], target: .choice(index))
            }
        return Panel(place, title: [.init(name, .title)], hints: commands, count: rows.count, top: 0) { rows[$0] }
    }
}
