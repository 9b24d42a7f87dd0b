// SPDX-License-Identifier: Apache-2.0

import RemoteConfig
import TerminalUI

/// The card of a fresh start: each of its choices runs from there.
struct StartScreen: ListPanel {
    /// A choice, by its digit.
    typealias Own = Int

    var name: String { card.title }
    let kind = PanelKind.start
    let isSidePanel = false
    let filtering = ListFiltering.none
    let keys: UserKeys
    var size: Size
    var feedback = ""
    var list = ListState()
    private var card: StartCard

    private static let maximumTextRows = 12

    init?(_ state: PanelState, size: Size) {
        guard let card = StartCard(state.demo, canEdit: state.canEdit) else { return nil }
        (self.card, self.size, keys) = (card, size, state.look.keys)
    }

    mutating func update(_ state: PanelState) { card = StartCard(state.demo, canEdit: state.canEdit) ?? card }
}

extension StartScreen {
    var opening: ScreenCommand<Command>? {
        ScreenCommand(.open, [Key(.enter)], hint: "Choose", help: "Run the selected choice")
    }

    var actions: [ScreenCommand<Command>] {
        card.choices.indices.map { index in
            ScreenCommand(.own(index), [.character(Character(String(index + 1)))], help: card.choices[index].name)
        }
    }

    mutating func run(_ index: Int) -> ScreenResponse<DemoIntent> { open(index) }

    mutating func open(_ entry: Int) -> ScreenResponse<DemoIntent> {
        guard card.choices.indices.contains(entry) else { return .handled }
        list.select(entry, extent)
        return .done([card.choices[entry].intent])
    }

    private var text: [String] {
        let room = PanelPlace.maximumColumns(in: size)
        return card.text.flatMap { $0.sanitized().wrapped(toColumns: room, maximumLines: Self.maximumTextRows) }
    }

    var lineCount: Int { text.count + 1 + card.choices.count }
    var starts: [Int]? { card.choices.indices.map { text.count + 1 + $0 } }

    var normalPlace: PanelPlace {
        let choices = card.choices.map { 5 + $0.name.columnWidth + $0.detail.columnWidth }
        return .centered(columns: (text.map(\.columnWidth) + choices).max() ?? 0, rows: lineCount, in: size)
    }

    func line(_ index: Int) -> Line {
        let text = text
        guard index > text.count else { return Line(index < text.count ? [.init(text[index])] : []) }
        let entry = index - text.count - 1
        let choice = card.choices[entry]
        return selectable(
            [.init("\(entry + 1) ", .accent), .init(choice.name), .init("  \(choice.detail)", .dimmed)],
            at: entry
        )
    }
}

extension PanelState {
    fileprivate var canEdit: Bool { desk.abilities.reason(against: .edit) == nil }
}
