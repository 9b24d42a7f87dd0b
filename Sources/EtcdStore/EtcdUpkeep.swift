// SPDX-License-Identifier: Apache-2.0

#if Etcd
    internal import ConfigModel
    internal import ConfigStore
    internal import Logging
    internal import Synchronization

    /// Keeps the store small. Each server runs due tasks; concurrent runs are harmless.
    ///
    /// Tasks are independent. A failed one is repeated after a growing pause: an attempt may cost etcd space until it is
    /// compacted.
    final class EtcdUpkeep: Sendable {
        private enum Task: String, CaseIterable {
            /// Writes a snapshot if the log has grown enough.
            case snapshot
            /// Removes the parts of attempts to write a snapshot that have failed.
            case cleaning
            /// Removes old history.
            case pruning
            /// Compacts etcd's own history.
            case compaction
        }

        private struct State {
            var compaction: EtcdMoments
            var leftovers: EtcdMoments
            var pauses: [Task: (backoff: Backoff, end: ContinuousClock.Instant)] = [:]
        }

        private let state: Mutex<State>
        private let report: UpkeepReport

        init(_ options: EtcdEntryStore.Options, _ logger: Logger) {
            state = Mutex(
                State(
                    compaction: EtcdMoments(age: options.compactionAge),
                    leftovers: EtcdMoments(age: options.leftoverAge)
                )
            )
            report = UpkeepReport(of: Task.allCases.map(\.rawValue), logger)
        }

        /// Runs the tasks that are due.
        ///
        /// - Parameter ignoringPauses: whether to run a task that has just failed, too.
        /// - Returns: the failures.
        @discardableResult
        func run(in session: EtcdSession, ignoringPauses: Bool = false) async -> [StoreError] {
            var failures: [StoreError] = []
            for task in Task.allCases {
                let pause = state.withLock { $0.pauses[task]?.end }
                if !ignoringPauses, let pause, pause > .now { continue }
                do throws(StoreError) {
                    try await run(task, in: session)
                    state.withLock { $0.pauses[task] = nil }
                    report.succeeded(task.rawValue)
                } catch {
                    state.withLock { state in
                        var backoff = state.pauses[task]?.backoff ?? Backoff(from: .seconds(10), to: .seconds(600))
                        let end = ContinuousClock.now + backoff.next()
                        state.pauses[task] = (backoff, end)
                    }
                    report.failed(task.rawValue, error)
                    failures.append(error)
                }
            }
            return failures
        }

        private func run(_ task: Task, in session: EtcdSession) async throws(StoreError) {
            switch task {
            case .snapshot: try await session.writeSnapshot()
            case .cleaning:
                try await session.removeLeftovers { revision in
                    state.withLock { $0.leftovers.due(revision, at: .now) }
                }
            case .pruning: try await session.prune()
            case .compaction:
                let moment = try await session.ask(.range(.key(session.layout.head))).header.revision
                let due = state.withLock { $0.compaction.due(moment, at: .now) }
                if let due { try await session.compact(to: due) }
            }
        }
    }

    extension EtcdSession {
        /// Runs due tasks every few seconds, until the task is cancelled.
        func runUpkeep() async {
            while (try? await Task.sleep(for: .milliseconds(.random(in: 4_000...8_000)))) != nil {
                await upkeep.run(in: self)
            }
        }

        /// Writes a snapshot if the log has grown enough.
        fileprivate func writeSnapshot() async throws(StoreError) {
            guard let state = mirror.state else { return }
            let last = try await snapshot()
            let grown = state.head.logBytes - (last?.record.head.logBytes ?? 0)
            guard grown >= max(options.snapshotBytes, last?.record.bytes ?? 0) else { return }
            try await write(state, replacing: last?.revision ?? 0)
        }

        /// The snapshot that loading the store begins with, and etcd's revision that wrote it.
        private func snapshot() async throws(StoreError) -> (record: EtcdSnapshot, revision: Int64)? {
            try first(EtcdSnapshot.self, in: try await ask(.range(.key(layout.snapshot))).range(0))
        }

        private func write(_ state: EtcdState, replacing revision: Int64) async throws(StoreError) {
            var snapshot = EtcdSnapshot(head: state.head, id: .random(in: .min ... .max))
            var request = EtcdRequest(expected: [layout.snapshot: revision])
            do throws(StoreError) {
                for part in EtcdParts(of: state, bytes: min(512 * 1024, options.requestBytes / 3)) {
                    let key = layout.part(snapshot.parts, of: snapshot)
                    let written = try await ask(.put(key: key, value: part)).header.revision
                    // Parts are only removed together: as long as the first is there, all are.
                    if snapshot.parts == 0 { request.expected[key] = written }
                    snapshot.parts += 1
                    snapshot.bytes += part.count
                }
            } catch {
                // Parts that stay are deleted by a later upkeep.
                _ = try? await ask(.delete(layout.parts(of: snapshot)))
                throw error
            }
            request.operations = [
                .put(key: layout.snapshot, value: snapshot.json), .delete(layout.parts(before: snapshot)),
            ]
            request.otherwise = [.range(.key(layout.snapshot))]
            let answer = try await ask(request)
            if answer.succeeded { return }
            // It may be this one, if the first answer was lost. If not, another server was faster.
            if try first(EtcdSnapshot.self, in: answer.range(0))?.record.id == snapshot.id { return }
            try await ask(.delete(layout.parts(of: snapshot)))
        }

        /// Removes parts that no snapshot has.
        ///
        /// - Parameter due: returns, for etcd's current revision, the one up to which parts are so old that their attempts have
        ///   failed, since a server that is still writing adds another part soon; `nil` if there is none.
        fileprivate func removeLeftovers(_ due: (Int64) -> Int64?) async throws(StoreError) {
            let current = try await snapshot()
            let answer = try await ask(.range(layout.parts, keysOnly: true))
            guard let end = due(answer.header.revision) else { return }
            // The attempts, with etcd's revision of their last part.
            var found: [EtcdSnapshot: Int64] = [:]
            for pair in answer.range(0).pairs {
                if let attempt = layout.attempt(ofPart: pair.key) {
                    found[attempt] = max(found[attempt] ?? 0, pair.revision)
                }
            }
            for (attempt, last) in found where last <= end && attempt.name != current?.record.name {
                // Unless it has become the snapshot since.
                let request = EtcdRequest(
                    expected: [layout.snapshot: current?.revision ?? 0],
                    operations: [.delete(layout.parts(of: attempt))]
                )
                guard try await ask(request).succeeded else { return }
            }
        }

        /// Removes the oldest records of the log. Loading the store needs those after the snapshot.
        fileprivate func prune() async throws(StoreError) {
            guard let head = mirror.state?.head, let last = try await snapshot()?.record.revision else { return }
            var page = EtcdPage()
            while true {
                let found = try await read(&page) { [.range(layout.log(through: last), limit: $0)] }.range(0)
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
            return head.cursor.revision >= options.history.revisions
                && batch.last <= head.cursor.revision - options.history.revisions
                && batch.revisions.allSatisfy { $0.updatedAt <= oldest }
        }

        /// Compacts etcd's own history before a revision of etcd that is no longer read.
        fileprivate func compact(to revision: Int64) async throws(StoreError) {
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

    /// Determines which of etcd's revisions are of a certain age, by the moments at which they were seen; none if it is `nil`.
    ///
    /// Such revisions may be compacted away, and an attempt to write a snapshot whose last part has one has failed.
    struct EtcdMoments: Sendable {
        let age: Duration?
        private var moments: [(revision: Int64, time: ContinuousClock.Instant)] = []

        init(age: Duration?) { self.age = age }

        /// Records etcd's current revision, and returns the revision up to which all are old enough, if it has risen.
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
