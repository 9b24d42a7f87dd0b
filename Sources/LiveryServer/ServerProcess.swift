// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Foundation
import Logging
import UnixSignals

enum OpenFiles {
    #if os(Linux)
        private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
    #else
        private static let resource = RLIMIT_NOFILE
    #endif

    /// Raises the limit as far as the system allows, since the usual 1,024 would be few connections.
    ///
    /// - Returns: how many fit: as many as are wanted, or fewer, with a warning.
    static func connections(_ wanted: Int, _ logger: Logger) -> Int {
        var present = rlimit()
        guard getrlimit(resource, &present) == 0 else { return wanted }
        var raised = present
        raised.rlim_cur = max(present.rlim_cur, min(present.rlim_max, 1 << 20))
        let limit = Int(clamping: (setrlimit(resource, &raised) == 0 ? raised : present).rlim_cur)
        let processors = ProcessInfo.processInfo.activeProcessorCount
        let connections = connections(wanted, limit: limit, processors: processors)
        if connections < wanted {
            logger.warning(
                """
                the limit of open files leaves room for \(connections) connections only, not \(wanted); raise it \
                (ulimit -n, LimitNOFILE) or lower --max-connections
                """,
                metadata: ["open-files": "\(limit)"]
            )
        }
        return connections
    }

    /// How many connections fit a limit of the process. Each processor has an event loop, with files of its own.
    static func connections(_ wanted: Int, limit: Int, processors: Int) -> Int {
        // The store, its readers, a copy, the listening socket, the log, and connections that are being refused.
        let reserve = min(128 + 3 * processors, limit * 5 / 8)
        return max(1, min(wanted, limit - reserve))
    }
}

/// Logs the first signal to shut down, and ends the program at once on a second one.
enum SecondSignal {
    /// The service group handles the first and lets the server finish. Everything acknowledged is on disk at any time, so
    /// that an end at once loses nothing; the parent process sees the signal as the cause.
    static func endsProcess(_ logger: Logger) async {
        var isEnding = false
        for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
            guard isEnding else {
                logger.notice("shutting down on \(signal); a second signal ends at once")
                isEnding = true
                continue
            }
            let number = signal == .sigint ? SIGINT : SIGTERM
            Foundation.signal(number, SIG_DFL)
            // To the process, since the threads of the pool block signals.
            kill(getpid(), number)
        }
    }
}
