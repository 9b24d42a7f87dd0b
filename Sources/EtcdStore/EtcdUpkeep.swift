// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigModel
    internal import ConfigStore

    /// A session keeps the store small: snapshots, pruning of the history, and etcd's own compaction. Each server runs it
    /// when it is due; two at once do no harm.
    extension EtcdSession {
        /// Runs what is due every few seconds, until the task is cancelled.
        func runUpkeep() async {
            var compaction = EtcdCompaction(age: options.compactionAge)
            while (try? await Task.sleep(for: .milliseconds(.random(in: 4_000...8_000)))) != nil {
                do throws(StoreError) {
                    try await keepUp()
                    let moment = try await ask(.range(.key(layout.head))).header.revision
                    if let due = compaction.due(moment, at: .now) { try await compact(to: due) }
                } catch {
                    // It is still due next time. Writers receive the error.
                }
            }
        }

        /// Writes a snapshot if the log has grown enough, and prunes the history.
        func keepUp() async throws(StoreError) {
            guard let state = mirror.state else { return }
            let found = try await ask(.range(.key(layout.snapshot))).range(0)
            let last = try first(EtcdSnapshot.self, in: found)
            let grown = state.head.logBytes - (last?.record.head.logBytes ?? 0)
            if grown >= max(options.snapshotBytes, last?.record.bytes ?? 0) {
                try await write(state, replacing: last?.revision ?? 0)
            }
            // Loading the store needs the records after the snapshot.
            if let last { try await prune(through: last.record.revision, of: state.head) }
        }

        private func write(_ state: EtcdState, replacing revision: Int64) async throws(StoreError) {
            var snapshot = EtcdSnapshot(head: state.head, id: .random(in: .min ... .max))
            for part in EtcdPart.all(of: state) {
                try await ask(.put(key: layout.part(snapshot.parts, of: snapshot), value: part))
                snapshot.parts += 1
                snapshot.bytes += part.count
            }
            let request = EtcdRequest(
                expected: [layout.snapshot: revision],
                operations: [
                    .put(key: layout.snapshot, value: snapshot.json), .delete(layout.parts(before: snapshot)),
                ],
                otherwise: [.range(.key(layout.snapshot))]
            )
            let answer = try await ask(request)
            if answer.succeeded { return }
            // It may be this one, if the first answer was lost. If not, another server was faster.
            if try first(EtcdSnapshot.self, in: answer.range(0))?.record.id == snapshot.id { return }
            try await ask(.delete(layout.parts(of: snapshot)))
        }

        /// Removes the oldest records of the log.
        private func prune(through revision: UInt64, of head: EtcdHead) async throws(StoreError) {
            var page = EtcdPage()
            while true {
                let found = try await read(&page) { [.range(layout.log(through: revision), limit: $0)] }.range(0)
                let records = try records(in: found)
                let due = records.prefix { isDue($0, head) }
                guard let last = due.last?.last else { return }
                try await ask(.delete(layout.log(through: last)))
                if due.count < records.count { return }
            }
        }

        private func isDue(_ batch: EtcdBatch, _ head: EtcdHead) -> Bool {
            if head.logBytes - batch.offset > options.historyBytes { return true }
            let oldest = options.now().earlier(by: options.history.age)
            return batch.last + options.history.revisions <= head.cursor.revision
                && batch.revisions.allSatisfy { $0.updatedAt <= oldest }
        }

        /// Compacts etcd's own history before one of its revisions, which nobody reads any more.
        private func compact(to revision: Int64) async throws(StoreError) {
            let json = JSONWriter.object { $0.quoted("revision", revision) }
            do throws(EtcdFailure) {
                _ = try await client.ask("/v3/kv/compaction", json, within: .seconds(10))
            } catch {
                // Another server was faster, or this user has no permission and others compact.
                guard [.compacted, .forbidden].contains(error.kind) else {
                    throw StoreError(error, at: client.place)
                }
            }
        }
    }

    /// When etcd's revisions are old enough to be compacted away; never if the age is `nil`.
    struct EtcdCompaction: Sendable {
        let age: Duration?
        private var moments: [(revision: Int64, time: ContinuousClock.Instant)] = []

        init(age: Duration?) { self.age = age }

        /// Records etcd's present revision, and returns the one before which all are old enough, if it has risen.
        mutating func due(_ revision: Int64, at now: ContinuousClock.Instant) -> Int64? {
            guard let age else { return nil }
            if moments.last.map({ revision > $0.revision }) ?? true {
                moments.append((revision, now))
            }
            guard let index = moments.lastIndex(where: { now - $0.time >= age }) else { return nil }
            defer { moments.removeFirst(index + 1) }
            return moments[index].revision
        }
    }
#endif
