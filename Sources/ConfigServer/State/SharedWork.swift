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
