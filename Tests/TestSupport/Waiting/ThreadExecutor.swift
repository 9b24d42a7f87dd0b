// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

/// Runs blocking work on a separate thread, so that it takes no thread from the cooperative pool.
///
/// A test that waits on a terminal while the same process serves requests asynchronously needs this: the pool has only as many
/// threads as the machine has cores, and a blocked one serves nothing. The work is part of the calling task, so that its failed
/// expectations belong to the right test.
///
/// ```swift
/// try await onDedicatedThread {
///     let terminal = try PseudoTerminal(running: command)
///     try terminal.readUntil { $0.find("connected") != nil }
/// }
/// ```
package func onDedicatedThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withTaskExecutorPreference(ThreadExecutor()) { try await perform(work) }
}

@concurrent
private func perform<Value: Sendable>(_ work: @Sendable () throws -> Value) async throws -> Value {
    try work()
}

/// Runs each job on a separate thread.
package final class ThreadExecutor: TaskExecutor {
    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}

/// Waits until what was put into the main queue before has been done.
@MainActor
package func mainQueueIsEmpty() async {
    await withCheckedContinuation { done in DispatchQueue.main.async { done.resume() } }
}
