#if Etcd
    internal import ConfigModel
    internal import ConfigStore

    /// Keeps the store small: snapshots, pruning of the history, and etcd's own compaction. Each server runs it when it is
    /// due; two at once do no harm.
    struct EtcdUpkeep: Sendable {
        let reader: EtcdReader
        let mirror: EtcdMirror
        let options: EtcdStore.Options

        private var layout: EtcdLayout { reader.layout }

        /// Runs what is due every few seconds, until the task is cancelled.
        func run() async {
            var compaction = EtcdCompaction(age: options.compactionAge)
            while (try? await Task.sleep(for: .milliseconds(.random(in: 4_000...8_000)))) != nil {
                do throws(StoreError) {
                    try await step()
                    let moment = try await reader.news(after: mirror.revision).revision
                    if let due = compaction.due(moment, at: .now) { try await compact(to: due) }
                } catch {
                    // It is still due next time. Writers receive the error.
                }
            }
        }

        /// Writes a snapshot if the log has grown enough, and prunes the history.
        func step() async throws(StoreError) {
            guard let state = mirror.state else { return }
            let pair = try await reader.ask(EtcdRequest(operations: [.range(.key(layout.snapshot))])).pairs(0).first
            let last = try pair.map { (pair) throws(StoreError) in try reader.decoded(pair, EtcdSnapshot.init(json:)) }
            let grown = state.head.logBytes - (last?.logBytes ?? 0)
            if grown >= max(options.snapshotBytes, last?.bytes ?? 0) {
                try await write(state, replacing: pair?.revision ?? 0)
            }
            if let last { try await prune(through: last.revision, of: state.head) }
        }

        private func write(_ state: EtcdState, replacing revision: Int64) async throws(StoreError) {
            var snapshot = EtcdSnapshot(of: state, id: .random(in: .min ... .max))
            for part in EtcdPart.all(of: state) {
                let key = layout.part(snapshot.parts, of: snapshot)
                _ = try await reader.ask(EtcdRequest(operations: [.put(key: key, value: part)]))
                snapshot.parts += 1
                snapshot.bytes += part.count
            }
            let request = EtcdRequest(
                expected: [layout.snapshot: revision],
                operations: [
                    .put(key: layout.snapshot, value: snapshot.json),
                    .delete(layout.parts(before: snapshot)),
                ],
                otherwise: [.range(.key(layout.snapshot))]
            )
            let answer = try await reader.ask(request)
            if answer.succeeded { return }
            let found = try answer.pairs(0).first.map { (pair) throws(StoreError) in
                try reader.decoded(pair, EtcdSnapshot.init(json:))
            }
            // It may be this one, if the first answer was lost. If not, another server was faster.
            if found?.id == snapshot.id { return }
            _ = try await reader.ask(EtcdRequest(operations: [.delete(layout.parts(of: snapshot))]))
        }

        /// Removes the oldest records of the log.
        ///
        /// - Parameter revision: the snapshot's; loading the store needs the records after it.
        private func prune(through revision: UInt64, of head: EtcdHead) async throws(StoreError) {
            while true {
                let operation = EtcdRequest.Operation.range(
                    layout.log(through: revision),
                    limit: EtcdReader.pageRecords
                )
                let pairs = try await reader.ask(EtcdRequest(operations: [operation])).pairs(0)
                let batches = try pairs.map { (pair) throws(StoreError) in try reader.record(pair).batch }
                let due = batches.prefix { isDue($0, head) }
                guard let last = due.last?.last else { return }
                _ = try await reader.ask(EtcdRequest(operations: [.delete(layout.log(through: last))]))
                if due.count < batches.count { return }
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
            var json = JSONWriter()
            json.object { object in object.member("revision") { $0.string(String(revision)) } }
            do throws(EtcdFailure) {
                _ = try await reader.client.ask("/v3/kv/compaction", json.bytes, within: .seconds(10))
            } catch {
                // Another server was faster, or this user has no permission and others compact.
                guard [.compacted, .forbidden].contains(error.kind) else {
                    throw StoreError(error, at: reader.client.place)
                }
            }
        }
    }

    /// When etcd's revisions are old enough to be compacted away.
    struct EtcdCompaction: Hashable, Sendable {
        private let age: Duration?
        private var moments: [Moment] = []

        private struct Moment: Hashable, Sendable {
            var revision: Int64
            var time: ContinuousClock.Instant
        }

        /// - Parameter age: their least age; `nil` for never.
        init(age: Duration?) { self.age = age }

        /// Records etcd's present revision.
        ///
        /// - Returns: the revision before which all are old enough, if it has risen.
        mutating func due(_ revision: Int64, at now: ContinuousClock.Instant) -> Int64? {
            guard let age else { return nil }
            if moments.last.map({ revision > $0.revision }) ?? true {
                moments.append(Moment(revision: revision, time: now))
            }
            guard let index = moments.lastIndex(where: { now - $0.time >= age }) else { return nil }
            defer { moments.removeFirst(index + 1) }
            return moments[index].revision
        }
    }
#endif
