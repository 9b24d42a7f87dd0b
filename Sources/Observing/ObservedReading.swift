// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Observation
internal import Synchronization

/// What `withObservationTracking` sees of a value: that it is read, and that it becomes another.
///
/// It is not generic: the runtime builds the key path of a generic type anew at each use.
package final class ObservedReading: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// Whether the value has ever been read: before that, no observer tracks it.
    private let isRead = Atomic(false)
    /// Whether an announcement waits on the main queue.
    private let isDue = Atomic(false)
    /// Stands for the value.
    private var reading: Void { () }

    package init() {}

    /// Tells that the value is being read.
    package func access() {
        if !isRead.load(ordering: .relaxed) { isRead.store(true, ordering: .sequentiallyConsistent) }
        registrar.access(self, keyPath: \.reading)
    }

    /// Tells those who have read the value that it is another now, on this thread.
    package func announce() { registrar.withMutation(of: self, keyPath: \.reading) {} }

    /// Tells them on the main queue, once for changes that come in a row.
    ///
    /// Observation tracks what a closure has read only when the closure has ended, so that a change in between would be
    /// missed; told on the main queue, it comes after all that the main actor was about to read.
    package func announceOnMain() {
        guard isRead.load(ordering: .sequentiallyConsistent) else { return }
        if isDue.exchange(true, ordering: .sequentiallyConsistent) { return }
        DispatchQueue.main.async {
            // Before the announcement: a change after this needs another one.
            self.isDue.store(false, ordering: .sequentiallyConsistent)
            self.announce()
        }
    }
}
