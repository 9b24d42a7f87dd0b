// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Files
internal import Foundation
internal import NIOCore
internal import Synchronization

/// Work for one request, in steps of at most some milliseconds. Between two steps others get their turn.
protocol SteppedWork: Sendable {
    associatedtype Value: Sendable

    /// Does the next step.
    ///
    /// - Returns: the result after the last step, otherwise `nil`.
    mutating func step() throws -> Value?
}

/// Threads that compute for callers, away from the event loops and from the threads that tasks share.
///
/// ``FairTurns`` decides whose work is next, and one thread is kept free for callers who have used little, or much less than
/// those whose work is running. Work ends early if its task is cancelled, as when a connection closes, or if it is not done in
/// time.
final class WorkPool: Sendable {
    private struct State {
        var turns = FairTurns<any PooledJob>()
        var threads = 0
        var idleThreads = 0
    }

    /// The time for which one caller's work continues while others wait.
    private static let turn = TimeAmount.milliseconds(5)
    /// The time for which a thread waits for work before it ends.
    private static let linger = DispatchTimeInterval.seconds(5)

    private let name: String
    private let maximumThreads: Int
    private let patience: TimeAmount
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)

    /// - Parameters:
    ///   - threads: at least 2.
    ///   - patience: how long work may take from its beginning, with the time that it waits.
    init(_ name: String, threads: Int, patience: TimeAmount) {
        (self.name, maximumThreads, self.patience) = (name, max(2, threads), patience)
    }

    /// Does work in turn with that of other callers.
    ///
    /// - Throws: the error of the work, ``Problem/busy`` if it is not done in time or too much is waiting, or
    ///   `CancellationError`.
    func run<Work: SteppedWork>(_ work: Work, for caller: Caller) async throws -> Work.Value {
        let job = Job(work, for: caller, until: .now() + patience)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                job.begin(continuation)
                add(job)
            }
        } onCancel: {
            job.cancel()
            removeWaiting(job)
        }
    }

    /// Does work that cannot be divided.
    func run<Value: Sendable>(
        for caller: Caller,
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await run(SingleStep(work: work), for: caller)
    }

    private func add(_ job: some PooledJob) {
        let (startsThread, wakesThread, refused) = state.withLock { state in
            let refused = state.turns.makeRoom(at: .now())
            state.turns.add(job, of: job.caller, until: job.deadline)
            let wakesThread = state.idleThreads > 0
            let startsThread = !wakesThread && state.threads < maximumThreads
            // Counted as busy at once, so that the next caller wakes or starts another.
            if wakesThread { state.idleThreads -= 1 }
            if startsThread { state.threads += 1 }
            return (startsThread, wakesThread, refused)
        }
        refused?.fail(Problem.busy)
        if wakesThread { wake.signal() }
        if startsThread { startThread() }
        // It may have been cancelled before it was added.
        if job.isCancelled { removeWaiting(job) }
    }

    /// Removes work that waits, because it was cancelled.
    private func removeWaiting(_ job: any PooledJob) {
        let removed = state.withLock { state in state.turns.remove { $0 === job } }
        removed?.fail(CancellationError())
    }

    // MARK: The threads

    private func startThread() {
        let thread = Thread { [self] in
            // Foundation ignores a name that is set before start() has returned.
            ProcessThreads.setName("livery-\(name)")
            // Event loops go first.
            ProcessThreads.lowerPriority()
            while let job = nextJob() { work(on: job) }
        }
        // Parsers and encoders descend as deep as values nest.
        thread.stackSize = 8 * 1024 * 1024
        thread.start()
    }

    /// Waits for work; `nil` if there has been none for a while, and the thread is to end.
    private func nextJob() -> (any PooledJob)? {
        while true {
            let (job, expired) = state.withLock { state in
                let expired = state.turns.removeExpired(at: .now())
                // The calling thread counts as busy.
                let isLast = state.threads - state.idleThreads >= maximumThreads
                let job = state.turns.next(lightOnly: isLast, at: .now())
                if job == nil { state.idleThreads += 1 }
                return (job, expired)
            }
            for job in expired { job.fail(Problem.busy) }
            if let job { return job }
            guard wake.wait(timeout: .now() + Self.linger) == .timedOut else { continue }
            let ends = state.withLock { state in
                guard state.idleThreads > 0 else { return false }
                state.idleThreads -= 1
                state.threads -= 1
                return true
            }
            if ends { return nil }
            // Another thread is waking it at this moment.
            wake.wait()
        }
    }

    /// Works on a job for a turn, or longer while no other job waits.
    private func work(on job: any PooledJob) {
        var start = NIODeadline.now()
        while true {
            let isDone = job.step()
            let now = NIODeadline.now()
            if !isDone, now - start < Self.turn { continue }
            let endsTurn = state.withLock { state in
                state.turns.used(now - start, by: job.caller, at: now)
                guard isDone || !state.turns.isEmpty else { return false }
                state.turns.ended(job.caller)
                if !isDone { state.turns.add(job, of: job.caller, until: job.deadline) }
                return true
            }
            if endsTurn {
                if !isDone, job.isCancelled { removeWaiting(job) }
                return
            }
            start = now
        }
    }
}

/// Work with the task that waits for it.
private protocol PooledJob: AnyObject, Sendable {
    var caller: Caller { get }
    var deadline: NIODeadline { get }
    var isCancelled: Bool { get }

    /// - Returns: whether the work has ended, and the task continues.
    func step() -> Bool
    func fail(_ error: any Error)
}

private final class Job<Work: SteppedWork>: PooledJob {
    let caller: Caller
    let deadline: NIODeadline
    private let work: Mutex<Work?>
    private let continuation = Mutex<CheckedContinuation<Work.Value, any Error>?>(nil)
    private let cancelled = Atomic(false)

    init(_ work: Work, for caller: Caller, until deadline: NIODeadline) {
        (self.caller, self.deadline) = (caller, deadline)
        self.work = Mutex(work)
    }

    func begin(_ continuation: CheckedContinuation<Work.Value, any Error>) {
        self.continuation.withLock { $0 = continuation }
    }

    var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

    func cancel() { cancelled.store(true, ordering: .releasing) }

    func step() -> Bool {
        do {
            if isCancelled { throw CancellationError() }
            if deadline <= .now() { throw Problem.busy }
            guard let value = try work.withLock({ try $0?.step() }) else { return false }
            end(.success(value))
        } catch {
            end(.failure(error))
        }
        return true
    }

    func fail(_ error: any Error) { end(.failure(error)) }

    private func end(_ result: Result<Work.Value, any Error>) {
        // The memory of the work is freed before its task continues.
        work.withLock { $0 = nil }
        continuation.withLock { $0.take() }?.resume(with: result)
    }
}

private struct SingleStep<Value: Sendable>: SteppedWork {
    let work: @Sendable () throws -> Value

    mutating func step() throws -> Value? { try work() }
}

extension Problem {
    /// The request was not processed in time, because of computations for other callers or the same one.
    static let busy = retryLater(
        "too-busy",
        "timeout while computing the response; request less data, or try again in a moment"
    )
}
