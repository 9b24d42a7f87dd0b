// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import ConfigWire
import TerminalUI

/// The drafts of the server, first the drafts that wait for the user.
struct DraftsScreen: ListPanel {
    enum Own: Hashable, Sendable {}

    let name = "Drafts"
    var size: Size
    var feedback = ""
    var list = ListState()
    private var state: PanelState
    private var reading = DeskReading<DraftInbox>.loading
    /// The drafts that the filter has found, or all.
    private var rows: [DraftInbox.Row] = []

    private static let statusColumns = 11
    private static let columnsForAuthor = 60
    private static let authorColumns = 12

    init(_ state: PanelState, size: Size) {
        (self.state, self.size) = (state, size)
        update(state)
    }

    var kind: PanelKind { .drafts }
    var keys: UserKeys { state.look.keys }
    var backKeys: [Key] { [Key(.left)] }
    /// The list is also opened from the main screen, before the inspector requests the rights.
    var openingIntents: [DemoIntent] { [.request(.abilities)] }
    var needs: Set<OperatorRequest> { state.desk.abilities.allows(.drafts) ? [.drafts] : [] }

    mutating func update(_ next: PanelState) {
        (state, reading) = (next, next.reads.drafts)
        find()
    }

    private mutating func find() {
        let words = list.words
        rows = (reading.answer?.rows ?? []).filter { words.isEmpty || words.areIn($0.summary.text) }
        list.clamp(extent)
    }

    mutating func filterChanged() {
        if list.filterText != nil { list.reset() }
        find()
    }

    var opening: ScreenCommand<Command>? {
        if rows.isEmpty { return nil }
        return ScreenCommand(.open, [Key(.enter), Key(.right)], hint: "Open", help: "Show and preview the draft")
    }

    var actions: [ScreenCommand<Command>] { [refreshing("Refresh the drafts")] }

    mutating func open(_ entry: Int) -> ScreenResponse<DemoIntent> {
        .done([.toggle(.serverDraft(rows[entry].summary.id))])
    }

    // The view.

    var lineCount: Int { rows.count }
    var emptyText: String {
        if let problem = state.desk.abilities.reason(against: .drafts) ?? reading.problem { return problem }
        if reading.answer == nil { return "Loading…" }
        return list.filterText != nil ? "No matches" : "No drafts; p in the review of changes proposes them."
    }

    func line(_ index: Int) -> Line {
        let (summary, columns) = (rows[index].summary, place.content.size.columns)
        let status = summary.status.padded(toColumns: Self.statusColumns)
        var spans: [Line.Span] = [
            .init(rows[index].waits ? "→ " : "  ", .accent), .init(status, rows[index].waits ? .accent : .dimmed),
        ]
        if columns >= Self.columnsForAuthor {
            let author = (summary.author ?? "").sanitized().truncated(toColumns: Self.authorColumns - 1)
            spans.append(.init(author.padded(toColumns: Self.authorColumns)))
        }
        spans.append(.init(summary.name.sanitized(), .plain))
        let facts = [summary.missing.joined(separator: "; "), summary.applyAt.map { "at \($0)" } ?? ""]
        let rest = facts.filter { !$0.isEmpty }.joined(separator: ", ").sanitized()
        if !rest.isEmpty { spans.append(.init("  " + rest, .dimmed)) }
        return selectable(spans, at: index)
    }
}

extension DraftSummary {
    /// The title, or else the id.
    var name: String { title.isEmpty ? id : title }
    fileprivate var text: String { ([id, title, author ?? "", status] + keys).joined(separator: " ") }
}
