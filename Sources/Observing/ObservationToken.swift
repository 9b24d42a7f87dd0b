// SPDX-License-Identifier: Apache-2.0

internal import Synchronization

/// An observer's place among the others; it is called until this ends.
///
/// Keep it for as long as the observer should be called: it ends with ``end()``, or when it is released.
package final class ObservationToken: Sendable {
    private let onEnd: Mutex<(@Sendable () -> Void)?>

    /// Creates a subscription that runs a closure once when it ends.
    package init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = Mutex(onEnd)
    }

    deinit { end() }

    /// Ends the subscription: the observer is not notified of later changes. A call that another thread is about to
    /// make at this very moment may still come. Ending it again does nothing.
    package func end() {
        let onEnd = onEnd.withLock { onEnd in
            defer { onEnd = nil }
            return onEnd
        }
        onEnd?()
    }
}

/// The observers of something, in the order in which they subscribed, for any thread.
package final class ObserverList<Event>: Sendable {
    private struct Storage {
        var lastID: Int = 0
        /// Ascending. An observer that has left keeps its place until there are too many such places.
        var ids: [Int] = []
        var byID: [Int: @Sendable (Event) -> Void] = [:]
    }

    private let storage = Mutex(Storage())

    package init() {}

    /// The number of observers.
    package var count: Int { storage.withLock { $0.byID.count } }

    /// The current observers.
    var ids: [Int] { storage.withLock { $0.ids } }

    /// Adds an observer, which is removed when the subscription ends.
    package func add(_ observer: @escaping @Sendable (Event) -> Void) -> ObservationToken {
        let id = storage.withLock { storage in
            storage.lastID += 1
            storage.ids.append(storage.lastID)
            storage.byID[storage.lastID] = observer
            return storage.lastID
        }
        return ObservationToken { [self] in remove(id) }
    }

    private func remove(_ id: Int) {
        // Released outside the lock: what an observer captures may end a subscription of this very list.
        let removed = storage.withLock { storage in
            let removed = storage.byID.removeValue(forKey: id)
            if storage.ids.count > 2 * storage.byID.count + 16 { storage.ids = storage.byID.keys.sorted() }
            return removed
        }
        withExtendedLifetime(removed) {}
    }

    /// Calls the observers, none of them within the lock, so that they may add and remove observers.
    /// - Parameter ids: the observers to call; all of them by default.
    package func send(_ event: Event, to ids: [Int]? = nil) {
        for id in ids ?? self.ids {
            // Looked up again, since an earlier observer may have removed it.
            let observer = storage.withLock { $0.byID[id] }
            observer?(event)
        }
    }
}
