// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import TerminalUI

// What was typed and is not published: staged changes, and drafts.
extension DemoModel {
    /// Closes panels. What is unsaved in them is kept as drafts.
    ///
    /// - Returns: the report on the last draft.
    mutating func close(from layer: PanelLayer, upTo last: PanelLayer = .help) -> String? {
        var notice: String?
        for panel in panels where (layer...last).contains(panel.layer) {
            guard let name = panel.unsaved else { continue }
            drafts[panel.kind.draft] = panel
            notice = "Draft of \(name) kept; \(panel.kind.waysOn)"
        }
        panels.removeAll { (layer...last).contains($0.layer) }
        return notice
    }

    /// Shows that a draft is kept, on the screen that is open now.
    mutating func report(_ notice: String?) {
        guard let notice else { return }
        updatePanels()
        show(notice)
    }

    /// The panel of a draft, which is no longer kept.
    mutating func resumed(_ kind: PanelKind) -> (any DemoPanel)? {
        guard var panel = drafts.removeValue(forKey: kind.draft) else { return nil }
        updatePanels()
        panel.size = size
        panel.resume(as: kind, panelState)
        return panel
    }

    mutating func discard(_ kind: PanelKind) {
        if panels.contains(where: { $0.kind.draft == kind.draft }) { panels.removeAll { $0.layer >= kind.layer } }
        drafts[kind.draft] = nil
        updatePanels()
    }

    mutating func discardAll() {
        (desk.staged, drafts) = (StagedEdits(), [:])
        panels.removeAll { $0.unsaved != nil }
        updatePanels()
    }

    /// Closes the panels that have edited entries which were staged or written, and the question of a restore. Other drafts of
    /// these entries are kept.
    mutating func closeEditors(of changes: ConfigDiff) {
        let heldKeys = Set(changes.changes.map(\.heldKey))
        let written = panels.map(\.kind).filter { kind in
            if case .review = kind { true } else { !heldKeys.isDisjoint(with: kind.draftedEntries) }
        }
        _ = close(from: .name, upTo: .review)
        for kind in written { drafts[kind.draft] = nil }
        panels.removeAll { $0.layer == .restore || $0.kind == .staged && desk.staged.isEmpty }
        arrange()
        updatePanels()
    }

    mutating func stage(_ changes: StagedEdits) {
        desk.staged.stage(changes)
        closeEditors(of: changes.changes)
        let (summary, total) = (changes.changes.summary, desk.staged.count.grouped(of: "staged change"))
        show("Staged \(summary); P opens the \(total)")
    }

    mutating func rebase(on change: KeyChange) {
        for index in panels.indices { panels[index].rebase(on: change) }
        for kind in drafts.keys { drafts[kind]?.rebase(on: change) }
    }

    private static let maximumListed = 8

    /// Asks before work that would lose what is not published, with a list of it.
    ///
    /// - Parameter name: the work in words, as the beginning of the question.
    /// - Returns: `nil` if there is nothing, or if the question is open already.
    mutating func ask(before intent: DemoIntent, _ name: String) -> [Effect]? {
        let unsaved = desk.staged.isUnsaved ? desk.staged.changes.changes : []
        let staged = unsaved.map { "± \($0.kind.label)\($0.key)" }
        let lines = staged + (Array(drafts.values) + panels).compactMap(\.unsaved).sorted().map { "✎ \($0)" }
        guard !lines.isEmpty else { return nil }
        let rest = lines.count - Self.maximumListed
        let more = rest > 0 ? ["and \(rest.grouped) more"] : []
        let text = ["\(name) and lose what is not published?"] + lines.prefix(Self.maximumListed) + more
        let kind = PanelKind.question(Question(text: text.joined(separator: "\n"), intents: [.discardAll, intent]))
        return panels.last?.kind == kind ? nil : toggle(kind)
    }
}
