internal import Dispatch
internal import Synchronization

/// Calls back when what a path leads to may have changed, and again when it has come to rest.
///
/// Asleep in between: there is no timer but the one that follows a change.
final class FileWatcher: Sendable {
    /// How long a file has to be left alone to count as at rest.
    ///
    /// Long enough for an editor that deletes, creates and then writes; short enough to be felt as at once.
    static let settlingTime = DispatchTimeInterval.milliseconds(150)

    private let onHint: @Sendable (SourceHint) -> Void
    private let queue = DispatchQueue(label: "livery.file-watcher", qos: .userInteractive)
    private let state = Mutex(State())

    private struct State {
        var events: PathEvents?
        /// Counts movements, so that a settling timer knows whether it is the last one's.
        var movements = 0
    }

    /// Starts watching; the first call of `onHint` follows at once.
    init(path: AbsolutePath, onHint: @escaping @Sendable (SourceHint) -> Void) {
        self.onHint = onHint
        let events = PathEvents(path: path, queue: queue) { [weak self] in self?.moved() }
        state.withLock { $0.events = events }
        queue.async { self.moved() }
    }

    /// Stops watching and frees what the kernel holds for it.
    func cancel() {
        state.withLock { $0.events.take() }?.cancel()
    }

    private func moved() {
        onHint(.changed)
        let movement = state.withLock { state in
            state.movements += 1
            return state.movements
        }
        queue.asyncAfter(deadline: .now() + Self.settlingTime) { [weak self] in self?.settle(after: movement) }
    }

    private func settle(after movement: Int) {
        let isLast = state.withLock { $0.movements == movement && $0.events != nil }
        if isLast { onHint(.settled) }
    }
}
