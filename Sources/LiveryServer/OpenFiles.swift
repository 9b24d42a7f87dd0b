// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import Files
import Foundation
import Logging
import Programs

/// The limit of open files, of which each connection takes one.
enum OpenFiles {
    /// Raises the limit as far as the system allows, since the usual 1,024 would be few connections.
    ///
    /// - Returns: how many fit: as many as are wanted, or fewer, with a warning.
    /// - Throws: a `ProgramFailure` if the server itself needs more files than the limit.
    static func connections(_ wanted: Int, _ logger: Logger) throws(ProgramFailure) -> Int {
        guard let limit = ProcessFiles.raiseLimit() else { return wanted }
        let processors = ProcessInfo.processInfo.activeProcessorCount
        guard let connections = connections(wanted, limit: limit, processors: processors) else {
            let needed = own(processors: processors) + 2
            let message = """
                the open file limit is \(limit), but the server needs at least \(needed); raise it (ulimit -n, \
                LimitNOFILE)
                """
            throw ProgramFailure(.system, message)
        }
        if connections < wanted {
            logger.warning(
                """
                the open file limit allows only \(connections) of \(wanted) connections; raise it (ulimit -n, \
                LimitNOFILE) or lower --max-connections
                """,
                metadata: ["open-files": "\(limit)"]
            )
        }
        return connections
    }

    /// The number of open files that the server needs without connections.
    ///
    /// Measured: 26 with a store in SQLite on two processors, and 8 more while it reads on five connections; 23 with MariaDB
    /// or etcd under writes, and a connection more for each request to etcd that waits. Each processor has an event loop,
    /// with 3 files.
    static func own(processors: Int) -> Int { 40 + 3 * processors }

    /// The number of connections within a limit of the process; `nil` if the server itself does not fit.
    static func connections(_ wanted: Int, limit: Int, processors: Int) -> Int? {
        // With room for copies, for the log, and for connections that are being refused.
        let reserve = max(own(processors: processors), min(128 + 3 * processors, limit * 5 / 8))
        // One more is accepted, to be answered 503.
        return limit >= reserve + 2 ? min(wanted, limit - reserve) : nil
    }
}
