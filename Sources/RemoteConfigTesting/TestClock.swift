// SPDX-License-Identifier: Apache-2.0

package import Observing
internal import Synchronization

/// A clock that only a test advances: for a `RemoteConfigService`, for a ``TestSource``, and for your own code that takes `any
/// Clock<Duration>`.
///
/// ```swift
/// let clock = TestClock()
/// let source = TestSource(["a": 1], pollingEvery: .seconds(60), clock: clock)
/// let service = RemoteConfigService(source: source, clock: clock)
/// await service.running { clock.advance(by: .seconds(60)) }
/// ```
public final class TestClock: Clock {
    /// A moment of the clock.
    public typealias Instant = ContinuousClock.Instant

    private struct State {
        var elapsed = Duration.zero
        var calls: [Int: (time: Duration, body: @Sendable () -> Void)] = [:]
        var count = 0
    }

    private let state = Mutex(State())
    /// The moment at which the clock was made.
    private let start = ContinuousClock.now

    /// Creates a clock.
    public init() {}

    /// The time since the clock was made.
    public var elapsed: Duration { state.withLock(\.elapsed) }

    /// The moment now.
    public var now: Instant { instant(at: elapsed) }

    /// The shortest time that passes unnoticed: none.
    public var minimumResolution: Duration { .zero }

    /// The time of the next timer since the clock was made; `nil` if no task waits for the clock.
    public var nextDeadline: Duration? { state.withLock { $0.calls.values.map(\.time).min() } }

    /// The moment at which this time has passed since the clock was made.
    package func instant(at elapsed: Duration) -> Instant { start.advanced(by: elapsed) }

    /// The number of pending timers.
    package var callCount: Int { state.withLock(\.calls.count) }

    /// Calls a closure once a time has come, on the thread that moves the clock.
    ///
    /// - Returns: what ends it; the closure is not called once this is released.
    package func call(at deadline: Instant, _ body: @escaping @Sendable () -> Void) -> ObservationToken {
        let time = start.duration(to: deadline)
        let number = state.withLock { state -> Int? in
            guard time > state.elapsed else { return nil }
            state.count += 1
            state.calls[state.count] = (time, body)
            return state.count
        }
        guard let number else {
            body()
            return ObservationToken {}
        }
        return ObservationToken { [self] in state.withLock { _ = $0.calls.removeValue(forKey: number) } }
    }

    /// Waits until a moment has come.
    ///
    /// - Throws: `CancellationError`.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let (wake, continuation) = AsyncStream.makeStream(of: Void.self)
        let call = call(at: deadline) { continuation.yield() }
        defer { call.end() }
        for await _ in wake { return }
        throw CancellationError()
    }

    /// Advances the time. Timers fire in order; their effects may still be in progress on other threads when this returns.
    public func advance(by time: Duration) {
        let due = state.withLock { state in
            state.elapsed += time
            let due = state.calls.filter { $0.value.time <= state.elapsed }
            for number in due.keys { state.calls[number] = nil }
            return due.sorted { ($0.value.time, $0.key) < ($1.value.time, $1.key) }.map(\.value.body)
        }
        for body in due { body() }
    }

    /// Advances the time as for a suspended machine: due timers fire late, with the next ``advance(by:)``.
    public func suspend(for time: Duration) { state.withLock { $0.elapsed += time } }

    /// Runs a closure while time passes, a hundred times as fast as elsewhere: for what waits more than once, or where
    /// it is not known for how long.
    ///
    /// ```swift
    /// let clock = TestClock()
    /// let service = RemoteConfigService(source: TestSource(["a": 1]), clock: clock)
    /// let changed = try await clock.passing { try await service.refresh() }
    /// ```
    public func passing<Outcome>(_ body: () async throws -> Outcome) async rethrows -> Outcome {
        let ticking = Task {
            while !Task.isCancelled {
                advance(by: .milliseconds(100))
                // A cancellation ends the loop.
                try? await Task.sleep(for: .milliseconds(1))
            }
        }
        defer { ticking.cancel() }
        return try await body()
    }
}
