// SPDX-License-Identifier: Apache-2.0

package import ConfigChanges
package import ConfigModel
package import ConfigWire

/// A draft of the server, with the changes that it makes.
package struct ServerDraft: Hashable, Sendable {
    package var message: DraftMessage
    /// Each starts from the value that its entry had when it was put into the draft.
    package var changes: ConfigDiff

    /// - Parameter bases: the values at the start of changes whose entries have changed since, by key.
    package init(_ message: DraftMessage, bases: [String: EntryValue] = [:]) {
        self.message = message
        changes = ConfigDiff(
            message.operations.map { operation in
                let (kind, key) = EntryKind.named(operation.key)
                let old = operation.isConflict ? bases[operation.key] : operation.current
                return KeyChange(key: key, kind: kind, old: old, new: operation.proposed)
            }
        )
    }

    var summary: DraftSummary { message.summary }
    var id: String { message.summary.id }
    var isOpen: Bool { message.summary.state == "open" }
}

/// The drafts of the server, first the drafts that wait for the user.
package struct DraftInbox: Hashable, Sendable {
    struct Row: Hashable, Sendable {
        var summary: DraftSummary
        /// Whether the user can do the next step.
        var waits: Bool
    }

    let rows: [Row]

    /// - Parameters:
    ///   - drafts: newest first.
    ///   - own: the ids of the user's drafts.
    package init(_ drafts: [DraftSummary], own: Set<String>) {
        let all = drafts.map { Row(summary: $0, waits: $0.waits(isOwn: own.contains($0.id))) }
        rows = all.filter(\.waits) + all.filter { !$0.waits && $0.isOpen } + all.filter { !$0.isOpen }
    }
}

extension DraftInbox.Row {
    fileprivate var isOpen: Bool { summary.state == "open" }
}

extension DraftSummary {
    /// Others review a draft; its author resolves problems, and applies it.
    fileprivate func waits(isOwn: Bool) -> Bool {
        guard state == "open" else { return false }
        let isInReview = status == "in review"
        let isRejected = missing.contains { $0.hasPrefix("rejected") }
        return isOwn ? !isInReview && status != "scheduled" || isRejected : isInReview && !isRejected
    }
}

/// A request that changes a draft of the server, or makes one.
package enum DraftChange: Hashable, Sendable {
    case propose(ConfigDiff, title: String, message: String?)
    /// Replaces the changes and the message of a draft.
    case save(ConfigDiff, message: String?, to: DraftOrigin)
    case review(id: String, ReviewRequest)
    case apply(id: String, digest: String)
    /// Sets the time at which a draft is applied; `nil` to apply it by hand.
    case schedule(id: String, version: Int, time: String?)
    case close(id: String, reason: String?)
}

/// The draft of the server that staged changes are from.
package struct DraftOrigin: Hashable, Sendable {
    package var id: String
    package var version: Int
    package var title: String
    /// The changes and the message of this version.
    var saved: ConfigDiff
    var message: String
}

extension StagedEdits {
    /// The changes of a draft of the server, to edit them.
    init(_ draft: ServerDraft) {
        let message = draft.message.message ?? ""
        self.init(draft.changes, message: message)
        origin = DraftOrigin(
            id: draft.id,
            version: draft.summary.version,
            title: draft.summary.title,
            saved: draft.changes,
            message: message
        )
    }
}

extension DraftMessage {
    /// The requests that replace the changes of the draft, `nil` where there is nothing to do: first one that resolves its
    /// conflicts, then one that edits it.
    func requests(
        saving changes: ConfigDiff,
        message: String?,
        to origin: DraftOrigin
    ) -> (rebase: RebaseRequest?, edit: DraftRequest?) {
        let kept = Set(changes.changes.map(\.heldKey))
        let dropped = Set(origin.saved.changes.map(\.heldKey)).subtracting(kept)
        var rebase = RebaseRequest()
        for operation in operations where operation.isConflict {
            if dropped.contains(operation.key) {
                rebase.theirs.append(operation.key)
            } else {
                rebase.mine.append(operation.key)
            }
        }
        var edit = DraftRequest(changes)
        for operation in operations where edit.operations[operation.key] == .some(operation.proposed) {
            edit.leaveOut(operation.key)
        }
        edit.discard = dropped.subtracting(rebase.theirs).sorted()
        if (message ?? "") != (self.message ?? "") { edit.message = .some(message) }
        let isRebased = !rebase.mine.isEmpty || !rebase.theirs.isEmpty
        return (isRebased ? rebase : nil, edit == DraftRequest() ? nil : edit)
    }
}

extension DraftRequest {
    init(_ changes: ConfigDiff) {
        self.init()
        let request = changes.request()
        (set, unset, schemas, rules) = (request.set, request.unset, request.schemas, request.rules)
    }

    fileprivate mutating func leaveOut(_ heldKey: String) {
        let (kind, name) = EntryKind.named(heldKey)
        switch kind {
        case .value:
            set[name] = nil
            unset.remove(name)
        case .schema: schemas.removeValue(forKey: name)
        case .rule: rules.removeValue(forKey: name)
        }
    }
}

extension DraftChange {
    /// The report on it.
    func news(_ draft: ServerDraft) -> String {
        let name = "draft \(draft.id)"
        switch self {
        case .propose: return "Proposed as \(name)"
        case .save: return "Saved \(name) as version \(draft.summary.version)"
        case .review(_, let review):
            let verb =
                switch review.verdict {
                case .approve: "Approved"
                case .reject: "Rejected"
                case .withdraw: "Withdrew the review of"
                }
            return "\(verb) \(name)"
        case .apply: return "Applied \(name)" + (draft.summary.revision.map { " as revision \($0)" } ?? "")
        case .schedule(_, _, let time): return time.map { "Scheduled \(name) for \($0)" } ?? "Unscheduled \(name)"
        case .close: return "Closed \(name)"
        }
    }
}
