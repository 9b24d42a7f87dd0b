// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import RemoteConfig
import TerminalUI

/// The palette: every action of the open screens with its keys, and every key of the configuration, found by typing.
struct PaletteScreen: ListPanel {
    enum Own: Hashable, Sendable {}

    let name = "Actions and keys"
    let kind = PanelKind.palette
    var size: Size
    var feedback = ""
    var list = ListState.filtering
    private var state: PanelState
    private var found: PaletteList

    private static let rows = 20
    private static let gap = 2

    /// - Parameter actions: the actions of the screens below, those of the top one first.
    init(_ actions: [ScreenHelp], _ state: PanelState, size: Size) {
        (self.state, self.size) = (state, size)
        found = PaletteList(actions, keys: state.configuration.keys)
    }

    private var entries: ConfigEntries { state.snapshot.entries }
}

extension PaletteScreen {
    var filtering: ListFiltering { .byTyping }
    var keys: UserKeys { state.look.keys }
    var normalPlace: PanelPlace { .centered(columns: 76, rows: Self.rows, in: size) }
    var lineCount: Int { found.count }
    var emptyText: String { isWorking ? "" : found.query.problem ?? "No matches" }
    var isWorking: Bool { found.isWorking }

    mutating func continueWork() { found.continueWork(in: entries) }

    mutating func update(_ next: PanelState) {
        let before = state.snapshot.revision
        state = next
        guard next.snapshot.revision != before else { return }
        let changed = next.configuration.changedKeys(since: before)
        found.update(next.configuration.keys, changed: changed, in: entries)
        list.clamp(extent)
    }

    mutating func filterChanged() {
        list.reset()
        found.filter(by: list.filterText ?? "", in: entries)
    }

    var opening: ScreenCommand<Command>? {
        ScreenCommand(.open, [Key(.enter)], hint: "Run", help: "Run the action, or open the key")
    }

    mutating func open(_ entry: Int) -> ScreenResponse<DemoIntent> {
        switch found[entry] {
        case .action(let action): .done(action.key.map { [.press($0)] } ?? [])
        case .key(let key): .done([.goTo(key)])
        }
    }

    /// A row: the action and its keys, or the key and its value.
    func line(_ index: Int) -> Line {
        let columns = place.list.size.columns
        let (name, fact): ([Line.Span], [Line.Span])
        switch found[index] {
        case .action(let action):
            name = Line.Span(action.text).marked(found.query.marks(inKey: action.text))
            fact = [.init(action.keys, .accent)]
        case .key(let key):
            name = Line.Span(key).marked(found.query.marks(inKey: key))
            let room = max(columns / 2, 1)
            fact = entries[key].map { state.preview.spans(of: $0.value, columns: room) } ?? [.init("rule", .dimmed)]
        }
        let fitted = fact.fitted(columns: min(fact.columnWidth(), columns / 2))
        return selectable(
            name.fitted(columns: columns - 1 - Self.gap - fitted.columnWidth())
                + [.init(String(repeating: " ", count: Self.gap))] + fitted,
            at: index
        )
    }
}
