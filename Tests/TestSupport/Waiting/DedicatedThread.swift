import Foundation

/// Runs work that blocks on a thread of its own, so that it takes no thread from the cooperative pool.
///
/// A test that waits on a terminal while the same process serves requests asynchronously needs this: the pool has
/// only as many threads as the machine has cores, and a blocked one serves nobody.
///
/// ```swift
/// try await onDedicatedThread {
///     let terminal = try PseudoTerminal(running: command)
///     try terminal.readUntil { $0.find("connected") != nil }
/// }
/// ```
package func onDedicatedThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread {
            continuation.resume(with: Result { try work() })
        }
    }
}
