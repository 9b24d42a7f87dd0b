// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import HashTreeCollections
internal import Synchronization

/// The drafts of the namespaces, each read from its entries once, with the violations found last.
final class DraftIndex: Sendable {
    private struct List {
        var state: NamespaceState
        var drafts: [String: Draft.Held]
    }

    private struct Finding {
        var place: String
        var violations: [ViolationMessage]
    }

    private let lists = Mutex<[String: List]>([:])
    private let findings = Mutex<[String: Finding]>([:])
    private static let maximumFindings = 4096

    /// The drafts in a state of their namespace, by id. Only changed ones are read.
    func drafts(in state: NamespaceState) -> [String: Draft.Held] {
        if state.isEmpty { return [:] }
        let known = lists.withLock { $0[state.namespace] }
        if let known, known.state === state { return known.drafts }
        var drafts: [String: Draft.Held] = [:]
        var changed = Array(state.entries.keys)
        if let known, known.state.cursor.epoch == state.cursor.epoch,
            let changes = state.changes(after: known.state.revision)
        {
            (drafts, changed) = (known.drafts, Array(changes.values.upserts.keys) + changes.values.deletes)
        }
        // Each change of a draft writes its state.
        for id in changed.compactMap(DraftNamespace.id(ofState:)) { drafts[id] = Draft.held(id, in: state) }
        lists.withLock { $0[state.namespace] = List(state: state, drafts: drafts) }
        return drafts
    }

    /// The violations of a draft, as they were found at a place; what `find` returns if nothing was.
    func violations(
        of held: Draft.Held,
        in head: NamespaceState,
        _ find: () async -> [ViolationMessage]
    ) async -> [ViolationMessage] {
        // A draft of values is checked by the schemas alone; schemas and rules apply to other entries too.
        let isWide = held.draft.operations.keys.contains { EntryKind(of: $0) != .value }
        let place = "\(held.content) " + (isWide ? head.tag : "\(head.cursor.epoch) \(head.digests.schemas)")
        let name = "\(head.namespace) \(held.draft.id)"
        if let known = findings.withLock({ $0[name] }), known.place == place { return known.violations }
        let violations = await find()
        findings.withLock { findings in
            if findings.count >= Self.maximumFindings { findings = [:] }
            findings[name] = Finding(place: place, violations: violations)
        }
        return violations
    }
}

extension Draft {
    /// A draft with the revisions of its entries.
    struct Held {
        let draft: Draft
        let content: UInt64
        let state: UInt64

        /// The conditions that neither entry has changed.
        var conditions: [Publish.Condition] {
            [
                .entry(key: DraftNamespace.contentKey(draft.id), revisions: [content]),
                .entry(key: DraftNamespace.stateKey(draft.id), revisions: [state]),
            ]
        }
    }

    /// A draft in its namespace; `nil` without one.
    fileprivate static func held(_ id: String, in drafts: NamespaceState) -> Held? {
        guard let content = drafts.entry(DraftNamespace.contentKey(id)),
            let state = drafts.entry(DraftNamespace.stateKey(id)),
            let draft = Draft(id: id, content: content.value, state: state.value)
        else { return nil }
        return Held(draft: draft, content: content.revision, state: state.revision)
    }
}
