// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A server of the older design: Node, Express and MariaDB.
struct NodeServer {
    static let folder = "Benchmarks/Peers/node-server"

    let process: ServerProcess

    /// Starts it on the rows that the database has.
    init(_ database: RunningMariaDB) throws {
        let port = try freePort()
        process = try ServerProcess(
            "node-server",
            port: port,
            in: nil,
            Self.command(port: port, database),
            answering: "/config/2038-01-01T00:00:00.000Z"
        )
    }

    static func command(port: Int, _ database: RunningMariaDB) -> Command {
        // The libraries are Debian's, and so is the Node that they are for.
        Command(
            "/usr/bin/nodejs",
            ["\(folder)/server.js", "\(port)", database.socket],
            environment: Command.environment(adding: ["NODE_PATH": "/usr/share/nodejs:/usr/lib/nodejs"])
        )
    }
}
