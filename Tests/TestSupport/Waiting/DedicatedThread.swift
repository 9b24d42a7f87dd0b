// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Runs work that blocks on a thread of its own, so that it takes no thread from the cooperative pool.
///
/// A test that waits on a terminal while the same process serves requests asynchronously needs this: the pool has
/// only as many threads as the machine has cores, and a blocked one serves nobody. The work is part of the task that
/// calls, so that what it expects in vain is told of the test that it belongs to.
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

/// Runs each job on a thread of its own.
package final class ThreadExecutor: TaskExecutor {
    package init() {}

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        Thread.detachNewThread { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
