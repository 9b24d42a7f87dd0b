// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A MariaDB with Debian's defaults and its own data, on a socket in its folder.
final class MariaDBProcess: Sendable {
    let socket: String
    private let folder: TemporaryDirectory
    private let process: ServerProcess

    init() throws {
        let folder = try TemporaryDirectory(prefix: "bench")
        let data = folder["data"]
        let socket = folder["socket"]
        let user = geteuid() == 0 ? ["--user=root"] : []
        let install = Command(
            "mariadb-install-db",
            ["--no-defaults", "--datadir=\(data)", "--auth-root-authentication-method=normal", "--skip-test-db"] + user
        )
        let output = try install.run(deadline: .seconds(120))
        guard output.status == .exited(0) else {
            throw BenchmarkFailure("MariaDB cannot be set up: \(output.standardOutput)\(output.standardError)")
        }
        let command = Command(
            "mariadbd",
            ["--no-defaults", "--datadir=\(data)", "--socket=\(socket)", "--skip-networking"] + user
        )
        (self.folder, self.socket) = (folder, socket)
        process = try ServerProcess("MariaDB", port: 0, in: folder, command) {
            try Self.client(socket, ["-e", "SELECT 1"]).run().status == .exited(0)
        }
    }

    /// The resources that the server has used so far.
    func usage() throws -> ProcessUsage { try process.usage() }

    /// Makes a database without tables.
    func create(_ name: String) throws {
        try run(["-e", "CREATE DATABASE \(name)"], deadline: .seconds(20))
    }

    /// Creates the database "config" again, with a number of rows.
    func recreate(rows count: Int) throws {
        guard let schema = try? String(contentsOfFile: NodeServer.folder + "/schema.sql", encoding: .utf8) else {
            throw BenchmarkFailure("\(NodeServer.folder)/schema.sql is not there; run this in the project's folder")
        }
        let script =
            "DROP DATABASE IF EXISTS config;\n" + schema + "\nUSE config;\n" + SampleEntries(count: count).inserts
        let file = try folder.write(script, to: "script.sql")
        try run(["--default-character-set=utf8mb4", "-e", "source \(file)"], deadline: .seconds(120))
    }

    private func run(_ arguments: [String], deadline: Duration) throws {
        let output = try Self.client(socket, arguments).run(deadline: deadline)
        guard output.status == .exited(0) else { throw BenchmarkFailure("MariaDB: \(output.standardError)") }
    }

    private static func client(_ socket: String, _ arguments: [String]) -> Command {
        Command("mariadb", ["--no-defaults", "--socket=\(socket)", "--user=root"] + arguments)
    }
}
