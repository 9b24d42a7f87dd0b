// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
package import ConfigStore
package import ConfigWire
internal import HashTreeCollections

/// The drafts of a namespace, and everything that can be done with one. It decides by memory, and the transaction of each write
/// checks that nothing has changed since.
package struct DraftDesk: Sendable {
    let hub: NamespaceHub
    package let namespace: String

    private var store: String { DraftNamespace.name(for: namespace) }

    /// The time, as drafts are dated and scheduled by it.
    var now: Timestamp { hub.clock.now }
}

// MARK: Reading

extension DraftDesk {
    /// The states of the namespace and of its drafts, at one moment.
    func states() throws(DraftError) -> (head: NamespaceState, drafts: NamespaceState) {
        guard let (head, drafts) = hub.states(of: namespace, store) else { throw .store(.notOpen) }
        return (head, drafts)
    }

    /// All drafts, the newest first.
    package func all() throws(DraftError) -> [Draft] {
        hub.index.drafts(in: try states().drafts).values.map(\.draft)
            .sorted { ($0.createdAt, $0.id) > ($1.createdAt, $1.id) }
    }

    /// A draft, and the state of the namespace that it was read with.
    package func draft(_ id: String) throws(DraftError) -> Draft { try held(id).draft }

    private func held(_ id: String) throws(DraftError) -> Draft.Held {
        guard let held = hub.index.drafts(in: try states().drafts)[id] else { throw .unknown(id) }
        return held
    }

    /// The policy, with the revision under which it is stored.
    package func policy() throws(DraftError) -> (policy: ReviewPolicy, revision: UInt64?) {
        hub.policy(of: try states().drafts)
    }

    /// The derived state of a draft.
    ///
    /// - Parameter violations: the violations that applying it would make.
    package func standing(_ draft: Draft, violations: [ViolationMessage] = []) throws(DraftError) -> DraftStanding {
        try current(draft, violations: violations).standing
    }

    /// A draft with its derived state. If it has ended since it was read, it is the current one: its own changes are no
    /// conflicts.
    package func current(
        _ draft: Draft,
        violations: [ViolationMessage]
    ) throws(DraftError) -> (draft: Draft, standing: DraftStanding) {
        let (head, drafts) = try states()
        let present = hub.index.drafts(in: drafts)[draft.id]?.draft ?? draft
        let draft = present.state(in: head.cursor.epoch) == .open ? draft : present
        let surroundings = DraftSurroundings(
            epoch: head.cursor.epoch,
            policy: hub.policy(of: drafts).policy,
            now: now,
            violations: violations,
            isValid: { [namespace] in hub.approvals.isValid($0, in: namespace) },
            revision: { Self.entry($0, head, drafts)?.revision }
        )
        return (draft, draft.standing(in: surroundings))
    }

    /// The current entry of a key of a draft.
    private static func entry(_ key: String, _ head: NamespaceState, _ drafts: NamespaceState) -> StoredEntry? {
        key == ReviewPolicy.draftKey ? drafts.entry(ReviewPolicy.key) : head.stored(key)
    }

    /// The violations that applying a draft would make, by the schemas and rules in memory.
    package func violations(of draft: Draft) async throws(DraftError) -> [ViolationMessage] {
        let (head, drafts) = try states()
        guard !draft.operations.isEmpty, draft.state(in: hub.epoch) == .open,
            let held = hub.index.drafts(in: drafts)[draft.id], held.draft.version == draft.version
        else { return [] }
        return await hub.index.violations(of: held, in: head) {
            let publish = Publish(namespace: namespace, change: .edit(draft.edits))
            return switch await hub.checks.check(publish, by: head) {
            case .invalid(let violations): violations
            case .valid, .unfinished, nil: []
            }
        }
    }

    /// The drafts that have been applied, by their revisions.
    package func applied() throws(DraftError) -> [UInt64: Draft] {
        var applied: [UInt64: Draft] = [:]
        for held in hub.index.drafts(in: try states().drafts).values {
            if case .applied(let revision?) = held.draft.state { applied[revision] = held.draft }
        }
        return applied
    }
}

// MARK: Writing

/// A change of the content of a draft; what is `nil` stays.
package struct DraftEdit: Sendable {
    package var title: String?
    package var message: String??
    package var applyAt: String??
    /// New operations, by their keys as in `EntryKind`: the value, or `nil` to remove the entry.
    package var operations: [String: EntryValue?] = [:]
    /// The proposed policy.
    package var policy: ReviewPolicy?
    /// The keys whose operations are taken out.
    package var discarded: Set<String> = []

    package init() {}
}

/// The resolution of a conflict of one key.
package enum DraftChoice: Hashable, Sendable {
    /// The proposed value, on the current entry.
    case mine
    /// The current value: the operation is taken out.
    case theirs
    /// Another value, on the current entry; `nil` to remove the entry.
    case value(EntryValue?)
}

extension DraftDesk {
    /// Creates a draft.
    package func create(_ edit: DraftEdit, by actor: DraftActor) async throws(DraftError) -> Draft {
        if try all().count(where: { $0.state(in: hub.epoch) == .open }) >= Draft.maximumOpen {
            throw .limit("the namespace has \(Draft.maximumOpen) open drafts; apply or close one")
        }
        while true {
            var draft = Draft(id: DraftNamespace.newID(), epoch: hub.epoch)
            try apply(edit, to: &draft, isNew: true, by: actor)
            draft.events = [DraftEvent(.created, by: actor, at: now, version: draft.version)]
            let publish = Publish(
                namespace: store,
                change: .edit(draft.entries),
                conditions: [.absent(key: DraftNamespace.contentKey(draft.id))],
                author: actor.token,
                message: "create draft"
            )
            switch try await write(publish) {
            case .conditionFailed: continue
            default: return draft
            }
        }
    }

    /// Edits an open draft.
    ///
    /// - Parameter version: the version that was read; `nil` for the current one.
    package func edit(
        _ id: String,
        _ edit: DraftEdit,
        ifVersion version: Int?,
        by actor: DraftActor
    ) async throws(DraftError) -> Draft {
        try await change(id, ifVersion: version, by: actor, .edited) { (draft) throws(DraftError) in
            try apply(edit, to: &draft, isNew: false, by: actor)
        }
    }

    /// Resolves the conflicts of an open draft, all of them.
    package func rebase(
        _ id: String,
        _ choices: [String: DraftChoice],
        ifVersion version: Int?,
        by actor: DraftActor
    ) async throws(DraftError) -> Draft {
        try await change(id, ifVersion: version, by: actor, .rebased) { (draft) throws(DraftError) in
            let (head, drafts) = try states()
            let (former, bases) = (draft, draft.bases)
            func current(_ key: String) -> UInt64? { Self.entry(key, head, drafts)?.revision }
            let conflicts = bases.filter { current($0.key) != $0.value }.keys.sorted()
            let open = conflicts.filter { choices[$0] == nil }
            if !open.isEmpty { throw .undecided(open) }
            for (key, choice) in choices {
                if bases[key] == nil { throw .notInDraft(key) }
                if key == ReviewPolicy.draftKey {
                    draft.policy = choice == .theirs ? nil : Draft.Operation(former.policy?.value, base: current(key))
                    continue
                }
                var operation = Draft.Operation(former.operations[key]?.value, base: current(key))
                if case .value(let value) = choice { operation.value = value }
                draft.operations[key] = choice == .theirs ? nil : operation
            }
            for (key, choice) in choices where former.removes(key) {
                if choices[EntryKind.rule.key(of: key)] == nil, draft.operations[key]?.value != nil || choice == .theirs
                {
                    draft.keepRule(of: key)
                }
            }
            // A rule that stays needs its key.
            for (key, choice) in choices where choice == .theirs {
                if let name = EntryKind.rule.name(of: key), former.removes(name) { draft.operations[name] = nil }
            }
        }
    }

    /// Changes the content of an open draft: if that makes a difference, it gets a new version, which ends all reviews.
    private func change(
        _ id: String,
        ifVersion version: Int?,
        by actor: DraftActor,
        _ kind: DraftEvent.Kind,
        _ body: (inout Draft) throws(DraftError) -> Void
    ) async throws(DraftError) -> Draft {
        while true {
            let held = try held(id)
            try requireOpen(held.draft)
            if let version, version != held.draft.version { throw .stale(version: held.draft.version) }
            try requireRoom(in: held.draft)
            var draft = held.draft
            try body(&draft)
            if draft == held.draft { return draft }
            try check(draft)
            draft.version += 1
            draft.events.append(DraftEvent(kind, by: actor, at: now, version: draft.version))
            if try await put(draft, over: held, by: actor, message: "\(kind.rawValue) draft") { return draft }
        }
    }

    /// Records a review.
    ///
    /// - Parameter digest: the digest of the content that the reviewer has read.
    package func review(
        _ id: String,
        _ kind: DraftEvent.Kind,
        digest: String,
        comment: String?,
        by actor: DraftActor
    ) async throws(DraftError) -> Draft {
        if let comment, comment.utf8.count > Draft.maximumCommentBytes {
            throw .limit("the comment is longer than \(Draft.maximumCommentBytes) bytes")
        }
        while true {
            let held = try held(id)
            var draft = held.draft
            try requireOpen(draft)
            let present = draft.digest(in: namespace)
            if digest != present { throw .otherDigest(present) }
            if kind == .approved {
                if draft.editors.contains(actor.subject) { throw .ownDraft }
                let violations = try await violations(of: draft)
                if !violations.isEmpty { throw .invalid(violations) }
            }
            if comment != nil,
                draft.events.count(where: { $0.kind.isReview && $0.comment != nil }) >= Draft.maximumComments
            {
                throw .limit("the draft has \(Draft.maximumComments) comments; review it without a comment")
            }
            try requireRoom(in: draft)
            draft.events.append(
                DraftEvent(kind, by: actor, at: now, version: draft.version, digest: digest, comment: comment)
            )
            guard try await put(draft, over: held, by: actor, message: "\(kind.rawValue) draft") else { continue }
            if kind == .approved, let edit = draft.events.last(where: \.kind.isEdit) {
                hub.draftMetrics.approved(after: .milliseconds(now.milliseconds - edit.time.milliseconds))
            }
            return draft
        }
    }

    /// Closes an open draft.
    package func close(_ id: String, reason: String?, by actor: DraftActor) async throws(DraftError) -> Draft {
        if let reason, reason.utf8.count > Draft.maximumCommentBytes {
            throw .limit("the reason is longer than \(Draft.maximumCommentBytes) bytes")
        }
        while true {
            let held = try held(id)
            var draft = held.draft
            if case .closed = draft.state(in: hub.epoch) { return draft }
            try requireOpen(draft)
            draft.state = .closed(reason: reason)
            draft.events.append(DraftEvent(.closed, by: actor, at: now, version: draft.version, comment: reason))
            if try await put(draft, over: held, by: actor, message: "close draft") { return draft }
        }
    }

    /// Applies a draft: one revision, in the transaction that marks the draft as applied. A repetition returns the same.
    ///
    /// - Parameters:
    ///   - digest: the digest of the content to apply; `nil` at its time, for the current content.
    ///   - actor: who applies it; `nil` at its time.
    package func apply(_ id: String, digest: String?, by actor: DraftActor?) async throws(DraftError) -> Draft {
        while true {
            let held = try held(id)
            var draft = held.draft
            if case .applied = draft.state { return draft }
            try requireOpen(draft)
            let present = draft.digest(in: namespace)
            if let digest, digest != present { throw .otherDigest(present) }
            // The clock of the store decides, as it is now.
            if draft.applyAt != nil { try await readClock() }
            let (_, policyRevision) = try policy()
            let standing = try standing(draft)
            switch standing.status {
            case .conflicted: throw .conflict(try operations(of: draft, standing.conflicts))
            case .inReview: throw .approvalsMissing(standing)
            case .missed: throw .missed
            case .scheduled: throw .scheduled(draft.applyAt ?? "")
            case .approved, .due, .invalid, .applied, .closed: break
            }
            draft.state = .applied(revision: nil)
            draft.approvers = standing.approvers
            draft.events.append(
                DraftEvent(.applied, by: actor ?? .server, at: now, version: draft.version, digest: present)
            )
            var publish = Publish(namespace: namespace, change: .edit(draft.edits), conditions: draft.conditions)
            (publish.author, publish.message) = (draft.events.first?.actor.token, draft.message)
            var companion = Publish.Companion(
                namespace: store,
                edits: [DraftNamespace.stateKey(id): draft.stateEntry],
                conditions: held.conditions + [policyRevision.condition],
                stampedKey: DraftNamespace.stateKey(id)
            )
            if let policy = draft.policy { companion.edits[ReviewPolicy.key] = policy.value }
            publish.companion = companion
            switch try await write(publish) {
            case .invalid(let violations): throw .invalid(violations)
            // Memory has what the transaction has found by now, and the next round decides by that.
            case .conditionFailed: continue
            default: return try self.draft(id)
            }
        }
    }

    /// Sets the policy.
    ///
    /// - Parameter revision: the revision that was read; `nil` for whichever there is.
    package func set(
        _ policy: ReviewPolicy,
        ifRevision revision: UInt64??,
        by actor: DraftActor
    ) async throws(DraftError) {
        try check(policy, by: actor)
        while true {
            let (present, stored) = try self.policy()
            if let revision, revision != stored { throw .stalePolicy(stored) }
            if policy.requiresLess(than: present) { throw .policyRelaxed }
            let publish = Publish(
                namespace: store,
                change: .edit([ReviewPolicy.key: policy.stored]),
                conditions: [stored.condition],
                author: actor.token,
                message: "set policy"
            )
            if case .conditionFailed = try await write(publish) { continue }
            return
        }
    }
}

// MARK: Steps

extension DraftDesk {
    /// Removes drafts that have ended, unless they have changed.
    func remove(_ drafts: [Draft.Held]) async {
        var edits: [String: EntryValue?] = [:]
        for held in drafts {
            edits[DraftNamespace.contentKey(held.draft.id)] = .some(nil)
            edits[DraftNamespace.stateKey(held.draft.id)] = .some(nil)
        }
        let publish = Publish(
            namespace: store,
            change: .edit(edits),
            conditions: drafts.flatMap(\.conditions),
            message: "remove old drafts"
        )
        // What fails is tried again in the next pass.
        _ = try? await hub.publish(publish)
    }

    func requireOpen(_ draft: Draft) throws(DraftError) {
        switch draft.state(in: hub.epoch) {
        case .open: return
        case .applied(let revision?): throw .ended("it was applied as revision \(revision)")
        case .applied(nil): throw .ended("it was applied and changed nothing")
        case .closed(let reason): throw .ended("it was closed" + (reason.map { ": \($0)" } ?? ""))
        }
    }

    private func apply(
        _ edit: DraftEdit,
        to draft: inout Draft,
        isNew: Bool,
        by actor: DraftActor
    ) throws(DraftError) {
        let head = try states().head
        if let title = edit.title { draft.title = title }
        if let message = edit.message { draft.message = message }
        if let text = edit.applyAt, text != draft.applyAt || isNew {
            draft.schedule(try text.map { (text) throws(DraftError) in try futureTime(text) })
        }
        for key in edit.discarded {
            if draft.removes(key) { draft.keepRule(of: key) }
            draft.operations[key] = nil
        }
        for (key, value) in edit.operations {
            let wasRemoved = draft.removes(key)
            // A key that is in the draft already keeps its base: only `rebase` moves that.
            let base = draft.operations[key].map(\.base) ?? head.stored(key)?.revision
            draft.operations[key] = Draft.Operation(value, base: base)
            let rule = EntryKind.rule.key(of: key)
            if EntryKind(of: key) != .value || wasRemoved == (value == nil) || edit.operations[rule] != nil { continue }
            if wasRemoved {
                draft.keepRule(of: key)
            } else if draft.operations[rule] == nil, let stored = head.stored(rule) {
                draft.operations[rule] = Draft.Operation(nil, base: stored.revision)
            }
        }
        if let policy = edit.policy {
            try check(policy, by: actor)
            draft.policy = Draft.Operation(policy.stored, base: try self.policy().revision)
        }
        if isNew { try check(draft) }
    }

    private func check(_ policy: ReviewPolicy, by actor: DraftActor) throws(DraftError) {
        if let problem = policy.problem { throw .policy(problem) }
        guard policy.approvals > 0, actor.subject == nil else { return }
        throw .policy(
            "approvals need tokens, and this server has none: all its users would be one subject; start it with --token-file"
        )
    }

    private func requireRoom(in draft: Draft) throws(DraftError) {
        if draft.events.count < Draft.maximumEvents { return }
        throw .limit("the draft has been changed or reviewed \(Draft.maximumEvents) times; propose a new one")
    }

    private func futureTime(_ text: String) throws(DraftError) -> ScheduledTime {
        do throws(ScheduleError) {
            let time = try ScheduledTime(text)
            guard time.instant > now else { throw .past(text) }
            return time
        } catch {
            throw .schedule(error)
        }
    }

    private func check(_ draft: Draft) throws(DraftError) {
        if draft.operations.isEmpty, draft.policy == nil { throw .limit("a draft must change at least one key") }
        if draft.title.unicodeScalars.count > Draft.maximumTitleLength {
            throw .limit("the title is longer than \(Draft.maximumTitleLength) characters")
        }
        if draft.operations.count > Draft.maximumOperations {
            throw .limit("a draft has at most \(Draft.maximumOperations) operations; split it")
        }
        if draft.bytes > Draft.maximumBytes {
            throw .limit("a draft has at most \(Draft.maximumBytes) bytes; split it")
        }
    }

    /// - Returns: whether it was written; not if the draft has changed since.
    private func put(
        _ draft: Draft,
        over held: Draft.Held,
        by actor: DraftActor,
        message: String
    ) async throws(DraftError) -> Bool {
        let publish = Publish(
            namespace: store,
            change: .edit(draft.entries),
            conditions: held.conditions,
            author: actor.token,
            message: message
        )
        if case .conditionFailed = try await write(publish) { return false }
        return true
    }

    private func write(_ publish: Publish) async throws(DraftError) -> PublishOutcome {
        do throws(StoreError) {
            return try await hub.publish(publish)
        } catch {
            throw .store(error)
        }
    }

    private func readClock() async throws(DraftError) {
        do throws(StoreError) {
            try await hub.readClock()
        } catch {
            throw .store(error)
        }
    }

}

extension DraftDesk {
    /// The epoch of the store.
    package var epoch: Epoch { hub.epoch }

    /// Operations of a draft with the current entries, sorted by their keys, and the rules that are removed with their keys.
    ///
    /// - Parameter keys: the keys of ``Draft/bases``; `nil` for all, without the policy.
    package func operations(
        of draft: Draft,
        _ keys: [String]? = nil
    ) throws(DraftError) -> [DraftMessage.Operation] {
        let (head, drafts) = try states()
        let known = draft.bases.keys.filter { draft.operations[$0] != nil || head.stored($0) != nil }
        return (keys ?? known).sorted().map { key in
            var operation = DraftMessage.Operation()
            let proposed = key == ReviewPolicy.draftKey ? draft.policy : draft.operations[key]
            let current = Self.entry(key, head, drafts)
            (operation.key, operation.base, operation.proposed) = (key, proposed?.base, proposed?.value)
            (operation.revision, operation.current) = (current?.revision, current?.value)
            return operation
        }
    }
}

/// The reason why something cannot be done with a draft.
package enum DraftError: Error {
    case unknown(String)
    /// The draft has ended, for a reason.
    case ended(String)
    case stale(version: Int)
    case stalePolicy(UInt64?)
    case otherDigest(String)
    case ownDraft
    case approvalsMissing(DraftStanding)
    case conflict([DraftMessage.Operation])
    /// The choice for these conflicts is missing.
    case undecided([String])
    case notInDraft(String)
    case invalid([ViolationMessage])
    case schedule(ScheduleError)
    /// It is scheduled for another time.
    case scheduled(String)
    case missed
    case limit(String)
    case policy(String)
    /// The new policy requires less than the current one, and is not in a draft.
    case policyRelaxed
    case store(StoreError)
}

extension DraftActor {
    /// The server, for a draft that is applied at its time.
    static let server = DraftActor(subject: nil, token: nil, hash: nil)
}

extension Draft {
    /// The edits of its operations.
    package var edits: [String: EntryValue?] { operations.mapValues(\.value) }

    /// The conditions that each entry has its base.
    fileprivate var conditions: [Publish.Condition] {
        // The policy is in another namespace.
        bases.filter { $0.key != ReviewPolicy.draftKey }.sorted { $0.key < $1.key }.map { key, base in
            base.map { .entry(key: key, revisions: [$0]) } ?? .absent(key: key)
        }
    }

    /// Whether it removes a key.
    fileprivate func removes(_ key: String) -> Bool {
        EntryKind(of: key) == .value && operations[key].map { $0.value == nil } ?? false
    }

    fileprivate var entries: [String: EntryValue?] {
        [DraftNamespace.contentKey(id): content, DraftNamespace.stateKey(id): stateEntry]
    }

    /// The time of its creation.
    package var createdAt: Timestamp { events.first?.time ?? Timestamp(milliseconds: 0) }
}

extension UInt64? {
    /// The condition that the stored policy is the one of this revision, or that none is stored.
    fileprivate var condition: Publish.Condition {
        map { .entry(key: ReviewPolicy.key, revisions: [$0]) } ?? .absent(key: ReviewPolicy.key)
    }
}
