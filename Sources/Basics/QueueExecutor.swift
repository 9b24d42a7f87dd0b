// SPDX-License-Identifier: Apache-2.0

package import Dispatch

/// Runs jobs one after another on a thread that exists only while there are any.
///
/// Swift's own pool would do, but on Linux a thread of that pool starts a timer of libdispatch that wakes the process
/// once a second for as long as it lives. An idle program should sleep. A serial queue has no such timer.
package final class QueueExecutor: SerialExecutor, TaskExecutor {
    /// The queue that the jobs run on, for timers that must run on it too.
    package let queue: DispatchQueue

    /// Runs jobs on a serial queue.
    package init(_ queue: DispatchQueue) { self.queue = queue }

    /// Runs jobs on a separate serial queue.
    ///
    /// - Parameter label: names the queue in debuggers.
    package convenience init(label: String = "livery.sync") {
        self.init(DispatchQueue(label: label, qos: .userInteractive))
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(
                isolatedTo: self.asUnownedSerialExecutor(),
                taskExecutor: self.asUnownedTaskExecutor()
            )
        }
    }

    /// Lets code on the queue itself assert that it is isolated to these actors.
    package func checkIsolated() {
        dispatchPrecondition(condition: .onQueue(queue))
    }
}
