internal import Synchronization

/// A wish to hear of new states, as long as it is held on to.
public final class Observation: Sendable {
    private let end: Mutex<(@Sendable () -> Void)?>

    init(onCancel end: @escaping @Sendable () -> Void) {
        self.end = Mutex(end)
    }

    /// Ends the observation. A call that is under way may still come.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }

    deinit { cancel() }
}
