// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A Redis that keeps nothing on the disk.
struct Redis {
    let process: ServerProcess

    init() throws {
        let port = try freePort()
        let arguments = ["--port", "\(port)", "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        process = try ServerProcess(
            "redis",
            port: port,
            in: nil,
            Command("redis-server", arguments + ["--maxclients", "12000"])
        ) {
            try Command("redis-cli", ["-p", "\(port)", "ping"]).run().standardOutput.hasPrefix("PONG")
        }
    }
}
