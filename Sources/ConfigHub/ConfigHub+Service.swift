// SPDX-License-Identifier: Apache-2.0

internal import ConfigModel
internal import ConfigStore
internal import Logging
public import ServiceLifecycle
internal import Synchronization

extension ConfigHub: Service {
    /// Loads the store, then commits what is published and follows the commits of other servers, until a graceful shutdown.
    /// Every publish that was accepted is committed before the end.
    ///
    /// A store that cannot be reached is retried with a backoff.
    ///
    /// - Throws: `StoreError` with the code `damaged`, where trying again would not help.
    public func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            guard try await loadUntilShutdown() else { return }
            logger.notice("the store is open", metadata: ["at": "\(head?.description ?? "-")"])
            // A task of its own, which is not cancelled with this one: writers are answered in time until the last commit.
            let watching = Task { await self.watchdog.run() }
            defer { watching.cancel() }
            await withTaskGroup { group in
                group.addTask { await self.followOthers() }
                group.addTask { await self.watchStore() }
                // Every writer waits for the commits: they do not queue up behind the next requests.
                await withTaskGroup { $0.addTask(priority: .high) { await self.commitUntilDrained() } }
                group.cancelAll()
            }
        } onCancelOrGracefulShutdown: {
            self.queue.drain()
        }
    }

    /// - Returns: whether the store has been loaded; not if the shutdown came first.
    private func loadUntilShutdown() async throws -> Bool {
        do {
            try await cancelWhenGracefulShutdown { try await self.reload() }
            return true
        } catch is CancellationError {
            return false
        }
    }

    /// Loads the store, with as many attempts as that needs.
    private func reload() async throws {
        var backoff = Backoff()
        var lastMessage: String?
        while true {
            do throws(StoreError) {
                return try await load()
            } catch {
                if error.code == .damaged { throw error }
                if error.message != lastMessage {
                    logger.error("the store cannot be loaded, retrying: \(error)")
                    lastMessage = error.message
                }
            }
            try await Task.sleep(for: backoff.next())
        }
    }

    /// Loads the store. If that fails, publishes are refused until it succeeds.
    func load() async throws(StoreError) {
        do throws(StoreError) {
            let contents = try await store.load()
            checkDate(max(contents.updatedAt, .ofClock()))
            if let problem = contents.problem { throw StoreError(.damaged, "the store is damaged: \(problem)") }
            // The queue first, so that no client that sees the state is refused a write.
            queue.open()
            // What contradicts the contents is forgotten then, and they are complete.
            if install(contents) == .contradiction { install(try await store.load()) }
        } catch {
            loadFailure.withLock { $0 = error }
            let message = "the store cannot be reached; nothing was written; try again in a moment"
            queue.close(because: StoreError(.unavailable, message, reason: error.reason, underlying: error))
            throw error
        }
    }

    private func commitUntilDrained() async {
        var pace = BatchPace(BatchSize(count: limits.batch, bytes: Self.longBytes))
        while let batch = await queue.nextBatch(pace) {
            let start = ContinuousClock.now
            let (committed, isCut) = await commitFront(of: batch)
            let end = ContinuousClock.now
            pace.committed(committed, waiting: queue.size, isCut: isCut, in: end - start, at: end)
            // No publish waits for a store that cannot be reached.
            if queue.isClosed { await reconcile() }
        }
    }

    /// Logs what keeps the store from writes, also while nobody writes, so that operators can act in time.
    private func watchStore() async {
        var known: String?
        // Just loaded, memory has what the store has.
        var isFirst = true
        repeat {
            let problem = await checkStore(comparing: !isFirst)?.message
            defer { (known, isFirst) = (problem, false) }
            guard problem != known, !Task.isCancelled else { continue }
            if let problem {
                logger.error("the store takes no writes: \(problem)")
            } else {
                logger.notice("the store takes writes again")
            }
        } while (try? await Task.sleep(for: limits.checkInterval)) != nil
    }

    /// Applies the commits of other servers. If the store has lost track of them, it is loaded again.
    private func followOthers() async {
        var backoff = Backoff()
        while !Task.isCancelled {
            for await commits in store.foreignCommits() {
                backoff = Backoff()
                if case .contradiction = apply(commits) { await reconcile() }
            }
            guard (try? await Task.sleep(for: backoff.next())) != nil else { return }
            logger.notice("the store has lost track of the commits of other servers; loading it again")
            await reconcile()
        }
    }

    /// Loads the store again, where memory may differ from it.
    func reconcile() async {
        do {
            try await reload()
        } catch {
            logger.critical("memory could not be compared with the store: \(error)")
            // Trying again at once would not help.
            try? await Task.sleep(for: .seconds(1))
        }
    }

    /// Logs when writes are no longer dated by the machine's clock, and when they are again.
    func checkDate(_ date: Timestamp) {
        let message = dates.withLock { $0.message(for: date, clock: .ofClock()) }
        if let message { logger.warning("\(message)") }
    }
}

/// Watches whether writes are dated by the machine's clock.
struct DateWatch: Sendable {
    private enum Step: Sendable { case together, ahead, behind }

    private var step = Step.together
    private static let tolerance: Int64 = 60_000

    /// A message for the operator about the date of a write; `nil` if nothing has changed since the last one.
    mutating func message(for date: Timestamp, clock: Timestamp) -> String? {
        let ahead = date.milliseconds - clock.milliseconds
        let new: Step = ahead > Self.tolerance ? .ahead : ahead < -Self.tolerance ? .behind : .together
        guard new != step else { return nil }
        step = new
        return switch new {
        case .ahead:
            """
            writes are dated after \(date), ahead of this machine's clock (\(clock)): dates only ever rise, and a write was \
            made with a clock that was ahead; they go on a millisecond at a time until the clock is there
            """
        case .behind:
            """
            this machine's clock has leapt ahead to \(clock); writes go on being dated from before (\(date)) until it has \
            stayed there for \(WriteClock.patience.components.seconds / 60) minutes; set it right if it is wrong
            """
        case .together: "writes are dated by this machine's clock again"
        }
    }
}
