#if MariaDB
    internal import ConfigStore
    internal import Dispatch
    internal import Foundation
    internal import Synchronization

    /// A thread with a connection of its own: libmariadb's calls block, so that they must not be made on the threads that
    /// tasks share.
    final class MariaDBWorker: Sendable {
        private typealias Job = @Sendable (MariaDBLink) -> Void

        private final class Queue: Sendable {
            let state = Mutex<(jobs: [Job], isClosed: Bool)>(([], false))
            let signal = DispatchSemaphore(value: 0)

            /// The next job, as soon as there is one; `nil` when all are done and no more come.
            func next() -> Job? {
                signal.wait()
                return state.withLock { $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }
            }
        }

        private let queue = Queue()

        /// Starts the thread, which connects when there is something to do.
        init(connect: @escaping @Sendable () throws -> MariaDBConnection) {
            Thread.detachNewThread { [queue] in
                let link = MariaDBLink(connect: connect)
                while let job = queue.next() { job(link) }
            }
        }

        deinit { close() }

        /// Ends the thread when it has done what it was given.
        func close() {
            queue.state.withLock { $0.isClosed = true }
            queue.signal.signal()
        }

        /// How much waits for the thread.
        var load: Int { queue.state.withLock { $0.jobs.count } }

        /// Does something on the thread. Cancelling the caller changes nothing.
        func perform<Value: Sendable>(_ body: @escaping @Sendable (MariaDBLink) throws -> Value) async throws -> Value {
            try await withCheckedContinuation { continuation in
                let isTaken = queue.state.withLock { state in
                    guard !state.isClosed else { return false }
                    state.jobs.append { link in continuation.resume(returning: Result { try body(link) }) }
                    return true
                }
                if isTaken {
                    queue.signal.signal()
                } else {
                    continuation.resume(returning: .failure(StoreError(.unavailable, "the store has been closed")))
                }
            }.get()
        }
    }
#endif
