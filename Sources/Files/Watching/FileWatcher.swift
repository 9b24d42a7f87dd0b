internal import Dispatch
internal import Synchronization

/// Why to look at a file.
package enum FileHint: Hashable, Sendable {
    /// Something moved. The content may be that of a writer half-way.
    case changed
    /// Nothing has moved for a while: whatever the file says now is so.
    case settled
}

/// Calls back when what a path leads to may have changed, and again when it has come to rest.
/// Asleep in between: there is no timer but the one that follows a change, unless the kernel cannot report changes.
/// Then the path is looked at every second as well.
package final class FileWatcher: Sendable {
    /// How long a file has to be left alone to count as at rest.
    ///
    /// Long enough for an editor that deletes, creates and then writes; short enough to be felt as at once.
    static let settlingTime = DispatchTimeInterval.milliseconds(150)

    /// How often the file system is asked while it cannot report by itself.
    static let askingInterval = DispatchTimeInterval.seconds(1)

    private let path: AbsolutePath
    private let onHint: @Sendable (FileHint) -> Void
    private let queue = DispatchQueue(label: "livery.file-watcher", qos: .userInteractive)
    private let state = Mutex(State())

    private struct State {
        var events: PathEvents?
        /// Counts movements, so that a settling timer knows whether it is the last one's.
        var movements = 0
        /// What the path led to at the last movement, and whether it has come to rest since.
        var lastSeen: FileState?
        var isAtRest = false
        /// Whether a question to the file system is due.
        var isAsking = false
    }

    typealias EventMaker = (AbsolutePath, DispatchQueue, @escaping @Sendable () -> Void) -> PathEvents

    /// Starts watching; the first call of `onHint` follows at once.
    package convenience init(path: AbsolutePath, onHint: @escaping @Sendable (FileHint) -> Void) {
        self.init(path: path, events: { PathEvents(path: $0, queue: $1, onEvent: $2) }, onHint: onHint)
    }

    init(path: AbsolutePath, events makeEvents: EventMaker, onHint: @escaping @Sendable (FileHint) -> Void) {
        self.path = path
        self.onHint = onHint
        let events = makeEvents(path, queue) { [weak self] in self?.moved() }
        state.withLock { $0.events = events }
        queue.async { self.moved() }
    }

    /// Stops watching and frees what the kernel holds for it.
    package func cancel() {
        state.withLock { $0.events.take() }?.cancel()
    }

    /// Whether nothing has moved since the last hint that the file has come to rest. Otherwise such a hint follows.
    package func isAtRest() -> Bool {
        if hasMovedUnnoticed() {
            queue.async { [weak self] in self?.moved() }
            return false
        }
        return state.withLock { $0.isAtRest || $0.events == nil }
    }

    /// Whether every change is heard of at once; otherwise within ``askingInterval``.
    package func reportsEveryChange() -> Bool {
        state.withLock { $0.events?.isDeaf != true }
    }

    /// Whether the path leads to something else than at the last movement: there is an event under way, or none will be.
    private func hasMovedUnnoticed() -> Bool {
        let status = FileState(path: path.text)
        return state.withLock { $0.lastSeen != status && $0.events != nil }
    }

    private func moved() {
        let status = FileState(path: path.text)
        let movement = state.withLock { state in
            state.lastSeen = status
            state.isAtRest = false
            state.movements += 1
            return state.movements
        }
        onHint(.changed)
        askIfDeaf()
        queue.asyncAfter(deadline: .now() + Self.settlingTime) { [weak self] in self?.settle(after: movement) }
    }

    private func settle(after movement: Int) {
        guard let events = state.withLock({ $0.movements == movement ? $0.events : nil }) else { return }
        // Once there is time: what has happened above the file before that shows in what the path leads to.
        if !events.isWhole, events.followWholly() || hasMovedUnnoticed() { return moved() }
        let isLast = state.withLock { state in
            guard state.movements == movement, state.events != nil else { return false }
            state.isAtRest = true
            return true
        }
        if isLast { onHint(.settled) }
    }
}

extension FileWatcher {
    /// Arranges to ask the file system, if the events are wanting and no question is due yet.
    private func askIfDeaf() {
        let isNew = state.withLock { state in
            guard state.events?.isDeaf == true, !state.isAsking else { return false }
            state.isAsking = true
            return true
        }
        if isNew { queue.asyncAfter(deadline: .now() + Self.askingInterval) { [weak self] in self?.ask() } }
    }

    private func ask() {
        let events = state.withLock { state in
            state.isAsking = false
            return state.events
        }
        guard let events else { return }
        let wasDeaf = events.isDeaf
        events.follow()
        // How the file is followed has changed, and the status shows that.
        if hasMovedUnnoticed() || events.isDeaf != wasDeaf { moved() } else { askIfDeaf() }
    }
}

extension PathEvents {
    /// Whether something may change without an event: the user's watches are used up, a folder may not be read, the path
    /// would not stand still, or the file system does not report it.
    var isDeaf: Bool { watches.withLock(\.isDeaf) }

    /// Whether all folders on the way are watched, and not only those of which names matter.
    var isWhole: Bool { watches.withLock(\.isWhole) }

    /// Watches what the path leads to now.
    ///
    /// Things may move while the watches are being set, so it is done until the plan stands still.
    func follow() {
        watches.withLock { $0.isWhole = true }
        var plan = WatchPlan(for: path)
        for _ in 0..<8 {
            let isWatched = watches.withLock { watch(plan, &$0) }
            let next = WatchPlan(for: path)
            if isWatched, next == plan { return watches.withLock { $0.isDeaf = next.isSilent } }
            plan = next
        }
        watches.withLock { $0.isDeaf = true }
    }
}
