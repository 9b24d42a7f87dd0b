internal import Synchronization

/// Tells its listeners that something may have changed; what it is now, they find out for themselves.
///
/// ```swift
/// let signedIn = ChangeSignal()
/// let isInternal = ConfigCondition("user is internal", changes: signedIn) { session.user.isInternal }
/// …
/// signedIn.send()
/// ```
public final class ChangeSignal: Sendable {
    private enum Source {
        case idle
        case starting
        case running(stop: @Sendable () -> Void)
    }

    private struct State {
        var listeners = 0
        var source = Source.idle
    }

    private let list = ListenerList<Void>()
    private let state = Mutex(State())
    private let start: (@Sendable (ChangeSignal) -> @Sendable () -> Void)?

    /// Creates a signal that is sent by hand.
    public init() { start = nil }

    /// Creates a signal that watches something for as long as anybody listens.
    ///
    /// - Parameter start: begins to watch, and sends the signal it is given from then on, holding it weakly. It returns
    ///   what ends the watching.
    public init(watching start: @escaping @Sendable (ChangeSignal) -> @Sendable () -> Void) {
        self.start = start
    }

    deinit {
        if case .running(let stop) = state.withLock(\.source) { stop() }
    }

    /// Calls every listener, on this thread.
    public func send() { list.send(()) }

    /// Calls a closure on each signal, on the thread that sends it.
    ///
    /// - Returns: what ends it; the closure is called no longer once this is released.
    public func subscribe(_ listener: @escaping @Sendable () -> Void) -> Subscription {
        let id = list.add { listener() }
        startIfNeeded(adding: 1)
        return Subscription { [self] in
            list.remove(id)
            stopIfUnneeded()
        }
    }

    private func startIfNeeded(adding count: Int) {
        guard let start else { return }
        let mustStart = state.withLock { state in
            state.listeners += count
            guard case .idle = state.source, state.listeners > 0 else { return false }
            state.source = .starting
            return true
        }
        guard mustStart else { return }
        let stop = start(self)
        let isUnneeded = state.withLock { state in
            let isUnneeded = state.listeners == 0
            state.source = isUnneeded ? .idle : .running(stop: stop)
            return isUnneeded
        }
        if isUnneeded {
            stop()
            // Somebody may have come while the source was neither started nor idle.
            startIfNeeded(adding: 0)
        }
    }

    private func stopIfUnneeded() {
        guard start != nil else { return }
        let stop: (@Sendable () -> Void)? = state.withLock { state in
            state.listeners -= 1
            guard state.listeners == 0, case .running(let stop) = state.source else { return nil }
            state.source = .idle
            return stop
        }
        stop?()
    }
}

extension ChangeSignal: Hashable {
    /// A signal equals itself only.
    public static func == (left: ChangeSignal, right: ChangeSignal) -> Bool { left === right }

    /// Hashes the signal's identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
