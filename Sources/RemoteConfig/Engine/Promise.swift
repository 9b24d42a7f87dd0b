// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// A result for the one task that waits for it. The first result counts, so that the event, a time limit and a cancellation may
/// all set it.
final class Promise<Value: Sendable>: Sendable {
    private enum State {
        case open(CheckedContinuation<Value, Never>?)
        case settled(Value)
    }

    private let state = Mutex(State.open(nil))

    func settle(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
            guard case .open(let waiter) = state else { return nil }
            state = .settled(value)
            return waiter
        }
        waiter?.resume(returning: value)
    }

    /// Returns once it is settled.
    ///
    /// - Parameter cancelled: the result after a cancellation of the task.
    func value(ifCancelled cancelled: Value) async -> Value {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let settled = state.withLock { state -> Value? in
                    if case .settled(let value) = state { return value }
                    state = .open(continuation)
                    return nil
                }
                if let settled { continuation.resume(returning: settled) }
            }
        } onCancel: {
            settle(cancelled)
        }
    }
}
