// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// The tasks that wait for a value. Each is removed when it has its value, or when it stops waiting, so that nothing of it is left
/// behind.
///
/// ```swift
/// let value = await waiters.value(ifCancelled: nil) { number in
///     timer.start { waiters.end([number], with: nil) }
/// }
/// ```
package final class Waiters<Value: Sendable>: Sendable {
    private let queue = Mutex(WaiterQueue<CheckedContinuation<Value, Never>>())

    package init() {}

    /// The number of waiting tasks.
    package var count: Int { queue.withLock { $0.count } }

    /// Waits until this waiter is ended, or its task is cancelled.
    ///
    /// - Parameters:
    ///   - cancelled: The value after a cancellation.
    ///   - isolation: The actor of the caller, which does nothing else between the call and `didEnter`.
    ///   - didEnter: Called with the number of the waiter once it waits; not called if the task has been cancelled before.
    package func value(
        ifCancelled cancelled: Value,
        isolation: isolated (any Actor)? = #isolation,
        _ didEnter: (Int) -> Void = { _ in }
    ) async -> Value {
        let number = queue.withLock { $0.nextNumber() }
        return await withTaskCancellationHandler {
            // The closure is isolated to what it captures.
            _ = isolation
            return await withCheckedContinuation(isolation: isolation) { waiter in
                let hasEntered = queue.withLock { queue in
                    // A later cancellation is handled by the handler.
                    if Task.isCancelled { return false }
                    queue.enter(waiter, as: number)
                    return true
                }
                if hasEntered { didEnter(number) } else { waiter.resume(returning: cancelled) }
            }
        } onCancel: {
            end([number], with: cancelled)
        }
    }

    /// Ends the waiters of these numbers that still wait.
    package func end(_ numbers: [Int], with value: Value) {
        resume(queue.withLock { $0.remove(numbers) }, with: value)
    }

    /// Ends all waiters.
    package func endAll(with value: Value) { resume(queue.withLock { $0.removeAll() }, with: value) }

    /// Accepts the waiters that have entered since the last call.
    ///
    /// - Returns: Their numbers.
    package func accept() -> [Int] { queue.withLock { $0.accept() } }

    /// Ends the waiters that have been accepted.
    package func endAccepted(with value: Value) { resume(queue.withLock { $0.removeAccepted() }, with: value) }

    private func resume(_ waiters: [CheckedContinuation<Value, Never>], with value: Value) {
        for waiter in waiters { waiter.resume(returning: value) }
    }
}

/// The waiters by number, and which of them have been accepted.
struct WaiterQueue<Waiter> {
    private var lastNumber = 0
    private var waiters: [Int: Waiter] = [:]
    private var new: Set<Int> = []

    var count: Int { waiters.count }

    /// A number that no other waiter has.
    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    mutating func enter(_ waiter: Waiter, as number: Int) {
        waiters[number] = waiter
        new.insert(number)
    }

    /// Removes the waiters of these numbers that still wait, and returns them in this order.
    mutating func remove(_ numbers: [Int]) -> [Waiter] {
        new.subtract(numbers)
        return numbers.compactMap { waiters.removeValue(forKey: $0) }
    }

    /// Accepts the new waiters, and returns their numbers in ascending order.
    mutating func accept() -> [Int] {
        defer { new = [] }
        return new.sorted()
    }

    /// Removes the accepted waiters, and returns them in the order of their numbers.
    mutating func removeAccepted() -> [Waiter] {
        remove(waiters.keys.filter { !new.contains($0) }.sorted())
    }

    mutating func removeAll() -> [Waiter] {
        _ = accept()
        return removeAccepted()
    }
}
