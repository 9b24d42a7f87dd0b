// SPDX-License-Identifier: Apache-2.0

internal import ConfigHub
internal import ConfigModel
internal import ConfigStore
internal import ConfigWire
internal import NIOHTTP1

/// The conditions of a write by `If-Match` and `If-None-Match`, for the transaction to check.
struct WriteConditions {
    private(set) var list: [Publish.Condition] = []

    /// The conditions of a write to an entry, or to a schema or to a rule, by its key as in `EntryKind`; a problem if a field
    /// is malformed or its condition already fails.
    init(_ request: Request, key: String, state: NamespaceState) throws(Problem) {
        let conditions = request.conditions
        if conditions.isEmpty { return }
        let (kind, name) = EntryKind.named(key)
        let present = state.stored(key).map { EntryMessage(kind, key: name, entry: $0) }
        let tag = present?.tag(in: state.cursor.epoch)
        switch try conditions.matchTags() {
        case nil: break
        case .any?: list.append(.present(key: key))
        case let tags?:
            guard let present, let tag else { throw Self.failed(key: key, state) }
            let cursor = RevisionCursor(epoch: state.cursor.epoch, revision: present.revision)
            guard tags.match({ $0 == tag }, at: cursor) else { throw Self.failed(key: key, state) }
            list.append(.entry(key: key, revisions: [present.revision]))
        }
        if let tags = try conditions.noneMatchTags() {
            if tags == .any {
                list.append(.absent(key: key))
            } else if let tag, tags.matchesWeakly([tag]) {
                throw Self.failed(key: key, state)
            }
        }
    }

    /// The conditions of a write to a namespace, whose entity tag comes with `GET …/entries` and `GET …/config`.
    init(_ request: Request, state: NamespaceState) throws(Problem) {
        let conditions = request.conditions
        if let tags = try conditions.matchTags(), tags != .any {
            guard tags.match(state.has, at: state.cursor) else { throw Self.failed(state) }
            list.append(.head(state.revision))
        }
        // Every namespace exists, if only as an empty one.
        if let tags = try conditions.noneMatchTags(), tags.matchesWeakly(where: state.has) { throw Self.failed(state) }
    }

    /// These conditions, and the expected revision of the namespace in the body.
    func expecting(_ revision: UInt64?) -> [Publish.Condition] {
        list + (revision.map { [.head($0)] } ?? [])
    }

    /// The response to a write to a namespace whose condition failed: one of these, or the one in its body.
    func problem(_ outcome: PublishOutcome, _ state: NamespaceState) -> Problem {
        if case .conditionFailed(let condition) = outcome, list.contains(condition) { return Self.failed(state) }
        return Problem(.conflict, "stale-revision", Self.advice(state), field: "expect", revision: state.revision)
    }

    /// The condition failed.
    static func failed(key: String, _ state: NamespaceState) -> Problem {
        let revision = state.stored(key)?.revision
        let (kind, name) = EntryKind.named(key)
        let what = kind.noun
        let detail = revision.map { "the \(what) has changed and is at revision \($0); fetch it and retry" }
        let text = detail ?? "the \(what) does not exist"
        return Problem(.preconditionFailed, "precondition-failed", text, key: name, revision: revision)
    }

    private static func advice(_ state: NamespaceState) -> String {
        "the namespace has changed and is at revision \(state.revision); fetch it and retry"
    }

    static func failed(_ state: NamespaceState) -> Problem {
        Problem(.preconditionFailed, "precondition-failed", advice(state), revision: state.revision)
    }
}

extension NamespaceState {
    /// Whether an entity tag is one of the present contents.
    fileprivate func has(_ tag: String) -> Bool {
        // That of lists takes long to make, and begins like the others.
        tag == self.tag || tag == gzipTag || tag.hasPrefix(self.tag + "-") && tag == listTag
    }
}

extension EntityTags {
    /// Whether one is a tag of what is present at a revision, or names the revision without a digest.
    fileprivate func match(_ isPresent: (String) -> Bool, at cursor: RevisionCursor) -> Bool {
        strongValues.contains { tag in
            RevisionCursor(entityTag: tag) == cursor && (tag == cursor.description || isPresent(tag))
        }
    }
}

extension ReadConditions {
    /// The newest revision of an epoch that the sender of a request has seen, from whichever server; `nil` if there is none.
    func latestSeen(of epoch: Epoch, _ target: RequestTarget) -> RevisionCursor? {
        var cursors: [RevisionCursor] = []
        // Every entity tag begins with the cursor of its state.
        for field in [ifMatch, ifNoneMatch] {
            guard case .tags(let tags)? = field.flatMap({ EntityTags($0) }) else { continue }
            cursors += tags.compactMap { RevisionCursor(entityTag: $0.value) }
        }
        // The route reports malformed parameters.
        if let after = try? target.revision(.after), let text = try? target.parameter(.epoch),
            let epoch = Epoch(text)
        {
            cursors.append(RevisionCursor(epoch: epoch, revision: after))
        }
        return latest(of: epoch, cursors)
    }

    /// The newest revision of an epoch that the sender of a request for a stream has seen; `nil` if there is none.
    func latestSeen(of epoch: Epoch, lastEventID: String?) -> RevisionCursor? {
        latest(of: epoch, lastEventID.flatMap { RevisionCursor($0) }.map { [$0] } ?? [])
    }

    private func latest(of epoch: Epoch, _ cursors: [RevisionCursor]) -> RevisionCursor? {
        // A field that is malformed is ignored, as the fields for caches are.
        let seen = liveryRevision.flatMap { RevisionCursor(entityTag: $0) }.map { cursors + [$0] } ?? cursors
        return seen.filter { $0.epoch == epoch }.max { $0.revision < $1.revision }
    }
}

extension RevisionCursor {
    /// The cursor of an entity tag's state, compressed or not.
    init?(entityTag tag: String) {
        self.init(String(tag.prefix { $0 != "-" }))
    }
}
