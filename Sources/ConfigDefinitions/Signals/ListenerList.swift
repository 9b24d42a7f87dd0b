internal import Synchronization

/// The listeners of something, in the order in which they came, for any thread.
final class ListenerList<Message>: Sendable {
    private struct Listeners {
        var nextID: UInt64 = 0
        var byID: [UInt64: @Sendable (Message) -> Void] = [:]
    }

    private let listeners = Mutex(Listeners())

    var isEmpty: Bool { listeners.withLock(\.byID.isEmpty) }

    func add(_ listener: @escaping @Sendable (Message) -> Void) -> UInt64 {
        listeners.withLock { listeners in
            listeners.nextID += 1
            listeners.byID[listeners.nextID] = listener
            return listeners.nextID
        }
    }

    func remove(_ id: UInt64) {
        // The closure is released outside the lock: what it captures may end a subscription of this very list.
        let removed = listeners.withLock { $0.byID.removeValue(forKey: id) }
        withExtendedLifetime(removed) {}
    }

    /// Calls the listeners, none of them within the lock, so that they may add and remove listeners.
    func send(_ message: Message) {
        for id in listeners.withLock({ $0.byID.keys.sorted() }) {
            // Looked up anew, since a listener before this one may have ended it.
            let listener = listeners.withLock { $0.byID[id] }
            listener?(message)
        }
    }
}
