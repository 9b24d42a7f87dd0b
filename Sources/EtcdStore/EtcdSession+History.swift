// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigModel
    internal import ConfigStore

    extension EtcdSession {
        /// The history of a namespace or of one of its keys, newest first; within a revision, the last key first.
        func history(
            _ query: HistoryQuery,
            in state: EtcdState,
            charging charge: ReadCharge
        ) async throws(StoreError) -> [HistoryRecord] {
            guard let newest = state.namespaces[query.namespace]?.revision else { return [] }
            var trail = EtcdTrail(of: query.namespace, from: newest, in: self)
            if let before = query.before { try await trail.skip(to: before) }
            var found: [HistoryRecord] = []
            while trail.next > 0, let revisions = try await trail.read() {
                for item in revisions {
                    guard query.before.map({ item.revision < $0 }) ?? true else { continue }
                    let records = item.records(ofKey: query.key)
                    for record in records.prefix(query.limit - found.count) {
                        try charge.row(record.value?.canonicalByteCount ?? 0)
                    }
                    found += records
                    if found.count >= query.limit { return Array(found.prefix(query.limit)) }
                }
            }
            return found
        }

        /// The values at a revision, which the log still has, of the keys of its namespace that have changed since.
        ///
        /// - Parameter known: the values as an earlier state has given them, so that only what came after it is read.
        /// - Returns: `nil` if the revisions after it have just been pruned.
        func values(
            at target: EtcdPast.Target,
            in state: EtcdState,
            knowing known: EtcdPast.Values? = nil,
            charging charge: ReadCharge = .free
        ) async throws(StoreError) -> EtcdPast.Values? {
            let newest = state.namespaces[target.namespace]?.revision ?? 0
            let end = known?.newest ?? target.revision
            var trail = EtcdTrail(of: target.namespace, from: newest, in: self)
            var values: [String: EntryValue?] = [:]
            while trail.next > end {
                guard let revisions = try await trail.read() else { return nil }
                for item in revisions where item.revision > end {
                    // The oldest change since is the one that knows the value.
                    for change in item.changes {
                        let known = values.updateValue(change.old, forKey: change.key)
                        let (size, knownSize) = (change.old?.canonicalByteCount ?? 0, known??.canonicalByteCount ?? 0)
                        if known == nil || size > knownSize { try charge.row(size - knownSize) }
                    }
                }
            }
            return (newest, values.merging(known?.values ?? [:]) { $1 })
        }

        /// The lowest revision whose state can be read; `nil` if there are no records, so that only the last can.
        func floor() async throws(StoreError) -> UInt64? {
            try records(in: try await ask(.range(layout.log(), limit: 1)).range(0)).first?.base
        }
    }

    extension EtcdRevision {
        fileprivate func records(ofKey key: String?) -> [HistoryRecord] {
            changes.reversed().filter { key == nil || $0.key == key }.map { change in
                HistoryRecord(
                    revision: revision,
                    key: change.key,
                    value: change.value,
                    author: author,
                    message: message,
                    updatedAt: updatedAt
                )
            }
        }
    }

    /// The values that the rollbacks of a batch go back to.
    struct EtcdPast: Sendable {
        struct Target: Hashable, Sendable {
            var namespace: String
            var revision: UInt64
        }

        /// The revision of the namespace that the values were read before, and the values at the target of the keys that have
        /// changed since; `nil` for a key that had none.
        typealias Values = (newest: UInt64, values: [String: EntryValue?])

        /// The lowest revision whose state can be read, as far as that is known.
        var floor: UInt64 = 0
        var values: [Target: Values] = [:]
    }
#endif
