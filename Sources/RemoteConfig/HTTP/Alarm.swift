internal import Dispatch
internal import Synchronization

/// Calls back at a time that it is told, and then at the next one, until there is none or it is cancelled.
final class Alarm: Sendable {
    private let timer = Mutex<(any DispatchSourceTimer)?>(nil)

    /// Starts to wait.
    ///
    /// - Parameters:
    ///   - first: when to call for the first time.
    ///   - queue: where to call.
    ///   - ring: says when to call again; `nil` to end.
    func start(
        at first: ContinuousClock.Instant,
        on queue: DispatchQueue,
        _ ring: @escaping @Sendable (ContinuousClock.Instant) -> ContinuousClock.Instant?
    ) {
        timer.withLock { timer in
            let source = DispatchSource.makeTimerSource(queue: queue)
            source.setEventHandler { [weak self] in self?.wait(until: ring(.now)) }
            source.schedule(deadline: first.forDispatch)
            source.activate()
            timer = source
        }
    }

    private func wait(until next: ContinuousClock.Instant?) {
        guard let next else { return cancel() }
        timer.withLock { $0?.schedule(deadline: next.forDispatch) }
    }

    /// Ends the waiting.
    func cancel() {
        timer.withLock { $0.take() }?.cancel()
    }

    deinit { cancel() }
}

extension ContinuousClock.Instant {
    /// The same moment for libdispatch, but at most a day from now, since its clock counts nanoseconds in 64 bits.
    fileprivate var forDispatch: DispatchTime {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: self).components
        guard seconds < 86_400 else { return .now() + .seconds(86_400) }
        return .now() + .nanoseconds(Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
    }
}
