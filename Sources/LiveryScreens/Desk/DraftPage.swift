// SPDX-License-Identifier: Apache-2.0

import ConfigChanges
import ConfigModel
import ConfigWire
import Programs
import TerminalUI

/// A draft of the server in full: its state, its changes, and what has been decided about them.
struct DraftPage: ListContent {
    let id: String
    private var state: PanelState
    private var reading = DeskReading<ServerDraft>.loading

    init(_ id: String, in state: PanelState) {
        (self.id, self.state) = (id, state)
        reading = state.reads.draft(id)
    }

    var kind: PanelKind { .serverDraft(id) }
    var title: String { "Draft" }
    var needs: Set<OperatorRequest> { [.draft(id: id)] }
    var backKeys: [Key] { [Key(.left)] }
    private var draft: ServerDraft? { reading.answer }
    var previewedDraft: String? { draft?.isOpen == true ? id : nil }
    var confirmations: [Key] { QuestionScreen.confirming }

    func isSidePanel(in size: Size) -> Bool { true }

    mutating func update(_ next: PanelState) -> Bool {
        let found = next.reads.draft(id)
        defer { (state, reading) = (next, found) }
        return found != reading
    }
}

// The commands.
extension DraftPage {
    var commands: [ScreenCommand<PageAction>] {
        let refresh = command(.refresh, "r", "Refresh the draft")
        guard let draft, draft.isOpen else { return [refresh] }
        let digest = draft.message.digest
        let question = "Publish the \(draft.count) of draft \(id) now, as one revision?"
        let apply = DemoIntent.ask(question, then: .request(.changeDraft(.apply(id: id, digest: digest))))
        let time = DraftPrompt.schedule(id: id, version: draft.summary.version, time: draft.summary.applyAt ?? "")
        let approve = PageAction.request(review(.approve, digest))
        return [
            QuestionScreen.confirmation(of: approve, hint: "Approve", "Approve the draft as it is shown"),
            command(.toggle(.prompt(.draft(.reject(id: id, digest: digest)))), "n", "Reject the draft", hint: "Reject"),
            command(editing, "e", "Edit the changes of the draft", hint: "Edit"),
            command(apply, "p", "Apply the draft now", hint: "Apply"),
            command(.toggle(.prompt(.draft(time))), "T", "Schedule the draft", hint: "Schedule"),
            command(
                .ask("Withdraw your review of draft \(id)?", then: review(.withdraw, digest)),
                "W",
                "Withdraw your review"
            ),
            command(.toggle(.prompt(.draft(.close(id: id)))), "x", "Close the draft without applying it"),
            refresh,
        ]
    }

    private func command(
        _ intent: DemoIntent,
        _ key: Character,
        _ help: String,
        hint: String = ""
    ) -> ScreenCommand<PageAction> {
        ScreenCommand(.request(intent), [.character(key)], hint: hint, help: help)
    }

    /// The digest of what is shown: the server refuses it once the draft has been edited.
    private func review(_ verdict: ReviewRequest.Verdict, _ digest: String) -> DemoIntent {
        .request(.changeDraft(.review(id: id, ReviewRequest(digest: digest, verdict: verdict))))
    }

    /// Stages the changes, unless others are staged.
    private var editing: DemoIntent {
        if let draft, draft.changes.isEmpty {
            return .explain("The draft changes the policy only; livery policy set --draft \(id) edits it")
        }
        let staged = state.desk.staged
        guard let draft, staged.origin?.id != id || !staged.isUnsaved else { return .toggle(.staged) }
        if staged.isUnsaved { return .explain("Other changes are staged: publish, propose or discard them first (P)") }
        return .openDraft(draft)
    }
}

// The view.
extension DraftPage {
    func sections(columns: Int) -> [[ListLine]] {
        let page = PageText(columns: columns, state)
        guard let draft else { return [page.wrapped(reading.problem ?? "Loading…", .dimmed)] }
        let message = draft.message
        let changes = draft.changes.changes.prefix(PageText.maximumChanges).map { change in
            [ListLine([]), ListLine([.init(change.kind.label + change.key, .title)])] + lines(of: change, page)
        }
        let events = message.log.reversed().flatMap { page.indented(text(of: $0)) }
        return [head(of: draft, page)] + changes + [page.rest(ofChanges: draft.changes.changes.count)]
            + [page.section("Problems", message.problems.flatMap { page.wrapped("✖ \($0.words)", .error) })]
            + [page.section("Log", events)]
    }

    private func head(of draft: ServerDraft, _ page: PageText) -> [ListLine] {
        let (summary, message) = (draft.summary, draft.message)
        let others = message.editors.filter { $0 != summary.author }.joined(separator: ", ")
        let approvals = message.needed > 0 || !message.approvers.isEmpty
        let approvers = message.approvers.joined(separator: ", ")
        let count = "\(message.approvers.count) of \(message.needed)" + (approvers.isEmpty ? "" : ": \(approvers)")
        let time = summary.applyAt.map { text in
            text + (summary.instant.map { " (\(state.look.clock.dateAndClock($0)) here)" } ?? "")
        }
        let policy = message.policy.map {
            """
            \($0.approvals.grouped(of: "approval")), direct changes: \($0.direct.rawValue), \
            protected: \($0.protectedText), window: \($0.windowText)
            """
        }
        let lines = page.wrapped(summary.name, .title)
        return lines
            + page.table([
                "Draft": "\(id), version \(summary.version)",
                "Status": summary.status, "Missing": summary.missing.joined(separator: "; "),
                "Reason": message.reason, "Revision": summary.revision.map { "\($0)" },
                "Author": summary.author, "Edited by": others, "Approvals": approvals ? count : nil,
                "Apply at": time, "Message": message.message, "Policy": policy,
            ])
    }

    private func lines(of change: KeyChange, _ page: PageText) -> [ListLine] {
        let operation = draft?.message.operations.first { $0.key == change.heldKey }
        guard let operation, operation.isConflict, draft?.isOpen == true else { return page.change(of: change) }
        let parts = [("base", change.old), ("current", operation.current), ("proposed", change.new)]
        let note = page.wrapped("changed since it was put into the draft; e resolves it", .accent)
        return note
            + parts.flatMap { term, value in
                let value = value.map(page.json) ?? [ListLine([.init("none", .dimmed)])]
                return [ListLine([.init(term, .dimmed)])] + value
            }
    }

    private func text(of event: DraftMessage.Event) -> String {
        let time = state.look.clock.dateAndClock(event.time)
        let by = event.subject.map { " by \($0)" } ?? ""
        let comment = event.comment.map { ": \($0)" } ?? ""
        return "\(time)  \(event.event)\(by)\(event.isSuperseded ? " (superseded)" : "")\(comment)"
    }
}

extension ServerDraft {
    fileprivate var count: String { message.operations.count.grouped(of: "change") }
}
