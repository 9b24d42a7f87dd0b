// SPDX-License-Identifier: Apache-2.0

public import ConfigModel
internal import Dispatch
internal import HTTPTransport
internal import Observing
internal import Synchronization

// What a program asks for.
extension SyncService {
    /// Reads the source now. A request that comes while a read is under way joins it.
    ///
    /// Pauses between attempts begin anew with the shortest, and a source that has refused is tried again. What comes
    /// over a network is asked at most once a second: earlier requests wait, and share one read. Where
    /// ``SyncPace/minimumFetchInterval`` is longer, what was read within it is new enough, and nothing is asked.
    ///
    /// - Returns: what the read brought; a failure is shown in the status as well, once the source has settled. A
    ///   source that has asked to be left alone (`Retry-After`) is not asked, and its wish is the failure; nor is one
    ///   asked while the program is set offline, and the failure is `offline`. A task that was cancelled before reads
    ///   nothing and gets `cancelled`, as does a request that waits when the service ends.
    public func refresh() async -> RefreshOutcome {
        if Task.isCancelled { return .failed(.cancelled) }
        await abandonedReadHasEnded()
        if isOffline { return .failed(.setOffline) }
        if isWatched { return await refreshWatched() }
        if let wish = connection.wishToBeLeftAlone(at: clock.elapsed) { return .failed(wish) }
        if connection.isFresh(at: clock.elapsed) { return RefreshOutcome(shown: [], staged: staged?.keys) }
        showsFailure = true
        handle(.asked)
        if let readInFlight { return await readInFlight.value }
        return await withCheckedContinuation { askers.append($0) }
    }

    /// A read that is being given up has no result for new callers.
    private func abandonedReadHasEnded() async {
        while !isOffline, let readInFlight, readInFlight.isCancelled { _ = await readInFlight.value }
    }

    private func refreshWatched() async -> RefreshOutcome {
        let revision = state.current.snapshot.revision
        // Layers that are still offline would not be read.
        await offlinePassing?.value
        if await source.refresh() {
            partsAskedAt = clock.elapsed
            // A read that began before may have missed the latest state; one that follows it has not.
            if let readInFlight { _ = await readInFlight.value }
        }
        await abandonedReadHasEnded()
        if isOffline { return .failed(.setOffline) }
        let outcome = await joinRead(showingFailure: true).value
        switch outcome {
        case .staged, .failed: return outcome
        case .changed, .unchanged: break
        }
        // What the parts brought may have been shown already, one after another.
        if let keys = state.current.changedKeys(since: revision), !keys.isEmpty { return .changed(keys: keys) }
        return outcome == .unchanged ? partProblem.map { .failed($0) } ?? .unchanged : outcome
    }

    /// Reads the source now, and waits for that no longer than a given time. The read goes on all the same, for others
    /// who wait for it and for what it brings.
    ///
    /// ```swift
    /// if case .failed(let error) = await service.refresh(timeout: .seconds(2)) {
    ///     print("what is known stays:", error)
    /// }
    /// ```
    ///
    /// - Parameter timeout: how long to wait, at most a day; nothing or less reads and does not wait.
    /// - Returns: as ``refresh()``; `unreachable` at the end of the time, and `cancelled` as soon as the task is cancelled.
    public nonisolated func refresh(timeout: Duration) async -> RefreshOutcome {
        if Task.isCancelled { return .failed(.cancelled) }
        let (promise, timeout) = (Promise<RefreshOutcome>(), timeout.asPatience)
        let limit = clock.call(at: clock.elapsed + timeout, on: Self.limits) { promise.settle(.failed(.late(timeout))) }
        defer { limit.end() }
        // Nobody waits for it to end: it is everybody's read, and may last longer than this caller's patience.
        Task(executorPreference: executor) { promise.settle(await self.refresh()) }
        return await promise.value(ifCancelled: .failed(.cancelled))
    }

    /// What to begin with: the source's state as soon as it has answered, or at the end of a time what is there.
    ///
    /// A failure does not end the wait, since the source is tried again in the meantime; what was wrong last is the
    /// result's problem. It ends early if the program is set offline or the service ends, and at once where it has ended
    /// already. Before ``run()`` has begun, the source is read once.
    ///
    /// ```swift
    /// let first = try await service.firstState(timeout: .seconds(2))
    /// if let problem = first.problem { print("from \(first.current.status.origin):", problem) }
    /// ```
    ///
    /// - Parameter timeout: how long to wait, at most a day; nothing or less does not wait.
    /// - Throws: `cancelled` as soon as the task is cancelled.
    public nonisolated func firstState(timeout: Duration) async throws(ConfigError) -> FirstState {
        if Task.isCancelled { throw .cancelled }
        if answered.load(ordering: .acquiring) { return FirstState(current: state.current, problem: nil) }
        let (promise, timeout) = (Promise<WaitEnd>(), timeout.asPatience)
        let limit = clock.call(at: clock.elapsed + timeout, on: Self.limits) { promise.settle(.late) }
        Task(executorPreference: executor) { await self.waitForFirst(promise) }
        let end = await promise.value(ifCancelled: .cancelled)
        limit.end()
        Task(executorPreference: executor) { await self.forget(promise) }
        let current = state.current
        switch end {
        case .answered: return FirstState(current: current, problem: nil)
        case .late: return FirstState(current: current, problem: current.status.problem ?? .late(timeout))
        case .offline: return FirstState(current: current, problem: .setOffline)
        case .ended: return FirstState(current: current, problem: .cancelled)
        case .cancelled: throw .cancelled
        }
    }

    /// Time limits have a queue of their own: the service's may be blocked by a file that does not answer.
    private static let limits = DispatchQueue(label: "livery.limits")

    private func waitForFirst(_ first: Promise<WaitEnd>) async {
        if answered.load(ordering: .acquiring) { return first.settle(.answered) }
        if isOffline { return first.settle(.offline) }
        if hasEnded { return first.settle(.ended) }
        firstWaiters[ObjectIdentifier(first)] = first
        // The result is what the promise gets, and the status has what is wrong.
        if !isFollowing { _ = await refresh() }
    }

    private func forget(_ first: Promise<WaitEnd>) { firstWaiters[ObjectIdentifier(first)] = nil }

    func endFirstWaits(_ end: WaitEnd) {
        for waiter in firstWaiters.values { waiter.settle(end) }
    }

    /// Reads the source unless that has just been done, for callers that request one value after another. If that fails, the
    /// status has the problem.
    func freshen() async {
        let last = isWatched ? partsAskedAt : lastReadAt
        if let last, clock.elapsed - last < SyncPace.askSpacing { return }
        _ = await refresh()
    }

    func answerAskers(_ outcome: RefreshOutcome) {
        for asker in askers { asker.resume(returning: outcome) }
        askers = []
    }
}

/// How a wait for the first state ends.
enum WaitEnd {
    case answered
    case late
    case offline
    /// The service has ended.
    case ended
    case cancelled
}

extension ConfigError {
    fileprivate static func late(_ timeout: Duration) -> ConfigError {
        let tenths = Int((timeout / .milliseconds(100)).rounded())
        let seconds = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return ConfigError(.unreachable, "no complete answer within \(seconds) s")
    }
}

extension Duration {
    /// How long someone waits who is willing to wait this long.
    fileprivate var asPatience: Duration { min(max(self, .zero), .seconds(86_400)) }
}

/// What a refresh brought.
public enum RefreshOutcome: Hashable, Sendable {
    /// These keys have new values, sorted.
    case changed(keys: [String])
    /// The source holds other values of these keys than those that are shown, sorted; they wait for
    /// ``SyncService/activate()`` or for the next launch. It is so only where changes are staged.
    case staged(keys: [String])
    /// The values of the source are shown already.
    case unchanged
    /// The source could not be read; what is shown stays.
    case failed(ConfigError)
}

extension RefreshOutcome {
    /// What a read has led to.
    ///
    /// - Parameters:
    ///   - shown: the keys whose shown values have changed.
    ///   - staged: the keys whose values wait, if any do.
    init(shown: [String], staged: Set<String>?) {
        if let staged, !staged.isEmpty {
            self = .staged(keys: staged.sorted())
        } else {
            self = shown.isEmpty ? .unchanged : .changed(keys: shown)
        }
    }
}
