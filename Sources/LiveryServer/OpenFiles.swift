import Foundation
import Logging

/// The limit of open files, and so of connections.
enum OpenFiles {
    /// Raises the limit as far as the system allows: the usual 1,024 would be few connections.
    ///
    /// - Returns: the new limit; `nil` if it is not known.
    private static func raiseLimit() -> Int? {
        var limit = rlimit()
        #if os(Linux)
            let files = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
        #else
            let files = RLIMIT_NOFILE
        #endif
        guard getrlimit(files, &limit) == 0 else { return nil }
        let highest = min(limit.rlim_max, 1 << 20)
        if limit.rlim_cur < highest {
            var raised = limit
            raised.rlim_cur = highest
            if setrlimit(files, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Raises the limit.
    ///
    /// - Returns: how many connections fit: as many as are wanted, or fewer, with a warning.
    static func connections(_ wanted: Int, _ logger: Logger) -> Int {
        guard let limit = raiseLimit() else { return wanted }
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

    /// How many connections fit a limit.
    ///
    /// - Parameters:
    ///   - wanted: the most connections by the settings.
    ///   - limit: the most open files of the process.
    ///   - processors: the number of event loops, each with files of its own.
    static func connections(_ wanted: Int, limit: Int, processors: Int) -> Int {
        // The store, its readers, a copy, the listening socket, the log, and connections that are being refused.
        let reserve = min(128 + 3 * processors, limit * 5 / 8)
        return max(1, min(wanted, limit - reserve))
    }
}
