// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import TerminalUI

/// The picker of namespaces and sources: what is typed filters the list, or is a source itself.
struct SourcesScreen: ListPanel {
    enum Own: Hashable, Sendable {}

    let purpose: SourcesPurpose
    let keys: UserKeys
    var size: Size
    var feedback = ""
    var list = ListState.filtering
    private var sources: KnownSources

    private static let rows = 16

    init(_ purpose: SourcesPurpose, _ state: PanelState, size: Size) {
        (self.purpose, sources, keys, self.size) = (purpose, state.sources, state.look.keys, size)
    }

    var name: String { purpose == .follow ? "Sources" : "Compare with" }
    var kind: PanelKind { .sources(purpose) }
    private var rows: [KnownSources.Row] { sources.rows(matching: list.filterText ?? "") }
}

extension SourcesScreen {
    var filtering: ListFiltering { .byTyping }
    var normalPlace: PanelPlace { .centered(columns: 76, rows: Self.rows, in: size) }
    var openingIntents: [DemoIntent] { [.checkSources] }
    var lineCount: Int { rows.count }

    mutating func update(_ state: PanelState) {
        let former = rows
        let selected = former.indices.contains(list.cursor) ? former[list.cursor].source : nil
        sources = state.sources
        list.select(rows.firstIndex { $0.source == selected } ?? list.cursor, extent)
    }

    var opening: ScreenCommand<Command>? {
        let (hint, help) =
            purpose == .follow ? ("Follow", "Follow the source") : ("Compare", "Compare with the source")
        return ScreenCommand(.open, [Key(.enter)], hint: hint, help: help)
    }

    var actions: [ScreenCommand<Command>] {
        let refresh = [Key(.character("r"), .control)]
        return [ScreenCommand(.request(.checkSources), refresh, hint: "Check", help: "Check the sources again")]
    }

    var notes: [ScreenHelp] {
        [ScreenHelp("Letters", "Filter the list, or type a namespace, a path or a URL")]
    }

    mutating func open(_ entry: Int) -> ScreenResponse<DemoIntent> {
        let row = rows[entry]
        guard row.isCurrent else {
            return .done([purpose == .follow ? .follow(row.source) : .compare(row.source)])
        }
        if purpose == .follow { return .close }
        feedback = "This is the source on the screen; select another one"
        return .handled
    }
}

extension SourcesScreen {
    private static let gap = 2
    private static let stateColumns = "✖ refused".columnWidth

    func line(_ index: Int) -> Line {
        let (rows, columns) = (rows, place.list.size.columns)
        let row = rows[index]
        let least = max(columns / 3, 1)
        let widest = rows.map(\.title.columnWidth).max() ?? 0
        let room = columns - 2 - Self.stateColumns - 2 * Self.gap
        let titleColumns = max(min(widest, max(room - least, least)), 1)
        let query = KeyQuery(list.filterText ?? "")
        let gap = Line.Span(String(repeating: " ", count: Self.gap))
        let title = Line.Span(row.title).marked(query.marks(inKey: row.title)).fitted(columns: titleColumns)
        let state = row.check?.title ?? "… checking"
        return selectable(
            [.init(row.isCurrent ? "•" : " ", .accent)] + title
                + [gap, .init(state.fitted(toColumns: Self.stateColumns)), gap]
                + [Line.Span(row.check?.detail ?? "", .dimmed)].fitted(columns: max(room - titleColumns, 0)),
            at: index
        )
    }
}
