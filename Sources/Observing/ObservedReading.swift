// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import Observation
internal import Synchronization

/// The reads and changes of a value, for `withObservationTracking`.
///
/// It is not generic: the runtime instantiates the key path of a generic type at each use.
package final class ObservedReading: Observable, Sendable {
    private let registrar = ObservationRegistrar()
    /// Whether the value has ever been read: before that, no observer tracks it.
    private let isRead = Atomic(false)
    /// Whether an announcement waits on the main queue.
    private let isDue = Atomic(false)
    /// A placeholder for the value.
    private var reading: Void { () }

    package init() {}

    /// Records a read of the value.
    package func access() {
        if !isRead.load(ordering: .relaxed) { isRead.store(true, ordering: .sequentiallyConsistent) }
        registrar.access(self, keyPath: \.reading)
    }

    /// Notifies readers of the value that it has changed, on this thread.
    package func announce() { registrar.withMutation(of: self, keyPath: \.reading) {} }

    /// Notifies readers on the main queue, once for consecutive changes.
    ///
    /// Observation tracks the reads of a closure only when the closure has ended, so that a change in between would be missed;
    /// a notification on the main queue comes after pending reads of the main actor.
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
