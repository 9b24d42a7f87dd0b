internal import Dispatch

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
