// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import Synchronization

/// Notifies its listeners that something may have changed; they read the current state themselves.
///
/// ```swift
/// let signedIn = ChangeSignal()
/// let subscription = signedIn.subscribe { print("another user may have signed in") }
/// signedIn.send()
/// subscription.end()
/// ```
package final class ChangeSignal: Sendable {
    private enum Source {
        case idle
        case starting
        case running(stop: @Sendable () -> Void)
    }

    private let observers = ObserverList<Void>()
    private let source = Mutex(Source.idle)
    private let start: Observe?
    /// The source that each listener observes itself, if it takes any number of observers.
    private let base: Observe?

    /// Starts to observe something, calls the closure after each change, and returns what ends it: how code outside this
    /// package announces changes.
    package typealias Observe = @Sendable (_ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void

    /// Creates a signal that is sent by hand.
    package convenience init() { self.init(start: nil, base: nil) }

    /// Creates a signal that observes something while it has listeners, and is sent after each change.
    package convenience init(watching start: @escaping Observe) { self.init(start: start, base: nil) }

    private init(start: Observe?, base: Observe?) { (self.start, self.base) = (start, base) }

    /// The signal whose listeners each observe something that takes any number of observers.
    package static func forwarding(_ base: @escaping Observe) -> ChangeSignal { ChangeSignal(start: nil, base: base) }

    deinit {
        if case .running(let stop) = source.withLock(\.self) { stop() }
    }

    /// Calls every listener, on this thread.
    package func send() { observers.send(()) }

    /// Calls a closure on each signal, on the thread that sends it.
    ///
    /// - Returns: what ends it; the closure is called no longer once this is released.
    package func subscribe(_ listener: @escaping @Sendable () -> Void) -> ObservationToken {
        if let base { return ObservationToken(onEnd: base(listener)) }
        let subscription = observers.add { listener() }
        startIfNeeded()
        return ObservationToken { [self] in
            subscription.end()
            stopIfUnneeded()
        }
    }

    /// Calls a closure on each signal until the closure that it returns is called or released.
    package func observe(_ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        subscribe(didChange).end
    }

    /// The signals from now on, for one reader: one element represents all signals that are sent while it does not read.
    package func hints() -> AsyncStream<Void> {
        let (hints, hint) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let subscription = subscribe { hint.yield() }
        hint.onTermination = { _ in subscription.end() }
        return hints
    }

    private func startIfNeeded() {
        guard let start else { return }
        let mustStart = source.withLock { source in
            guard case .idle = source, observers.count > 0 else { return false }
            source = .starting
            return true
        }
        guard mustStart else { return }
        // Held weakly, so that a signal without listeners can end this.
        let stop = start { [weak self] in self?.send() }
        let isUnneeded = source.withLock { source in
            let isUnneeded = observers.count == 0
            source = isUnneeded ? .idle : .running(stop: stop)
            return isUnneeded
        }
        guard isUnneeded else { return }
        stop()
        // An observer may have subscribed while the source was neither started nor idle.
        startIfNeeded()
    }

    private func stopIfUnneeded() {
        let stop: (@Sendable () -> Void)? = source.withLock { source in
            guard case .running(let stop) = source, observers.count == 0 else { return nil }
            source = .idle
            return stop
        }
        stop?()
    }
}

extension ChangeSignal: Hashable {
    /// A signal equals itself only.
    package static func == (left: ChangeSignal, right: ChangeSignal) -> Bool { left === right }

    /// Hashes the signal's identity.
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A signal for each of any number of keys, created at first use. Keys are compared by their bytes.
package final class KeyedSignals: Sendable {
    private let signals = Mutex<[ExactString: ChangeSignal]>([:])
    private let make: @Sendable (String) -> ChangeSignal

    /// Creates signals that are sent by hand with ``send(_:)``.
    package init() { make = { _ in ChangeSignal() } }

    /// Creates signals that observe something for a key; see ``ChangeSignal/init(watching:)``.
    package init(
        watching start:
            @escaping @Sendable (_ key: String, _ didChange: @escaping @Sendable () -> Void) -> @Sendable () -> Void
    ) {
        make = { key in ChangeSignal { start(key, $0) } }
    }

    /// The signal of a key, always the same.
    package subscript(key: String) -> ChangeSignal {
        signals.withLock { signals in
            if let signal = signals[ExactString(key)] { return signal }
            let signal = make(key)
            signals[ExactString(key)] = signal
            return signal
        }
    }

    /// Sends the signals of keys. A key without a signal costs one lookup.
    package func send(_ keys: some Sequence<String>) {
        for key in keys { signals.withLock { $0[ExactString(key)] }?.send() }
    }
}
