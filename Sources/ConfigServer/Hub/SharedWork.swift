internal import Dispatch
internal import Synchronization

/// A value that is made once; tasks that need it meanwhile wait without a thread.
package final class SharedWork<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var isBegun = false
        var waiting: [CheckedContinuation<Value, Never>] = []
    }

    private let state = Mutex(State())

    package init() {}

    /// The value, if it has been made.
    package var value: Value? { state.withLock(\.value) }

    /// The value, made by `make` in place if there is none: for short work.
    package func value(_ make: () -> Value) -> Value {
        if let value { return value }
        let made = make()
        // A queue that is making it makes the same value.
        finish(made)
        return made
    }

    /// The value, made by `make` on a queue at the first call.
    package func value(on queue: WorkQueue, _ make: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in
            let (value, isFirst) = state.withLock { state in
                if state.value == nil { state.waiting.append(continuation) }
                defer { state.isBegun = true }
                return (state.value, !state.isBegun)
            }
            if let value { return continuation.resume(returning: value) }
            if isFirst { queue.start { [self] in finish(make()) } }
        }
    }

    private func finish(_ value: Value) {
        let waiting = state.withLock { state in
            if state.value == nil { state.value = value }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }
}

/// A value that is made once, when it is first needed.
///
/// Threads that need it meanwhile wait for it: making it is short and does not block.
package final class Lazy<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    /// The value, if it has been made and is not locked.
    package var made: Value? { value.withLockIfAvailable { $0 } ?? nil }

    /// The value, made by `make` if there is none yet.
    package func value(_ make: () -> Value) -> Value {
        value.withLock { value in
            if let value { return value }
            let made = make()
            value = made
            return made
        }
    }
}

/// A thread for long work, away from the event loops and the threads that tasks share.
package struct WorkQueue: Sendable {
    private let queue: DispatchQueue

    /// - Parameter name: the name of the work, for debuggers.
    package init(_ name: String) {
        queue = DispatchQueue(label: "livery.\(name)")
    }

    /// Starts work, after all that was started before.
    func start(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Does work, and waits for it without a thread.
    func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
        }
        return try result.get()
    }
}
