// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization
internal import TestSupport

/// The clock of the servers, which the simulation advances.
final class VirtualClock: Clock {
    struct Instant: InstantProtocol {
        let elapsed: Duration

        func advanced(by time: Duration) -> Instant { Instant(elapsed: elapsed + time) }
        func duration(to other: Instant) -> Duration { other.elapsed - elapsed }
        static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }
    }

    private struct State {
        var elapsed = Duration.zero
        var count = 0
        var sleepers: [(time: Duration, number: Int, wake: AsyncStream<Void>.Continuation)] = []
    }

    private let state = Mutex(State())

    var elapsed: Duration { state.withLock(\.elapsed) }
    var now: Instant { Instant(elapsed: elapsed) }
    var minimumResolution: Duration { .zero }

    /// When the next task wakes.
    var next: Duration? { state.withLock { $0.sleepers.lazy.map(\.time).min() } }

    func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let (waking, wake) = AsyncStream.makeStream(of: Void.self)
        let number = state.withLock { state in
            state.count += 1
            state.sleepers.append((deadline.elapsed, state.count, wake))
            return state.count
        }
        defer { state.withLock { state in state.sleepers.removeAll { $0.number == number } } }
        for await _ in waking { return }
        throw CancellationError()
    }

    /// Wakes the tasks that are due, in the order in which they began to sleep.
    func advance(to time: Duration) {
        let due = state.withLock { state in
            state.elapsed = time
            defer { state.sleepers.removeAll { $0.time <= time } }
            return state.sleepers.filter { $0.time <= time }
        }
        for sleeper in due { sleeper.wake.yield() }
    }
}

/// Runs the tasks of the servers when the simulation calls it, one after another on the caller's thread, so that a
/// simulation is always the same.
final class StepExecutor: TaskExecutor {
    private let jobs = Mutex<[UnownedJob]>([])

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
    }

    /// Runs what can run until a condition is met: a hub that starts waits for a task of its library on another thread.
    func drain(until isMet: () -> Bool) {
        while true {
            drain()
            if isMet() { return }
            sched_yield()
        }
    }

    /// Runs what can run until everything waits.
    func drain() {
        while true {
            let jobs = jobs.withLock { jobs in
                defer { jobs = [] }
                return jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
    }
}

/// A number that tasks of the servers count.
final class Count: Sendable {
    private let number = Atomic(0)

    func add() { number.wrappingAdd(1, ordering: .relaxed) }

    /// The number since the last call.
    func take() -> Int { number.exchange(0, ordering: .relaxed) }
}

/// Random numbers of a seed, drawn in the order of the simulation.
final class SeededNumbers: Sendable {
    private let generator: Mutex<SeededGenerator>

    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    /// From 0 up to but not including 1.
    func fraction() -> Double { generator.withLock { .random(in: 0..<1, using: &$0) } }

    func below(_ count: Int) -> Int { Int(fraction() * Double(count)) }
}
