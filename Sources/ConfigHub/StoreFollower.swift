// SPDX-License-Identifier: Apache-2.0

package import ConfigModel
internal import ConfigStore
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Keeps memory equal to the store: loads it, follows the commits of other servers, and loads it again where the two may
/// differ.
final class StoreFollower: Sendable {
    private let core: HubCore
    private let monitor: StoreMonitor
    private let question: SharedQuestion<RevisionCursor?>
    /// The error of the last attempt to load the store.
    private let failure = Mutex<StoreError?>(nil)
    /// The longest time that the commits of other servers may take to come, before the store is loaded again.
    private static let patienceForStore = Duration.seconds(5)

    init(_ core: HubCore, _ monitor: StoreMonitor) {
        (self.core, self.monitor) = (core, monitor)
        question = SharedQuestion(notifying: core.memory.waiters) {
            // A store that cannot be read is reported by its monitor; the question stays unanswered.
            do {
                return .some(try await core.store.head())
            } catch {
                return nil
            }
        }
    }

    /// The error because of which the store has not been loaded.
    var loadProblem: StoreError { failure.withLock { $0 } ?? .notOpen }

    /// - Returns: whether the store has been loaded; not if the shutdown came first.
    func loadUntilShutdown() async throws -> Bool {
        do {
            try await cancelWhenGracefulShutdown { try await self.reload() }
            return true
        } catch is CancellationError {
            return false
        }
    }

    /// Loads the store, with as many attempts as that needs.
    private func reload() async throws {
        var backoff = core.pauses.backoff
        var lastMessage: String?
        while true {
            do throws(StoreError) {
                return try await load()
            } catch {
                if error.code == .damaged { throw error }
                if error.message != lastMessage {
                    core.logger.error("cannot load the store, retrying: \(error)")
                    lastMessage = error.message
                }
            }
            try await core.pauses.clock.sleep(for: backoff.next())
        }
    }

    /// Loads the store. If that fails, publishes are refused until it succeeds.
    func load() async throws(StoreError) {
        do throws(StoreError) {
            let contents = try await core.store.load()
            monitor.checkDate(max(contents.updatedAt, .ofClock()))
            if let problem = contents.problem { throw StoreError(.damaged, "the store is corrupt: \(problem)") }
            // The queue first, so that no client that sees the state is refused a write.
            core.queue.open()
            // Contradictions of the contents are discarded then, and the contents are complete.
            if core.memory.install(contents) == .contradiction { core.memory.install(try await core.store.load()) }
        } catch {
            failure.withLock { $0 = error }
            let message = "the store is unreachable; nothing was written; try again in a moment"
            core.queue.close(because: StoreError(.unavailable, message, reason: error.reason, underlying: error))
            throw error
        }
    }

    /// Loads the store again, where memory may differ from it.
    func reconcile() async {
        do {
            try await reload()
        } catch {
            core.logger.critical("cannot verify the data in memory against the store: \(error)")
            // Trying again at once would not help.
            try? await core.pauses.clock.sleep(for: .seconds(1))
        }
    }

    /// Applies the commits of other servers until the task is cancelled. If the store has lost track of them, it is loaded
    /// again.
    func followOthers() async {
        var backoff = core.pauses.backoff
        while !Task.isCancelled {
            for await commits in core.store.foreignCommits() {
                backoff.reset()
                if case .contradiction = core.memory.apply(commits) { await reconcile() }
            }
            // It ends when its task is cancelled.
            guard (try? await core.pauses.clock.sleep(for: backoff.next())) != nil else { return }
            core.logger.notice("missed commits of other servers; reloading the store")
            await reconcile()
        }
    }

    /// Applies commits that were made here, once those before them have come.
    func apply(_ commits: [Commit]) async {
        guard let last = commits.last?.revision else { return }
        switch core.memory.apply(commits) {
        case .done: return
        case .waiting:
            // Other servers have committed before; their commits are still to come.
            guard let epoch = core.memory.head?.epoch else { return }
            let committed = RevisionCursor(epoch: epoch, revision: last)
            if !(await core.memory.wait(for: committed, atMost: Self.patienceForStore)) { await reconcile() }
        case .contradiction: await reconcile()
        }
    }

    /// Waits until memory has the revision that a client has seen, or until the store reports that it has no such revision.
    func catchUp(with seen: RevisionCursor) async -> CatchUp {
        guard core.memory.isBehind(seen) else { return .done }
        let start = ContinuousClock.now
        question.ask(again: true)
        let outcome = await core.memory.waiters.wait(atMost: core.limits.patience) { [core, question] () -> CatchUp? in
            if !core.memory.isBehind(seen) { return .done }
            guard let last = question.last, last.asked >= start else { return nil }
            // Without other servers on the store, no client can have seen more than memory has.
            let isSameHistory = last.answer.map { $0.epoch == seen.epoch && $0.revision >= seen.revision } ?? false
            return isSameHistory ? nil : .otherHistory
        }
        return outcome ?? .stillBehind
    }

    /// Waits until memory has the store's present head: for answers that made no commit.
    func catchUpWithStore() async {
        // A store that cannot be read is reported by its monitor.
        guard let head = try? await core.store.head() else { return }
        await core.memory.wait(for: head, atMost: Self.patienceForStore)
    }
}

/// The outcome of waiting for a revision that a client has seen on another server.
package enum CatchUp: Sendable {
    case done
    /// The store itself has no such revision: the client has seen another history.
    case otherHistory
    /// Neither is known within the time that a client waits.
    case stillBehind
}

extension RevisionCursor {
    /// Whether a client has seen a newer revision of the same history.
    package func isBehind(_ seen: RevisionCursor) -> Bool { epoch == seen.epoch && revision < seen.revision }
}
