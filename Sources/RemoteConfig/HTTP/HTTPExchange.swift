internal import ConfigModel
internal import Synchronization

/// One request under way: what has arrived of its answer, and who waits for more.
///
/// The network's side calls `received…` and `ended` from its own thread, the reader's side awaits `head()` and
/// `next()`; the reader is one task at a time.
final class HTTPExchange: Sendable {
    private let state: Mutex<State>

    private struct State {
        var progress: HTTPProgress
        var waiter: CheckedContinuation<Void, Never>?
        /// Called once, at the end.
        var end: (@Sendable () -> Void)?
        /// Ends the work of the network's side; `nil` before it has begun and after it has ended.
        var abort: (@Sendable () -> Void)?
        /// Whether the network's side must be left alone until it has ended by itself.
        var isCommitted = false
    }

    /// - Parameter progress: the limits of the exchange, with nothing received yet.
    init(_ progress: HTTPProgress) {
        state = Mutex(State(progress: progress))
    }

    /// What to call when the exchange is over, for whatever reason; at once if it is.
    func onEnd(_ end: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.progress.outcome == nil { state.end = end }
            return state.progress.outcome != nil
        }
        if isOver { end() }
    }

    /// What to call when the exchange ends before the network's side does; at once if it has ended already.
    func onAbort(_ abort: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.progress.outcome == nil { state.abort = abort }
            return state.progress.outcome != nil
        }
        if isOver { abort() }
    }
}

// What the network's side says.
extension HTTPExchange {
    func received(_ head: HTTPResponseHead, at now: ContinuousClock.Instant = .now) {
        advance { $0.received(head, at: now) }
    }

    func received(_ bytes: some Collection<UInt8>, at now: ContinuousClock.Instant = .now) {
        advance { $0.received(bytes, at: now) }
    }

    func sent(at now: ContinuousClock.Instant = .now) {
        state.withLock { $0.progress.sent(at: now) }
    }

    /// The network's side has ended; it is not to be aborted any more.
    func ended(with failure: ConfigError?) {
        state.withLock { $0.abort = nil }
        advance { $0.end(failure.map { .failed($0) } ?? .complete) }
    }

    /// Looks at the clock.
    ///
    /// - Returns: when to look again; `nil` once the exchange is over.
    func deadline(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
        advance { $0.checkTime(now) }
        return state.withLock { $0.progress.outcome == nil ? $0.progress.deadline.instant : nil }
    }

    /// Keeps the network's side from being aborted from now on.
    ///
    /// - Returns: `false` if it is being aborted already.
    func commit() -> Bool {
        state.withLock { state in
            state.isCommitted = state.progress.outcome == nil
            return state.isCommitted
        }
    }

    private func advance(_ step: (inout HTTPProgress) -> Void) {
        let (waiter, abort, end) = state.withLock { state in
            let version = state.progress.version
            step(&state.progress)
            let isOver = state.progress.outcome != nil
            return (
                state.progress.version == version ? nil : state.waiter.take(),
                isOver && !state.isCommitted ? state.abort.take() : nil,
                isOver ? state.end.take() : nil
            )
        }
        abort?()
        end?()
        waiter?.resume()
    }
}

// What the reader asks.
extension HTTPExchange {
    /// The head of the answer, once it is there.
    func head() async throws(ConfigError) -> HTTPResponseHead {
        try await look { progress in
            if let head = progress.head { return .success(head) }
            return progress.outcome.map { .failure($0.failure ?? .incomplete) }
        }
    }

    /// All that has arrived since the last call, once that is something; `nil` at the end.
    func next() async throws(ConfigError) -> [UInt8]? {
        try await look { progress in
            if !progress.unread.isEmpty { return .success(progress.takeUnread()) }
            return progress.outcome.map { outcome in outcome.failure.map { .failure($0) } ?? .success(nil) }
        }
    }

    /// The whole body, once it is there.
    func body() async throws(ConfigError) -> [UInt8] {
        try await look { progress in
            progress.outcome.map { outcome in outcome.failure.map { .failure($0) } ?? .success(progress.takeUnread()) }
        }
    }

    /// Ends the exchange, if it has not ended.
    func cancel() {
        advance { $0.end(.failed(.cancelled)) }
    }

    private func look<Value>(
        _ find: (inout HTTPProgress) -> Result<Value, ConfigError>?
    ) async throws(ConfigError) -> Value {
        while true {
            let version = state.withLock { $0.progress.version }
            if let found = state.withLock({ find(&$0.progress) }) { return try found.get() }
            await newsSince(version)
        }
    }

    private func newsSince(_ version: UInt64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOld = state.withLock { state in
                    guard state.progress.version == version else { return true }
                    state.waiter = continuation
                    return false
                }
                if isOld { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
    }
}

extension ConfigError {
    static let cancelled = ConfigError(.cancelled, "the request was cancelled")
    static let incomplete = ConfigError(.badResponse, "the server ended the connection without an answer")
}
