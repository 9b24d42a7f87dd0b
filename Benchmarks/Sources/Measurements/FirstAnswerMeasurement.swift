// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// The time from starting a server to its first response with 200.
struct FirstAnswerMeasurement: BlockingMeasurement {
    let runs: Int

    func measure() throws -> Section {
        let folder = try TemporaryDirectory(prefix: "bench")
        let database = try RunningMariaDB.withDefaults()
        try database.recreate(rows: 3)
        let ports = (try freePort(), try freePort())
        let livery = try measure(
            "livery-server",
            try LiveryServerProcess.command(port: ports.0, folder: folder),
            port: ports.0,
            path: "/v1/default/config"
        )
        let nodeServer = try measure(
            "Node server",
            NodeServer.command(port: ports.1, database),
            port: ports.1,
            path: "/config"
        )
        var table = Table("Server", "Runs", "min, ms", "median, ms", "max, ms")
        for (name, times) in [("livery-server", livery), ("Node server, its MariaDB up already", nodeServer)] {
            let figures = [times.minimum, times.median, times.maximum].map { ($0 / 1000).text(1) }
            table.add(name, "\(runs)", figures[0], figures[1], figures[2])
        }
        let promise = "a server's first answer within 50 ms of its start"
        let goal = Goal(promise: promise, figure: (livery.median / 1000).text(1), isMet: livery.median <= 50_000)
        return Section(
            title: "Start: to a server's first answer",
            parts: [table, goal]
        )
    }

    /// Times in microseconds. The first start finds nothing in the caches, and is not counted.
    private func measure(_ name: String, _ command: Command, port: Int, path: String) throws -> Distribution {
        progress("  \(runs) starts of \(name)")
        func starts(_ runs: Int) throws -> Distribution {
            let program = [command.executable] + command.arguments
            let arguments = ["first-answer", "\(port)", path, "\(runs)"] + program
            return try ServerLoad.run(arguments, environment: command.environment, deadline: .seconds(90))
                .distribution("first")
        }
        _ = try starts(1)
        return try starts(runs)
    }
}
