// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Files
import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Shuts the server down on SIGTERM and SIGINT. Ends the process where a shutdown takes longer than `--drain`, and at once on
/// a second signal.
///
/// A store that does not answer, or a file system that hangs, blocks threads, and tasks with them, whether they are cancelled
/// or not. So this type uses a separate queue. No acknowledged write is lost: each is on disk, and the system releases the
/// locks.
final class ShutdownSignals: Service {
    /// The time for which the group of services may drain before its tasks are cancelled.
    var drain: Duration { .seconds(patience) - min(.seconds(1), .seconds(patience) / 4) }

    private let patience: Int
    private let logger: Logger
    private let sink: LogSink
    private let queue = DispatchQueue(label: "livery.shutdown", qos: .userInteractive)
    private let isShuttingDown = Mutex(false)

    /// - Parameter patience: how long a shutdown may take, in seconds.
    init(patience: Int, logger: Logger, sink: LogSink) {
        (self.patience, self.logger, self.sink) = (patience, logger, sink)
    }

    /// Listens to SIGTERM and SIGINT from now on, for as long as the result lives.
    ///
    /// - Parameter shutDown: begins the shutdown.
    func listen(_ shutDown: @escaping @Sendable () -> Void) -> [any DispatchSourceSignal] {
        let registration = DispatchGroup()
        let sources = [SIGTERM, SIGINT].map { number in
            ProcessThreads.deliverToDispatchSource(signal: number)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler { [self] in
                guard begin(exitCode: 0) else { StandardStreams.endProcess(bySignal: number) }
                let name = number == SIGINT ? "SIGINT" : "SIGTERM"
                logger.notice("shutting down on \(name); a second signal exits immediately")
                shutDown()
            }
            registration.enter()
            source.setRegistrationHandler { registration.leave() }
            source.resume()
            return source
        }
        registration.wait()
        return sources
    }

    /// Waits for a shutdown that has another cause than a signal, such as a service that failed.
    func run() async throws {
        await withTaskCancellationHandler {
            do {
                try await gracefulShutdown()
                _ = begin(exitCode: 0)
            } catch {
                // The task was cancelled.
            }
        } onCancel: {
            _ = begin(exitCode: 1)
        }
    }

    /// - Returns: whether this is the first signal or failure.
    private func begin(exitCode: Int32) -> Bool {
        let isFirst = isShuttingDown.withLock { isShuttingDown in
            defer { isShuttingDown = true }
            return !isShuttingDown
        }
        if isFirst { queue.asyncAfter(deadline: .now() + .seconds(patience)) { [self] in end(exitCode) } }
        return isFirst
    }

    private func end(_ exitCode: Int32) -> Never {
        logger.warning(
            """
            shutdown exceeded --drain (\(patience) s): dropping unfinished requests; acknowledged writes are on disk
            """
        )
        sink.flush(within: .milliseconds(100))
        StandardStreams.endProcessAtOnce(exitCode)
    }
}
