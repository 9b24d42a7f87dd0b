internal import ConfigModel
internal import Logging
public import ServiceLifecycle

extension ConfigHub: Service {
    /// Loads the store, then commits what is published and follows what others commit, until a graceful shutdown, before
    /// which everything that has been taken is committed.
    ///
    /// A store that cannot be reached is tried again, less and less often.
    ///
    /// - Throws: ``StoreError`` with the code `damaged`, where trying again would not help.
    public func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            guard try await loadUntilShutdown() else { return }
            logger.notice("the store is open", metadata: ["at": "\(head?.description ?? "-")"])
            await withTaskGroup { group in
                group.addTask { await self.followOthers() }
                await commitUntilDrained()
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

    /// Loads the store, however often it has to be tried.
    private func reload() async throws {
        var backoff = Backoff()
        var lastMessage: String?
        while true {
            do throws(StoreError) {
                return try await load()
            } catch {
                if error.code == .damaged { throw error }
                if error.message != lastMessage {
                    logger.error("the store cannot be loaded and is tried again: \(error)")
                    lastMessage = error.message
                }
            }
            try await Task.sleep(for: backoff.next())
        }
    }

    /// Loads the store. Where that fails, whoever wants to write is told so until it succeeds.
    private func load() async throws(StoreError) {
        do throws(StoreError) {
            let contents = try await store.load()
            if let problem = contents.problem { throw StoreError(.damaged, "the store is damaged: \(problem)") }
            // First the queue, so that nobody who sees the state is refused a write.
            queue.open()
            install(contents)
        } catch {
            let message = "the store cannot be reached; nothing was written; try again in a moment"
            queue.close(because: StoreError(.unavailable, message, underlying: error))
            throw error
        }
    }

    private func commitUntilDrained() async {
        while let batch = await queue.nextBatch() {
            let start = ContinuousClock.now
            let results = await commit(batch.map(\.publish))
            metrics.committed(batch.count, in: .now - start)
            for (pending, result) in zip(batch, results) { pending.answer(result) }
            // Nobody waits for a store that is away.
            if queue.isClosed { await reconcile() }
        }
    }

    /// Commits a batch and takes it into memory.
    private func commit(_ publishes: [Publish]) async -> [Result<PublishOutcome, StoreError>] {
        do throws(StoreError) {
            let outcomes = try await store.commit(publishes)
            guard outcomes.count == publishes.count else {
                throw StoreError(.uncertain, "the store answered \(publishes.count) writes \(outcomes.count) times")
            }
            let commits = outcomes.compactMap(\.commit)
            try await take(commits)
            // What made no commit was judged by the store, which may be further than memory.
            if commits.count < outcomes.count { await catchUpWithStore() }
            return outcomes.map { .success($0) }
        } catch  where error.code == .tooLarge && publishes.count > 1 {
            // Together they are; each by itself need not be.
            let half = publishes.count / 2
            return await commit(Array(publishes[..<half])) + commit(Array(publishes[half...]))
        } catch {
            metrics.failed()
            logger.error("a write was not committed: \(error)", metadata: ["code": "\(error.code.rawValue)"])
            if error.code == .uncertain { try? await load() }
            return publishes.map { _ in .failure(error) }
        }
    }

    private func take(_ commits: [Commit]) async throws(StoreError) {
        guard let last = commits.last?.revision else { return }
        switch apply(commits) {
        case .done: return
        case .waiting:
            // Other servers have committed before; their commits are on their way.
            let reached = await wait(atMost: .seconds(5)) { hub in
                hub.head.flatMap { $0.revision >= last ? true : nil }
            }
            if reached == nil { await reconcile() }
        case .contradiction: await reconcile()
        }
    }

    /// Takes what others commit into memory. Where the store has lost track of it, the store is loaded anew.
    private func followOthers() async {
        var backoff = Backoff()
        while !Task.isCancelled {
            for await commit in store.foreignCommits() {
                backoff = Backoff()
                if case .contradiction = apply([commit]) { await reconcile() }
            }
            guard (try? await Task.sleep(for: backoff.next())) != nil else { return }
            logger.notice("the store cannot tell what others have committed; it is loaded anew")
            await reconcile()
        }
    }

    /// Finds out what the store holds, where memory might not be what it says.
    private func reconcile() async {
        do {
            try await reload()
        } catch {
            logger.critical("memory could not be compared with the store: \(error)")
            // Trying again at once would not help.
            try? await Task.sleep(for: .seconds(1))
        }
    }
}

extension PublishOutcome {
    /// The commit, if it is one.
    public var commit: Commit? {
        if case .committed(let commit) = self { commit } else { nil }
    }
}
