// SPDX-License-Identifier: Apache-2.0

package import Basics
internal import Synchronization

/// A request in progress: the received part of its response, and its waiting reader.
///
/// The network side reports input from its own thread; the reader side, one task at a time, awaits it.
package final class HTTPExchange: Sendable {
    private let state: Mutex<State>
    /// Notifies the network's side that the reader has accepted the bytes that were waiting, or has gone.
    private let notice: @Sendable () -> Void

    private struct State {
        var progress: HTTPProgress
        var waiter: CheckedContinuation<Void, Never>?
    }

    package init(_ progress: HTTPProgress, notice: @escaping @Sendable () -> Void) {
        state = Mutex(State(progress: progress))
        self.notice = notice
    }

    /// Changes the state, and wakes the reader if there is something new for it.
    private func advance<Result: Sendable>(_ step: (inout HTTPProgress) -> Result) -> Result {
        let (result, waiter) = state.withLock { state in
            let version = state.progress.version
            let result = step(&state.progress)
            return (result, state.progress.version == version ? nil : state.waiter.take())
        }
        waiter?.resume()
        return result
    }
}

// The network side.
extension HTTPExchange {
    /// - Parameter total: how many bytes have come by now, as they were sent.
    package func received(_ head: HTTPResponseHead, in total: Int) {
        advance { progress in
            progress.receivedBytes = total
            progress.received(head, at: .now)
        }
    }

    package func received(_ bytes: some Collection<UInt8>, in total: Int) -> HTTPProgress.Verdict {
        advance { progress in
            progress.receivedBytes = total
            return progress.received(bytes, at: .now)
        }
    }

    package func end(_ outcome: Result<Void, OperationFailure>, after total: Int = 0) {
        advance { progress in
            progress.receivedBytes = total
            progress.end(outcome)
        }
    }

    /// - Returns: when to look again, if ever, and whether the exchange is over or waits for its reader.
    package func check(at now: ContinuousClock.Instant) -> (
        deadline: ContinuousClock.Instant?, isOver: Bool, isPaused: Bool
    ) {
        advance { progress in
            progress.checkTime(now)
            return (progress.deadline, progress.outcome != nil, progress.isPaused)
        }
    }
}

// The reader side.
extension HTTPExchange {
    func head() async throws(OperationFailure) -> HTTPResponseHead {
        try await find { progress in
            if let head = progress.head { return .success(head) }
            if case .failure(let error)? = progress.outcome { return .failure(error) }
            return nil
        }
    }

    /// All that has arrived since the last call, once that is something; `nil` at the end.
    func next() async throws(OperationFailure) -> [UInt8]? {
        try await find { progress in
            if !progress.unread.isEmpty { return .success(progress.drainUnread()) }
            return progress.outcome.map { $0.map { nil } }
        }
    }

    func body() async throws(OperationFailure) -> [UInt8] {
        try await find { progress in
            progress.outcome.map { $0.map { progress.drainUnread() } }
        }
    }

    var receivedBytes: Int { state.withLock(\.progress.receivedBytes) }

    func cancel() {
        advance { $0.end(.failure(.cancelled)) }
        notice()
    }

    private func find<Value>(
        _ look: (inout HTTPProgress) -> Result<Value, OperationFailure>?
    ) async throws(OperationFailure) -> Value {
        while true {
            let (found, version, isFreed) = state.withLock { state in
                let wasPaused = state.progress.isPaused
                let found = look(&state.progress)
                return (found, state.progress.version, wasPaused && !state.progress.isPaused)
            }
            if isFreed { notice() }
            if let found { return try found.get() }
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

extension OperationFailure {
    package static let cancelled = OperationFailure(.cancelled, "the request was cancelled")
    /// The same failure with the number of bytes that were received.
    func counting(bytes: Int) -> OperationFailure {
        var error = self
        error.bytesReceived = bytes
        return error
    }
}
