// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Synchronization

/// The namespaces as they would be if drafts were applied to them, made once for each state of both.
final class DraftPreviews: Sendable {
    private struct Preview {
        let head: NamespaceState
        let content: UInt64
        let state: NamespaceState
    }

    /// By namespace and draft.
    private let made = Mutex<[[String]: Preview]>([:])
    private static let maximumCount = 256

    func state(of draft: Draft, content: UInt64, on head: NamespaceState) -> NamespaceState {
        let place = [head.namespace, draft.id]
        if let known = made.withLock({ $0[place] }), known.head === head, known.content == content {
            return known.state
        }
        let state = head.previewing(draft.edits, at: max(head.revision, content))
        made.withLock { made in
            if made.count >= Self.maximumCount { made = [:] }
            made[place] = Preview(head: head, content: content, state: state)
        }
        return state
    }

    /// Drops the previews on states that are not current: these may be large.
    func keep(where isCurrent: (_ head: NamespaceState, _ draft: String) -> Bool) {
        made.withLock { made in made = made.filter { isCurrent($0.value.head, $0.key[1]) } }
    }
}

extension NamespaceHub {
    /// Drops the previews of drafts that have ended, and those on former states of the namespace.
    func dropOldPreviews() {
        previews.keep { head, id in
            guard let (present, drafts) = states(of: head.namespace, DraftNamespace.name(for: head.namespace)),
                let draft = index.drafts(in: drafts)[id]?.draft
            else { return false }
            return present === head && draft.state(in: head.cursor.epoch) == .open
        }
    }
}

extension DraftDesk {
    /// The namespace as it would be if an open draft were applied to it now. Its revision is the later one of the namespace and
    /// of the draft, so that it rises with each change of either.
    package func preview(_ id: String) throws(DraftError) -> NamespaceState {
        let (head, drafts) = try states()
        guard let held = hub.index.drafts(in: drafts)[id] else { throw .unknown(id) }
        try requireOpen(held.draft)
        return hub.previews.state(of: held.draft, content: held.content, on: head)
    }
}
