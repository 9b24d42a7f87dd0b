// SPDX-License-Identifier: Apache-2.0

internal import Observing
internal import Synchronization

/// The tasks that wait for a commit, for the loading of the store or for one of its answers.
final class HubWaiters: Sendable {
    private let changes = ChangeSignal()
    private let clock: any Clock<Duration>

    init(_ clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    /// Lets all waiting tasks check their conditions again.
    func signal() { changes.send() }

    /// Waits for a value.
    ///
    /// - Parameters:
    ///   - limit: the longest time to wait.
    ///   - find: looks for the value, at each signal.
    /// - Returns: the value, or `nil` if it has not come by then.
    func wait<Found: Sendable>(atMost limit: Duration, for find: @escaping @Sendable () -> Found?) async -> Found? {
        if let found = find() { return found }
        let hints = changes.hints()
        // The value may have come before the hints.
        if let found = find() { return found }
        return await withTaskGroup(of: Found?.self) { group in
            group.addTask {
                for await _ in hints {
                    if let found = find() { return found }
                }
                return nil
            }
            group.addTask { [clock] in
                // Cancelled once the other task has found it.
                try? await clock.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            // The value may have come just as the time ended.
            return await group.next().flatMap(\.self) ?? find()
        }
    }

    /// Starts work and waits for its result for a time; the work continues in any case.
    func begin<Value: Sendable>(
        waiting limit: Duration,
        _ work: @escaping @Sendable () async -> Value
    ) async -> (work: Task<Void, Never>, result: Value?) {
        let result = Mutex<Value?>(nil)
        let task = Task {
            let value = await work()
            result.withLock { $0 = value }
            signal()
        }
        return (task, await wait(atMost: limit) { result.withLock { $0 } })
    }
}
