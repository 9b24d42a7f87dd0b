#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import HashTreeCollections

    /// The publishes of one batch, judged by a state and made into one record of the log.
    struct EtcdTransaction {
        private let state: EtcdState
        private let now: () -> Timestamp
        /// The revisions after the lowest one that a publish goes back to, up to the state.
        private let past: EtcdPast
        private var head: EtcdHead
        private var overlays: [String: Overlay] = [:]
        /// What has been made so far.
        private(set) var revisions: [EtcdRevision] = []

        /// What this transaction has done to a namespace so far.
        private struct Overlay {
            var revision: UInt64
            var digest: ConfigDigest
            var entries: [String: StoredEntry?] = [:]
        }

        /// - Parameters:
        ///   - state: what the store is at.
        ///   - past: what led to it, as far as publishes go back.
        ///   - now: the clock.
        init(after state: EtcdState, past: EtcdPast, now: @escaping () -> Timestamp) {
            self.state = state
            self.past = past
            self.now = now
            head = state.head
        }

        /// Makes one publish, if its conditions hold after the publishes before it.
        mutating func commit(_ publish: Publish) -> PublishOutcome {
            if let failed = publish.conditions.first(where: { !holds($0, in: publish.namespace) }) {
                return .conditionFailed(failed)
            }
            let wanted: [String: ConfigValue?]
            switch publish.change {
            case .edit(let edits): wanted = edits
            case .rollback(let revision):
                guard revision <= head.cursor.revision, past.reaches(revision) else {
                    return .unknownRevision(revision)
                }
                wanted = past.followed(by: revisions).values(in: publish.namespace, at: revision)
            }
            var changes: [String: ConfigValue?] = [:]
            for (key, value) in wanted where entry(key, in: publish.namespace)?.value != value { changes[key] = value }
            return changes.isEmpty ? .unchanged : .committed(make(changes, publish))
        }

        /// The record of what has been made, and the head after it; `nil` if nothing was.
        func batch(id: UInt64) -> (batch: EtcdBatch, json: [UInt8], head: EtcdHead)? {
            guard !revisions.isEmpty else { return nil }
            let batch = EtcdBatch(id: id, offset: head.logBytes, nextID: head.nextID, revisions: revisions)
            let json = batch.json
            var head = head
            head.logBytes += json.count
            return (batch, json, head)
        }

        private func holds(_ condition: Publish.Condition, in namespace: String) -> Bool {
            switch condition {
            case .head(let revision): overlay(of: namespace).revision == revision
            case .absent(let key): entry(key, in: namespace) == nil
            case .present(let key): entry(key, in: namespace) != nil
            case .entry(let key, let revisions):
                entry(key, in: namespace).map { revisions.contains($0.revision) } ?? false
            }
        }

        private func overlay(of namespace: String) -> Overlay {
            if let overlay = overlays[namespace] { return overlay }
            let namespace = state.namespaces[namespace]
            return Overlay(revision: namespace?.revision ?? 0, digest: namespace?.digest ?? ConfigDigest())
        }

        private func entry(_ key: String, in namespace: String) -> StoredEntry? {
            if let entry = overlays[namespace]?.entries[key] { return entry }
            return state.namespaces[namespace]?.entries[key]
        }

        private mutating func make(_ wanted: [String: ConfigValue?], _ publish: Publish) -> Commit {
            head.cursor.revision += 1
            let moment = max(now().milliseconds, head.updatedAt.milliseconds + 1)
            head.updatedAt = Timestamp(milliseconds: moment)
            var overlay = overlay(of: publish.namespace)
            var revision = EtcdRevision(
                revision: head.cursor.revision,
                updatedAt: head.updatedAt,
                namespace: publish.namespace,
                previous: overlay.revision,
                digest: overlay.digest,
                author: publish.author,
                message: publish.message,
                changes: []
            )
            for (key, value) in wanted.sorted(by: { $0.key < $1.key }) {
                let change = change(of: key, to: value, in: publish.namespace)
                if let old = change.old { overlay.digest.remove(old, forKey: key) }
                if let value { overlay.digest.insert(value, forKey: key) }
                overlay.entries[key] = .some(revision.entry(of: change))
                revision.changes.append(change)
            }
            overlay.revision = head.cursor.revision
            revision.digest = overlay.digest
            overlays[publish.namespace] = overlay
            revisions.append(revision)
            return revision.commit
        }

        private mutating func change(of key: String, to value: ConfigValue?, in namespace: String) -> EtcdChange {
            let old = entry(key, in: namespace)
            guard let value else { return EtcdChange(key: key, new: nil, old: old?.value) }
            defer { if old == nil { head.nextID += 1 } }
            let new = EtcdChange.New(
                value: value,
                id: old?.id ?? head.nextID,
                createdAt: old?.createdAt ?? head.updatedAt
            )
            return EtcdChange(key: key, new: new, old: old?.value)
        }
    }

    /// Revisions that follow each other, from one that is known up to a later one: enough to tell any state in between
    /// from what stands there at either end.
    struct EtcdPast: Hashable, Sendable {
        /// The revision before the first of them.
        var base: UInt64
        /// The revisions in their order.
        var revisions: [EtcdRevision] = []

        /// Whether the state at a revision can be told.
        func reaches(_ revision: UInt64) -> Bool { base <= revision }

        /// The same and what follows.
        func followed(by more: [EtcdRevision]) -> EtcdPast {
            EtcdPast(base: base, revisions: revisions + more)
        }

        /// What the keys of a namespace were at a revision that have changed since.
        func values(in namespace: String, at revision: UInt64) -> [String: ConfigValue?] {
            var values: [String: ConfigValue?] = [:]
            for item in revisions where item.revision > revision && item.namespace == namespace {
                for change in item.changes where values[change.key] == nil { values[change.key] = .some(change.old) }
            }
            return values
        }

        /// What leads from one revision of a namespace to a later one.
        func change(in namespace: String, after: UInt64, through: UInt64) -> NetChange {
            var (old, new): ([String: ConfigValue?], [String: ConfigValue?]) = ([:], [:])
            for item in revisions
            where item.namespace == namespace && item.revision > after && item.revision <= through {
                for change in item.changes {
                    if old[change.key] == nil { old[change.key] = .some(change.old) }
                    new[change.key] = .some(change.new?.value)
                }
            }
            var net = NetChange(upserts: [:], deletes: [])
            for (key, value) in new {
                let before = old[key] ?? nil
                if let value, value != before {
                    net.upserts[key] = value
                } else if value == nil, before != nil {
                    net.deletes.insert(key)
                }
            }
            return net
        }
    }
#endif
