// SPDX-License-Identifier: Apache-2.0

internal import Observing
internal import Synchronization

/// The tasks that wait for an engine, on any thread: the queue of the engine may be blocked by a file that does not answer.
final class Callers: Sendable {
    /// The calls since the engine last looked.
    struct Calls {
        /// Whether a task that takes the calls has been started.
        fileprivate var isTaken = false
        var askForRead = false
        var awaitFirst = false
    }

    /// The callers of ``SyncEngine/refresh()``. Accepted callers wait for the read in flight, or for the next.
    let outcomes = Waiters<RefreshOutcome>()
    /// The callers that wait for the first state.
    let firsts = Waiters<WaitEnd>()
    /// The runs that wait until the source has been read once.
    let runs = Waiters<Void>()
    /// The listeners that wait for the end of the read in flight.
    let readEnds = Waiters<Void>()

    /// The time of the last read of the source, or of its layers.
    let askedAt = Mutex<Duration?>(nil)

    private let calls = Mutex(Calls())

    /// Notes a call.
    ///
    /// - Returns: Whether nothing will take the calls yet.
    func note(_ call: (inout Calls) -> Void) -> Bool {
        calls.withLock { calls in
            call(&calls)
            defer { calls.isTaken = true }
            return !calls.isTaken
        }
    }

    /// Returns the calls, and forgets them.
    func take() -> Calls {
        calls.withLock { calls in
            defer { calls = Calls() }
            return calls
        }
    }
}

/// The end of a wait for the first state.
enum WaitEnd {
    case answered
    case late
    case offline
    /// The service has ended.
    case ended
    case cancelled
}
