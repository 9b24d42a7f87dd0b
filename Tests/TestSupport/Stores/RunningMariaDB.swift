// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

#if canImport(Glibc)
    package import Glibc
#elseif canImport(Darwin)
    package import Darwin
#endif

/// A MariaDB in a separate process, with its own data, on a free port of this machine and on a socket.
///
/// ```swift
/// let mariaDB = try RunningMariaDB()
/// let store = try mariaDB.makeDatabase()
/// print(try mariaDB.rows("SELECT 1", in: store))
/// ```
///
/// It is killed, and its data removed, when this object goes away. Its methods block; see ``onDedicatedThread(_:)``.
package final class RunningMariaDB: Sendable {
    /// The port on 127.0.0.1.
    package let port: Int
    private let folder: TemporaryDirectory
    private let options: [String]
    private let process: Mutex<RunningCommand>
    private let databaseCount = Mutex(0)

    /// Makes the data's folder, starts the server and waits until it answers.
    ///
    /// - Parameter options: what to give the server beside its places.
    package init(options: [String] = []) throws {
        let folder = try TemporaryDirectory(prefix: "maria")
        let install = Command(
            "mariadb-install-db",
            [
                "--no-defaults", "--datadir=\(folder["data"])", "--auth-root-authentication-method=normal",
                "--skip-test-db",
            ] + Self.user,
            // Several servers made at once must not share the common folder.
            environment: Command.environment(adding: ["TMPDIR": folder.path])
        )
        _ = try install.run(deadline: .seconds(120)).ofSuccess()
        let started = try Self.startedSomewhere(folder, options)
        port = started.port
        process = Mutex(started.process)
        (self.folder, self.options) = (folder, options)
    }

    /// The path of its socket.
    package var socket: String { folder["socket"] }

    /// The output.
    package var output: String { process.withLock { $0.standardError } }

    /// The id of the process.
    package var processIdentifier: pid_t { process.withLock { $0.processIdentifier } }

    /// The resources that it has used so far.
    package func usage() throws -> ProcessUsage { try process.withLock { try $0.usage() } }

    /// Ends the server by a signal, and waits until it has ended.
    package func stop(signal number: Int32 = SIGTERM) throws {
        try process.withLock { process in
            process.send(signal: number)
            try process.waitForExit()
        }
    }

    /// Starts the server again on its data and its port.
    package func start() throws {
        let started = try Self.start(folder, port: port, options)
        process.withLock { $0 = started }
    }

    /// Stops the server, so that it neither answers nor ends.
    package func pause() { process.withLock { _ = $0.send(signal: SIGSTOP) } }

    /// Resumes the server.
    package func resume() { process.withLock { _ = $0.send(signal: SIGCONT) } }

    /// Cuts all connections of users other than the one that cuts.
    package func cutConnections() throws {
        let ids = try rows(
            "SELECT ID FROM information_schema.PROCESSLIST WHERE ID <> CONNECTION_ID() AND USER = 'root'"
        )
        // Some may be gone by themselves.
        try run(ids.map { "KILL \($0[0]);" }.joined(separator: "\n"), force: true)
    }

    private static func startedSomewhere(
        _ folder: TemporaryDirectory,
        _ options: [String]
    ) throws -> (port: Int, process: RunningCommand) {
        for _ in 0..<5 {
            // The kernel gives none of these to clients.
            let port = Int.random(in: 10_000..<30_000)
            if let process = try? start(folder, port: port, options) { return (port, process) }
        }
        let port = Int.random(in: 10_000..<30_000)
        return (port, try start(folder, port: port, options))
    }

    private static func start(_ folder: TemporaryDirectory, port: Int, _ options: [String]) throws -> RunningCommand {
        let socket = folder["socket"]
        let places = [
            "--datadir=\(folder["data"])", "--socket=\(socket)", "--port=\(port)", "--tmpdir=\(folder.path)",
        ]
        let small = ["--bind-address=127.0.0.1", "--skip-name-resolve", "--innodb-buffer-pool-size=64M"]
        let process = try RunningCommand(Command("mariadbd", ["--no-defaults"] + places + small + user + options))
        try until("MariaDB to answer", deadline: .seconds(90), lastState: process.standardError) {
            guard process.isRunning else { throw FixtureError("MariaDB: \(process.standardError)") }
            return try client(socket, ["-e", "SELECT 1"]).run().status == .exited(0)
        }
        return process
    }

    private static let user = geteuid() == 0 ? ["--user=root"] : []
}

extension RunningMariaDB {
    /// Makes an empty database and returns its name.
    package func makeDatabase() throws -> String {
        let number = databaseCount.withLock { count in
            count += 1
            return count
        }
        try run("CREATE DATABASE livery\(number) CHARACTER SET utf8mb4")
        return "livery\(number)"
    }

    /// The address of a database, as `--store` takes it.
    package func address(of database: String) -> String {
        "mariadb://root@127.0.0.1:\(port)/\(database)"
    }

    /// Runs SQL as a person does, by the server's own client.
    package func run(_ sql: String, in database: String? = nil, force: Bool = false) throws {
        _ = try output(of: sql, in: database, force ? ["--force"] : [])
    }

    /// The rows that some SQL gives, as texts; NULL is `NULL`.
    package func rows(_ sql: String, in database: String? = nil) throws -> [[String]] {
        try output(of: sql, in: database, ["--skip-column-names"]).split(separator: "\n").map { line in
            line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
    }

    private func output(of sql: String, in database: String?, _ options: [String]) throws -> String {
        let script = try TemporaryDirectory(prefix: "sql")
        let file = try script.write(sql, to: "script.sql")
        let words = ["--batch", "--default-character-set=utf8mb4"] + options
        let command = Self.client(socket, words + ["-e", "source \(file)"] + (database.map { [$0] } ?? []))
        let output = try command.run(deadline: .seconds(120))
        return try (options.contains("--force") ? output : output.ofSuccess()).standardOutput
    }

    private static func client(_ socket: String, _ arguments: [String]) -> Command {
        Command("mariadb", ["--no-defaults", "--socket=\(socket)", "--user=root"] + arguments)
    }
}
