internal import Synchronization

/// A listener's place on a list; it is called until this ends.
///
/// Keep it for as long as the listener is to be called: it ends with ``end()``, or when nothing refers to it any more.
public final class Subscription: Sendable {
    private let onEnd: Mutex<(@Sendable () -> Void)?>

    /// Creates a subscription that runs a closure once when it ends.
    public init(onEnd: @escaping @Sendable () -> Void) {
        self.onEnd = Mutex(onEnd)
    }

    deinit { end() }

    /// Ends the subscription: what changes from now on, the listener does not hear of. A call that another thread is
    /// about to make at this very moment may still come. Ending it again does nothing.
    public func end() {
        let onEnd = onEnd.withLock { onEnd in
            defer { onEnd = nil }
            return onEnd
        }
        onEnd?()
    }
}
