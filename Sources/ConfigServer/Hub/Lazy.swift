// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Synchronization

/// A value that is made once, when it is first needed. Threads that need it meanwhile wait for it.
final class Lazy<Value: Sendable>: Sendable {
    private let stored = Mutex<Value?>(nil)
    private let making = Mutex(())

    /// The value, if it has been made. This does not wait for a thread that is making it.
    var made: Value? { stored.withLock { $0 } }

    /// The value, made by `make` if there is none yet.
    func value(_ make: () -> Value) -> Value {
        if let made { return made }
        return making.withLock { _ in
            if let made { return made }
            let value = make()
            stored.withLock { $0 = value }
            return value
        }
    }
}

/// A thread for long work, away from the event loops and the threads that tasks share.
struct WorkQueue: Sendable {
    private let queue: DispatchQueue

    init(_ name: String) {
        queue = DispatchQueue(label: "livery.\(name)")
    }

    /// Does work after all that was begun before, and waits for it without a thread.
    func run<Value: Sendable, Failure: Error>(
        _ work: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
        }
        return try result.get()
    }
}
