internal import Dispatch
internal import Synchronization

/// A value that is made once, and for which all who ask meanwhile wait without a thread.
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

    /// The value, made by `make` right here if nobody has: for what is short.
    package func value(_ make: () -> Value) -> Value {
        if let value { return value }
        let made = make()
        // Whoever is at it on a queue makes the same.
        finish(made)
        return made
    }

    /// The value, made by `make` on a queue, for whoever asks first.
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

/// A value that is made when it is first asked for, once, whoever asks.
///
/// Those who ask while it is being made wait for it: making it is short and never waits for anything itself.
package final class Lazy<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    /// The value, if it has been made and nobody is at it.
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

/// A thread for work that takes long: neither event loops nor the threads that tasks share are held by it.
package struct WorkQueue: Sendable {
    private let queue: DispatchQueue

    /// - Parameter name: what the work is, for debuggers.
    package init(_ name: String) {
        queue = DispatchQueue(label: "livery.\(name)")
    }

    /// Begins some work, after what was begun before it.
    func start(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Does some work, and waits for it without a thread.
    func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
        }
        return try result.get()
    }
}
