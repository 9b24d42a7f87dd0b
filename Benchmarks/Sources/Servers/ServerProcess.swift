// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport

/// A server on this machine, for as long as it is held on to.
final class ServerProcess: Sendable {
    let name: String
    let port: Int
    /// The server's folder, which must exist as long as the server.
    private let folder: TemporaryDirectory?
    private let running: RunningCommand

    /// Starts a server, and waits until it answers.
    ///
    /// - Parameters:
    ///   - port: The port that the server listens on.
    ///   - folder: The server's folder.
    ///   - isReady: Whether it answers.
    init(_ name: String, port: Int, in folder: TemporaryDirectory?, _ command: Command, isReady: () throws -> Bool)
        throws
    {
        (self.name, self.port, self.folder) = (name, port, folder)
        running = try RunningCommand(command)
        let running = running
        try until("\(name) to answer", deadline: .seconds(60), lastState: running.standardError) {
            guard running.isRunning else { throw BenchmarkFailure("\(name) ended: \(running.standardError)") }
            return try isReady()
        }
    }

    /// A server that is ready when it answers a path with 200.
    convenience init(
        _ name: String,
        port: Int,
        in folder: TemporaryDirectory?,
        _ command: Command,
        answering path: String
    ) throws {
        try self.init(name, port: port, in: folder, command) { try HTTPCall(port: port, path).isAnswered() }
    }

    deinit {
        // In peace first: nginx leaves its workers behind when it is killed.
        running.send(signal: SIGTERM)
        _ = try? running.waitForExit(deadline: .seconds(20))
    }

    var processIdentifier: pid_t { running.processIdentifier }

    /// The resources that the server has used so far.
    func usage() throws -> ProcessUsage { try running.usage() }

    /// The address of a path.
    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}
