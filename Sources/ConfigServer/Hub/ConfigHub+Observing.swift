public import ConfigModel
internal import Synchronization

extension ConfigHub {
    /// Calls a function with the new state of a namespace whenever it has changed, in order.
    ///
    /// One call may stand for several commits: ``NamespaceState/encodedEvents(after:)`` has all of them. The function runs
    /// with a lock held: it must be short, must not block, and must not wait for a publish.
    ///
    /// - Returns: the observation, which ends when it is cancelled or released.
    public func observe(_ body: @escaping @Sendable (NamespaceState) -> Void) -> Observation {
        let number = memory.withLock { memory in
            let number = memory.nextNumber()
            memory.observers[number] = body
            return number
        }
        return Observation { [weak self] in
            self?.memory.withLock { memory in memory.observers[number] = nil }
        }
    }

    /// Waits for a namespace to reach a revision.
    ///
    /// - Parameter limit: the longest time to wait.
    /// - Returns: the namespace's state, or `nil` if it has not reached the revision by then.
    public func waitUntil(
        _ namespace: String,
        reaches revision: UInt64,
        atMost limit: Duration
    ) async -> NamespaceState? {
        await wait(atMost: limit) { hub in
            hub.state(of: namespace).flatMap { $0.revision >= revision ? $0 : nil }
        }
    }

    /// Waits until the store has been loaded.
    ///
    /// - Returns: the store's head, or `nil` if it has not been loaded by then.
    public func waitUntilLoaded(atMost limit: Duration) async -> Cursor? {
        await wait(atMost: limit) { $0.head }
    }

    /// Has all waiting tasks check their conditions again.
    func signal() {
        for signal in memory.withLock({ $0.signals.values }) { signal.yield() }
    }

    /// Waits for a value that a commit, the loading of the store or a signal brings.
    func wait<Found: Sendable>(
        atMost limit: Duration,
        for find: @escaping @Sendable (ConfigHub) -> Found?
    ) async -> Found? {
        if let found = find(self) { return found }
        let (changes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = memory.withLock { memory in
            let number = memory.nextNumber()
            memory.signals[number] = signal
            return number
        }
        defer { memory.withLock { $0.signals[number] = nil } }
        // The value may have come before the signal was registered.
        signal.yield()
        return await withTaskGroup(of: Found?.self) { group in
            group.addTask {
                for await _ in changes {
                    if let found = find(self) { return found }
                }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            // A value that came when the time was over is there all the same.
            return await group.next().flatMap(\.self) ?? find(self)
        }
    }
}

/// An observer's registration, which lasts as long as it is retained.
public final class Observation: Sendable {
    private let end: Mutex<(@Sendable () -> Void)?>

    init(onCancel end: @escaping @Sendable () -> Void) {
        self.end = Mutex(end)
    }

    /// Ends the observation. A call in progress is still completed.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }

    deinit { cancel() }
}
