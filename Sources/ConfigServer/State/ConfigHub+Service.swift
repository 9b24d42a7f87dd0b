internal import ConfigModel
internal import ConfigStore
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
                group.addTask { await self.watchStore() }
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
    func load() async throws(StoreError) {
        do throws(StoreError) {
            let contents = try await store.load()
            noticeDate(max(contents.updatedAt, .ofClock()))
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
            await commitFront(of: batch)
            // Nobody waits for a store that is away.
            if queue.isClosed { await reconcile() }
        }
    }

    /// Says what hinders the store, also while nobody writes: what an operator should see to is seen to in time.
    private func watchStore() async {
        var known: String?
        while (try? await Task.sleep(for: .seconds(5))) != nil {
            let problem = await problem()?.message
            defer { known = problem }
            guard problem != known, !Task.isCancelled else { continue }
            if let problem {
                logger.error("the store takes no writes: \(problem)")
            } else {
                logger.notice("the store takes writes again")
            }
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
    func reconcile() async {
        do {
            try await reload()
        } catch {
            logger.critical("memory could not be compared with the store: \(error)")
            // Trying again at once would not help.
            try? await Task.sleep(for: .seconds(1))
        }
    }
}
