// SPDX-License-Identifier: Apache-2.0

package import Dispatch
internal import Synchronization

/// The reason to read a file.
package enum FileHint: Hashable, Sendable {
    /// The file has changed, and a write may be in progress.
    case changed
    /// No changes for a while: the current contents are final.
    case settled
}

/// Calls back when the target of a path may have changed, and again when it has settled. In between it sleeps: the only timer
/// is the one after a change, unless the kernel cannot report changes. Then the path is also checked every second.
package final class FileWatcher: Sendable {
    /// The time without changes after which a file counts as settled.
    ///
    /// Long enough for an editor that deletes, creates and then writes; short enough to feel immediate.
    static let settlingTime = DispatchTimeInterval.milliseconds(150)

    /// The polling interval for file systems without notifications.
    static let pollingInterval = DispatchTimeInterval.seconds(1)

    private let path: AbsolutePath
    private let onHint: @Sendable (FileHint) -> Void
    private let queue: DispatchQueue
    private let state = Mutex(State())

    private struct State {
        var events: PathEvents?
        /// The time of the last change, and whether a timer waits for the file to settle.
        var lastMovement = DispatchTime(uptimeNanoseconds: 0)
        var isSettling = false
        /// The file at the path at the last change, and whether it has been stable since.
        var lastSeen: FileState?
        var isSettled = false
        /// Whether a question to the file system is due.
        var isPollScheduled = false
    }

    typealias EventMaker = (AbsolutePath, DispatchQueue, @escaping @Sendable () -> Void) -> PathEvents

    /// Starts watching; the first call of `onHint` follows at once.
    /// - Parameters:
    ///   - isFolder: whether the path is that of a folder, whose contents matter.
    ///   - queue: a serial queue for watching and callbacks; by default a separate one.
    package convenience init(
        path: AbsolutePath,
        isFolder: Bool = false,
        on queue: DispatchQueue? = nil,
        onHint: @escaping @Sendable (FileHint) -> Void
    ) {
        let events = { PathEvents(path: $0, isFolder: isFolder, queue: $1, onEvent: $2) }
        self.init(path: path, on: queue, events: events, onHint: onHint)
    }

    init(
        path: AbsolutePath,
        on queue: DispatchQueue? = nil,
        events makeEvents: EventMaker,
        onHint: @escaping @Sendable (FileHint) -> Void
    ) {
        self.path = path
        self.queue = queue ?? DispatchQueue(label: "livery.file-watcher", qos: .userInteractive)
        self.onHint = onHint
        let events = makeEvents(path, self.queue) { [weak self] in self?.moved() }
        state.withLock { $0.events = events }
        self.queue.async { self.moved() }
    }

    /// Stops watching and frees the kernel's resources.
    package func cancel() {
        state.withLock { $0.events.take() }?.cancel()
    }

    /// Whether nothing has changed since the last hint that the file has settled. Otherwise such a hint follows.
    package func isSettled() -> Bool {
        if hasMissedReplacement() {
            queue.async { [weak self] in self?.moved() }
            return false
        }
        return state.withLock { $0.isSettled || $0.events == nil }
    }

    /// Whether every change is reported at once; otherwise within ``pollingInterval``.
    package func reportsEveryChange() -> Bool {
        state.withLock { $0.events?.isUnreliable != true }
    }

    /// Whether the path leads to another file than at the last change: an event is pending, or none will come.
    private func hasMissedReplacement() -> Bool {
        let status = FileState(path: path.text)
        return state.withLock { $0.lastSeen != status && $0.events != nil }
    }

    private func moved() {
        let status = FileState(path: path.text)
        let isFirst = state.withLock { state in
            state.lastSeen = status
            state.isSettled = false
            state.lastMovement = .now()
            defer { state.isSettling = true }
            return !state.isSettling
        }
        onHint(.changed)
        schedulePollIfNeeded()
        if isFirst { settle(at: .now() + Self.settlingTime) }
    }

    /// One timer for all changes: it is rescheduled when it fires, not with each change.
    private func settle(at deadline: DispatchTime) {
        queue.asyncAfter(deadline: deadline) { [weak self] in self?.settle() }
    }

    private func settle() {
        let (later, events) = state.withLock { state -> (DispatchTime?, PathEvents?) in
            let deadline = state.lastMovement + Self.settlingTime
            if deadline > .now() { return (deadline, nil) }
            state.isSettling = false
            return (nil, state.events)
        }
        if let later { return settle(at: later) }
        guard let events else { return }
        // Now there is time for the parent folders. If one was replaced before it was watched, the path leads elsewhere. If one
        // cannot be watched, the file system must be polled from now on.
        let wasUnreliable = events.isUnreliable
        if !events.isWhole, events.watchAllFolders() || events.isUnreliable != wasUnreliable || hasMissedReplacement() {
            return moved()
        }
        let isSettled = state.withLock { state in
            // A later change has its own timer.
            state.isSettled = !state.isSettling && state.events != nil
            return state.isSettled
        }
        if isSettled { onHint(.settled) }
    }
}

extension FileWatcher {
    /// Arranges to ask the file system, if events may be missing and no question is due yet.
    private func schedulePollIfNeeded() {
        let isNew = state.withLock { state in
            guard state.events?.isUnreliable == true, !state.isPollScheduled else { return false }
            state.isPollScheduled = true
            return true
        }
        if isNew { queue.asyncAfter(deadline: .now() + Self.pollingInterval) { [weak self] in self?.ask() } }
    }

    private func ask() {
        let events = state.withLock { state in
            state.isPollScheduled = false
            return state.events
        }
        guard let events else { return }
        let wasUnreliable = events.isUnreliable
        events.follow()
        // The way in which the file is followed has changed, and the status shows it.
        if hasMissedReplacement() || events.isUnreliable != wasUnreliable { moved() } else { schedulePollIfNeeded() }
    }
}

extension PathEvents {
    /// Whether changes may happen without an event: the user's watches are used up, a folder is unreadable, the path keeps
    /// changing, or the file system does not report changes.
    var isUnreliable: Bool { watches.withLock(\.isUnreliable) }

    /// Whether all folders on the way are watched, and not only those of which names matter.
    var isWhole: Bool { watches.withLock(\.isWhole) }

    /// The files and folders that must be watched now.
    func plan() -> WatchPlan { WatchPlan(for: path, hasContents: isFolder) }

    /// Watches the current target of the path.
    ///
    /// The path may change while the watches are set, so this is repeated until the plan is stable.
    func follow() {
        watches.withLock { $0.isWhole = true }
        var plan = self.plan()
        for _ in 0..<8 {
            let isWatched = watches.withLock { watch(plan, &$0) }
            let next = self.plan()
            if isWatched, next == plan { return watches.withLock { $0.isUnreliable = next.isSilent } }
            plan = next
        }
        watches.withLock { $0.isUnreliable = true }
    }
}
