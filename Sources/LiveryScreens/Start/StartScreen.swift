// SPDX-License-Identifier: Apache-2.0

import RemoteConfig
import TerminalUI

/// The card of a fresh start: each of its choices runs from there.
struct StartScreen: DemoPanel {
    enum Command: Hashable, Sendable {
        case choose, close
        case choice(Int)
    }

    var name: String { card.title }
    let kind = PanelKind.start
    let isSidePanel = false
    var size: Size
    var feedback = ""
    private var card: StartCard
    private var cursor = ListCursor()

    private static let maximumTextRows = 12

    init?(_ state: PanelState, size: Size) {
        guard let card = StartCard(state.demo, canEdit: state.canEdit) else { return nil }
        (self.card, self.size) = (card, size)
    }

    mutating func update(_ state: PanelState) { card = StartCard(state.demo, canEdit: state.canEdit) ?? card }
}

extension StartScreen {
    var commands: [ScreenCommand<Command>] {
        let numbers = card.choices.indices.map { index in
            ScreenCommand(
                Command.choice(index),
                Character(String(index + 1)).isNumber ? [.character(Character(String(index + 1)))] : [],
                help: card.choices[index].name
            )
        }
        return numbers + [
            ScreenCommand(.choose, [Key(.enter)], hint: "Choose", help: "Run the selected choice"),
            ScreenCommand(.close, [Key(.escape)], hint: "Close", help: "Close the card"),
        ]
    }

    mutating func perform(_ command: Command) -> ScreenResponse<DemoIntent> {
        switch command {
        case .choose: return run(cursor.index)
        case .choice(let index): return run(index)
        case .close: return .close
        }
    }

    private mutating func run(_ index: Int) -> ScreenResponse<DemoIntent> {
        guard card.choices.indices.contains(index) else { return .handled }
        cursor.index = index
        return .done([card.choices[index].intent])
    }

    mutating func handle(_ key: Key) -> ScreenResponse<DemoIntent> {
        cursor.handle(key, count: card.choices.count, page: 1) ? .handled : .ignored
    }

    mutating func handle(_ mouse: MouseEvent) -> ScreenResponse<DemoIntent> {
        switch (mouse.action, panel.part(at: mouse.point)) {
        case (.press(button: 0), .target(let command, _)): perform(command)
        case (.press, nil): .ignored
        default: .handled
        }
    }

    var panel: Panel<Command> {
        let room = PanelPlace.maximumColumns(in: size)
        let text = card.text.flatMap { $0.sanitized().wrapped(toColumns: room, maximumLines: Self.maximumTextRows) }
        let lines = text.map { Line([.init($0)]) } + [Line([])] + card.choices.indices.map(line)
        let place = PanelPlace.centered(
            columns: lines.map(\.columnWidth).max() ?? 0,
            rows: lines.count,
            in: size
        )
        let cursorRow = text.count + 1 + cursor.index
        let top = max(cursorRow - max(place.list.size.rows, 1) + 1, 0)
        return panel(titled: card.title, lines, in: place, top: top)
    }

    private func line(_ index: Int) -> Line {
        let (choice, isSelected) = (card.choices[index], index == cursor.index)
        let spans: [Line.Span] = [
            .init(isSelected ? "▌" : " "), .init("\(index + 1) ", .accent), .init(choice.name),
            .init("  \(choice.detail)", .dimmed),
        ]
        return Line(isSelected ? spans.map(\.selected) : spans, isFocused: isSelected, target: .choice(index))
    }
}

extension PanelState {
    fileprivate var canEdit: Bool { desk.abilities.reason(against: .edit) == nil }
}
