// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigClient
import ConfigModel
import TerminalUI

// The operator's work: requests, their answers, collected changes, undo.
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
            if case .publish(let changes, _) = answer.request { finish(changes, receipt, at: answer.time) }
        case .success(.restored(let receipt)):
            reads.invalidateSchemas()
            note("Rolled back as \(receipt.name): \(receipt.count.grouped(of: "change"))", at: answer.time)
        case .failure(let error) where answer.request.isWrite:
            note("Nothing was written: \(error.description)", at: answer.time)
        default: break
        }
        updatePanels()
        return intents.flatMap { perform($0) }
    }

    /// Reports changes that were written, which the next undo takes back.
    private mutating func finish(_ changes: ConfigDiff, _ receipt: OperatorReceipt, at time: Timestamp) {
        let isUndo = desk.last?.changes.inverse == changes
        if !changes.schemas.isEmpty { reads.invalidateSchemas() }
        desk.last = PublishedChanges(changes: changes, receipt: receipt)
        let written = Set(changes.changes.map(\.heldKey))
        desk.collected = ConfigDiff(desk.collected.changes.filter { !written.contains($0.heldKey) })
        let place = receipt.revision.map { "as revision \($0)" } ?? (isUndo ? "in the file" : "to the file")
        let news = "\(isUndo ? "Undone" : "Published") \(place)"
        let lines = changes.changes.prefix(8).map { change in
            ShownChange(change, hasColors: main.look.hasColors).spans(main.look.repertoire)
        }
        main.activity.note([news], lines, at: time)
        closeEditors()
        let object = changes.changes.count == 1 ? "it" : "them"
        show("\(news): \(changes.changes.count.grouped(of: "change")); u \(isUndo ? "restores" : "undoes") \(object)")
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

    private mutating func closeEditors() {
        panels.removeAll { (PanelLayer.name...PanelLayer.review).contains($0.layer) }
        arrange()
        updatePanels()
    }

    mutating func receive(_ outcome: ExternalEdit.Outcome) -> [Effect] {
        let intents = receive { $0.receive(outcome) }
        return intents.flatMap { perform($0) }
    }

    mutating func collect(_ changes: ConfigDiff) {
        desk.collect(changes)
        closeEditors()
        let count = desk.collected.changes.count
        show("\(count.grouped(of: "change")) collected; P publishes \(count == 1 ? "it" : "them as one revision")")
    }

    /// Asks before work that would lose the collected changes.
    ///
    /// - Parameter name: the work in words, as the beginning of the question.
    /// - Returns: `nil` if there are none, and nothing is asked.
    mutating func ask(before intent: DemoIntent, _ name: String) -> [Effect]? {
        if desk.collected.isEmpty { return nil }
        let text = "\(name) without the \(desk.collected.changes.count.grouped(of: "change")) that you have collected?"
        return toggle(.question(Question(text: text, intents: [.dropCollected, intent])))
    }

    mutating func undo() -> [Effect] {
        guard let last = desk.last else {
            show("Nothing to undo")
            return []
        }
        let title = "Undo \(last.receipt.name)"
        return toggle(.review(Proposal(title: title, changes: last.changes.inverse, message: title)))
    }
}
