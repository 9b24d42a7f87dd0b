// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigClient
import ConfigModel
import ConfigWire
import RemoteConfig
import TerminalUI

// The operator's work: requests, their answers, undo.
extension DemoModel {
    mutating func send(_ request: OperatorRequest) -> [Effect] {
        desk.begin(request)
        return [.request(request)]
    }

    /// Hands something to each panel, and collects what they request.
    mutating func receive(_ take: (inout any DemoPanel) -> [DemoIntent]) -> [DemoIntent] {
        panels.indices.flatMap { take(&panels[$0]) }
    }

    mutating func receive(_ answer: OperatorAnswer) -> [Effect] {
        // The answer to a request that was cancelled.
        guard desk.end(answer.request) else { return [] }
        let intents = receive { $0.receive(answer) }
        switch answer.result {
        case .success(.abilities(let abilities)): desk.abilities = abilities
        case .success(.published(.published(let receipt))):
            if case .publish(let changes, _, _) = answer.request { finish(changes, receipt, at: answer.time) }
        case .success(.restored(let receipt)):
            reads.invalidateSchemas()
            note("Rolled back as \(receipt.name): \(receipt.count.grouped(of: "change"))", at: answer.time)
        case .success(.draft(let draft)):
            if case .changeDraft(let change) = answer.request { finish(change, draft, at: answer.time) }
        case .failure(let error) where answer.request.isWrite:
            let violations = error.violations.map(\.words).joined(separator: "; ")
            note("Nothing was written: \(violations.isEmpty ? error.description : violations)", at: answer.time)
        default: break
        }
        updatePanels()
        return intents.flatMap { perform($0) }
    }

    /// Reports changes that were written, which the next undo takes back.
    private mutating func finish(_ changes: ConfigDiff, _ receipt: OperatorReceipt, at time: Timestamp) {
        if !changes.schemas.isEmpty { reads.invalidateSchemas() }
        desk.last = PublishedChanges(changes: changes, receipt: receipt)
        desk.staged.finish(changes)
        let proposal = desk.publishing.take() ?? Proposal(title: "", changes: changes)
        let news = proposal.news(receipt)
        let lines = changes.changes.prefix(8).map { change in
            ShownChange(change, hasColors: main.look.hasColors).spans(main.look.repertoire)
        }
        main.activity.note([news], lines, at: time)
        closeEditors(of: changes)
        // What is edited goes on from the value that was written.
        for change in changes.changes {
            let written = KeyChange(key: change.key, kind: change.kind, old: change.new, new: change.new)
            for kind in drafts.keys { drafts[kind]?.rebase(on: written) }
        }
        show("\(news); \(proposal.wayBack)", written: changes.changes)
    }

    /// Reports a change of a draft of the server.
    private mutating func finish(_ change: DraftChange, _ draft: ServerDraft, at time: Timestamp) {
        reads.invalidateDrafts()
        var wayOn = ""
        switch change {
        case .propose(let changes, _, _):
            desk.staged.finish(changes)
            closeEditors(of: changes)
            wayOn = "; v lists the drafts"
        case .save(let changes, _, _):
            desk.staged = StagedEdits()
            closeEditors(of: changes)
        case .apply:
            let receipt = OperatorReceipt(revision: draft.summary.revision, count: draft.changes.changes.count)
            desk.last = PublishedChanges(changes: draft.changes, receipt: receipt)
        case .review, .schedule, .close: break
        }
        let news = change.news(draft)
        main.activity.note([news], at: time)
        show(news + wayOn)
    }

    mutating func cancel(_ request: OperatorRequest) -> [Effect] {
        guard desk.end(request) else { return [] }
        if request.isWrite {
            note("Cancelled during the write; it may have succeeded: check the current values", at: .now)
        }
        return [.cancel(request)]
    }

    private mutating func note(_ text: String, at time: Timestamp) {
        main.activity.note([text], at: time)
        show(text)
    }

    mutating func undo() -> [Effect] {
        guard let last = desk.last else {
            show("Nothing to undo")
            return []
        }
        let title = "Undo \(last.receipt.name)"
        let snapshot = state.configuration.snapshot
        let changes = last.changes.inverse.keepingRules { snapshot.held(EntryKind.rule.key(of: $0))?.value }
        return toggle(.review(Proposal(title: title, changes: changes, message: title, action: .undo)))
    }
}
