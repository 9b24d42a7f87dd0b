#if Etcd
    internal import ConfigModel
    internal import ConfigStore

    /// Reads the log.
    struct EtcdHistory: Sendable {
        let reader: EtcdReader

        /// The revisions after one, through another; `nil` if the log does not have all of them.
        func past(after base: UInt64, through last: UInt64) async throws(StoreError) -> EtcdPast? {
            var past = EtcdPast(base: base)
            var next = base + 1
            while next <= last {
                let pairs = try await pairs(.range(reader.layout.log(from: next), limit: EtcdReader.pageRecords))
                guard !pairs.isEmpty else { return nil }
                for pair in pairs where next <= last {
                    let batch = try reader.record(pair).batch
                    guard batch.base < next else { return nil }
                    past.revisions += batch.revisions.filter { $0.revision >= next && $0.revision <= last }
                    next = batch.last + 1
                }
            }
            return past
        }

        /// The history of a namespace or of one of its keys, newest first; within a revision, the last key first.
        ///
        /// The log is read backwards in windows of revisions: etcd would sort all of it to read it from its end.
        func records(_ query: HistoryQuery, head: UInt64) async throws(StoreError) -> [HistoryRecord] {
            guard let first = try await firstRecord() else { return [] }
            var found: [HistoryRecord] = []
            var upper = min(query.before.map { $0 == 0 ? 0 : $0 - 1 } ?? .max, head)
            // The record with the highest of the revisions may be named after a later one.
            var window = try await batches(.range(reader.layout.log(from: upper), limit: 1))
            while true {
                for batch in window.reversed() {
                    for item in batch.revisions.reversed() where item.namespace == query.namespace {
                        guard query.before.map({ item.revision < $0 }) ?? true else { continue }
                        found += item.records(ofKey: query.key)
                        if found.count >= query.limit { return Array(found.prefix(query.limit)) }
                    }
                }
                guard upper > first else { return found }
                let lower = upper - min(upper, UInt64(EtcdReader.pageRecords))
                window = try await batches(.range(reader.layout.log(from: lower, through: upper - 1)))
                upper = lower
            }
        }

        /// The lowest revision whose state can be read; `nil` if there are no records, so that only the last can.
        func floor() async throws(StoreError) -> UInt64? {
            try await batches(.range(reader.layout.log(), limit: 1)).first?.base
        }

        /// The last revision of the first record.
        func firstRecord() async throws(StoreError) -> UInt64? {
            let pairs = try await pairs(.range(reader.layout.log(), limit: 1, keysOnly: true))
            return pairs.first.flatMap { reader.layout.revision(ofLog: $0.key) }
        }

        private func batches(_ operation: EtcdRequest.Operation) async throws(StoreError) -> [EtcdBatch] {
            try await pairs(operation).map { (pair) throws(StoreError) in try reader.record(pair).batch }
        }

        private func pairs(_ operation: EtcdRequest.Operation) async throws(StoreError) -> [EtcdPair] {
            try await reader.ask(EtcdRequest(operations: [operation])).pairs(0)
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

    /// Consecutive revisions: with the state at either end, they give any state in between.
    struct EtcdPast: Hashable, Sendable {
        /// The revision before the first of them.
        var base: UInt64
        /// The revisions in their order.
        var revisions: [EtcdRevision] = []

        /// The values at a revision of the keys of a namespace that have changed since.
        func values(in namespace: String, at revision: UInt64) -> [String: EntryValue?] {
            var values: [String: EntryValue?] = [:]
            for item in revisions where item.revision > revision && item.namespace == namespace {
                for change in item.changes where values[change.key] == nil { values[change.key] = .some(change.old) }
            }
            return values
        }
    }
#endif
