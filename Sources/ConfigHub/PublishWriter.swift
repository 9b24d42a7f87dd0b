// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Logging
internal import Synchronization

/// Commits what waits in the queue, in batches, and answers the writers before their clients give up.
final class PublishWriter: Sendable {
    private let core: HubCore
    private let follower: StoreFollower
    private let monitor: StoreMonitor
    private let metrics: HubMetrics
    private let watchdog: CommitWatchdog

    init(_ core: HubCore, _ follower: StoreFollower, _ monitor: StoreMonitor, _ metrics: HubMetrics) {
        (self.core, self.follower, self.monitor, self.metrics) = (core, follower, monitor, metrics)
        watchdog = CommitWatchdog(minimumTime: core.limits.minimumCommitTime)
    }

    /// Commits until the queue has been drained. Every writer waits for the commits: they do not queue up behind the next
    /// requests.
    func run() async {
        // A separate task, which is not cancelled with this one: writers get their answers in time until the last commit.
        let watching = Task { await watchdog.run() }
        defer { watching.cancel() }
        let executor = core.store.commitExecutor
        await withTaskGroup {
            $0.addTask(executorPreference: executor, priority: .high) { await self.commitUntilDrained() }
        }
    }

    private func commitUntilDrained() async {
        var pace = BatchPace(BatchSize(count: core.limits.batch, bytes: Self.longBytes))
        while let batch = await core.queue.nextBatch(pace) {
            let start = ContinuousClock.now
            let (committed, isCut) = await commitFront(of: batch)
            let end = ContinuousClock.now
            pace.committed(committed, waiting: core.queue.size, isCut: isCut, in: end - start, at: end)
            // No publish waits for a store that cannot be reached.
            if core.queue.isClosed { await follower.reconcile() }
        }
    }

    /// Commits as much of a batch at once as the quotas and its size let. The rest goes back into the queue, where it is
    /// answered if the store stops answering.
    ///
    /// - Returns: how many were committed, and whether some went back.
    func commitFront(of batch: [PublishQueue.Pending]) async -> (committed: BatchSize, isCut: Bool) {
        let (admitted, bytes, isCut) = await admit(batch)
        if !admitted.isEmpty { await commitAndAnswer(admitted) }
        return (BatchSize(count: admitted.count, bytes: bytes), isCut)
    }

    /// A publish of this size is committed alone: it may occupy the store for longer than others would wait.
    static let longBytes = 128 * 1024

    /// Selects publishes from the front that may be committed together, and rejects the publishes that exceed a quota.
    private func admit(
        _ batch: [PublishQueue.Pending]
    ) async -> (admitted: [PublishQueue.Pending], bytes: Int, isCut: Bool) {
        var ledger = QuotaLedger(core.limits.quotas) { [core] in
            let namespaces = core.memory.present?.namespaces ?? [:]
            let configured = namespaces.values.filter { DraftNamespace.subject(of: $0.namespace) == nil }
            return (live: configured.count { !$0.isEmpty }, known: configured.count)
        }
        var admitted: [PublishQueue.Pending] = []
        var bytes = 0
        var rest = batch[...]
        admitting: while var pending = rest.first {
            // The result of a rollback depends on the publishes before it, and no admitted publish may wait for the store to
            // answer a read.
            let comesFirst = pending.isRollback || bytes + pending.bytes > Self.longBytes
            let isAlone = pending.mayReadAll
            if comesFirst || isAlone, !admitted.isEmpty { break }
            switch await check(&pending, &ledger) {
            case .fits:
                admitted.append(pending)
                bytes += pending.bytes
            case .refused(let error): pending.answer(.failure(error))
            case .later: break admitting
            }
            rest.removeFirst()
            if isAlone, !admitted.isEmpty { break }
        }
        core.queue.putBack(rest)
        return (admitted, bytes, !rest.isEmpty)
    }

    private func check(_ pending: inout PublishQueue.Pending, _ ledger: inout QuotaLedger) async -> QuotaLedger.Decision
    {
        let publish = pending.publish
        guard let state = core.memory.state(of: publish.namespace) else { return .fits }
        let edits: [String: EntryValue?]
        switch publish.change {
        // With the consequence in the store: a key's rule is removed with it.
        case .edit(let wanted): edits = PublishCommitter.completed(wanted)
        case .rollback(let revision):
            // Every publish behind it came later, so a store that does not answer in time delays no response beyond its limit.
            let limit = pending.since + core.limits.answerTime * 3 / 4 - .now
            let (_, answer) = await core.memory.waiters.begin(waiting: limit) {
                [core] () -> Result<[String: EntryValue?]?, StoreError> in
                do throws(StoreError) {
                    return .success(try await core.store.values(in: publish.namespace, at: revision))
                } catch {
                    return .failure(error)
                }
            }
            switch answer {
            case .success(let values?)?:
                edits = values
                pending.count(values)
            // The store itself reports that there is no such revision.
            case .success(nil)?: return .fits
            case .failure(let error)?: return .refused(error)
            case nil:
                let message = "timeout while reading the target of the rollback from the store; nothing was written"
                return .refused(StoreError(.unavailable, message))
            }
        }
        return ledger.check(edits, in: state)
    }

    /// Commits publishes together and answers them, before their clients give up.
    private func commitAndAnswer(_ batch: [PublishQueue.Pending]) async {
        let start = ContinuousClock.now
        let oldest = batch.map(\.since).min() ?? start
        let known = Mutex<(results: [PublishQueue.Answer]?, areUnknown: Bool)>((nil, false))
        // A large write needs more time than a small one: a second per 128 KiB, on the slowest machines.
        let work = Duration.seconds(batch.reduce(0) { $0 + $1.bytes } / Self.longBytes)
        let limit = core.limits.answerTime
        watchdog.begin(until: max(oldest + limit, start + core.limits.minimumCommitTime) + work) { [self] in
            answerInTime(
                batch,
                known.withLock { known in
                    known.areUnknown = known.results == nil
                    return known.results
                }
            )
        }
        let results = await commit(batch.map(\.publish))
        known.withLock { $0.results = results }
        await settle(results)
        watchdog.end()
        metrics.committed(batch.count, in: .now - start)
        let isUncertain = results.contains { result in
            if case .failure(let error) = result { error.code == .uncertain } else { false }
        }
        let loading = isUncertain ? await beginLoading() : nil
        let areLate = known.withLock(\.areUnknown)
        for (pending, result) in zip(batch, results) where !pending.answer(result) && areLate { reportLate(result) }
        await loading?.value
    }

    /// Answers before clients time out, with the outcomes known by then.
    private func answerInTime(_ batch: [PublishQueue.Pending], _ known: [PublishQueue.Answer]?) {
        // Memory may be behind for a moment; the outcome is known nevertheless.
        if let known {
            for (pending, result) in zip(batch, known) { pending.answer(result) }
            return
        }
        let count: Logger.Metadata = ["count": "\(batch.count)"]
        core.logger.error("timeout while committing writes; their result is unknown", metadata: count)
        core.queue.close(because: StoreError(.unavailable, "the store is not responding; nothing was written"))
        let message = "timeout while committing the write; its result is unknown"
        for pending in batch { pending.answer(.failure(StoreError(.uncertain, message))) }
    }

    private func reportLate(_ result: PublishQueue.Answer) {
        guard let commit = try? result.get().commit else { return }
        core.logger.notice(
            "a write was committed after its client received an unknown result",
            metadata: ["namespace": "\(commit.namespace)", "revision": "\(commit.revision)"]
        )
    }

    /// Loads the store again after a write with an unknown outcome, and briefly waits for that, so that its client can read the
    /// result.
    ///
    /// - Returns: the loading, if it takes longer. No publish is accepted until it is done.
    private func beginLoading() async -> Task<Void, Never> {
        let message = "the store is being reloaded after a write with an unknown result; try again in a moment"
        core.queue.close(because: StoreError(.unavailable, message))
        // The follower keeps the failure as the store's problem, and tries again.
        return await core.memory.waiters.begin(waiting: .seconds(1)) { [follower] in try? await follower.load() }.work
    }

    private func commit(_ publishes: [Publish]) async -> [PublishQueue.Answer] {
        do throws(StoreError) {
            let outcomes = try await core.store.commit(publishes)
            guard outcomes.count == publishes.count else {
                throw StoreError(
                    .uncertain,
                    "the store returned \(outcomes.count) results for \(publishes.count) writes"
                )
            }
            return outcomes.map { .success($0) }
        } catch  where error.code == .tooLarge && publishes.count > 1 {
            // Together they are too large; each half alone may fit.
            let half = publishes.count / 2
            return await commit(Array(publishes[..<half])) + commit(Array(publishes[half...]))
        } catch {
            metrics.failed()
            let what = error.code == .uncertain ? "result of a write unknown" : "write failed"
            core.logger.error("\(what): \(error)", metadata: ["code": "\(error.code.rawValue)"])
            return publishes.map { _ in .failure(error) }
        }
    }

    private func settle(_ results: [PublishQueue.Answer]) async {
        // Each caller gets its own failure.
        let outcomes = results.compactMap { try? $0.get() }
        let commits = outcomes.flatMap(\.commits)
        if let last = commits.last { monitor.checkDate(last.updatedAt) }
        await follower.apply(commits)
        // Without a commit the store has decided, and it may be ahead of memory.
        if outcomes.contains(where: \.commits.isEmpty) { await follower.catchUpWithStore() }
    }
}
