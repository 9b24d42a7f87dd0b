// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport

/// Several servers on one store, and before them a proxy that leads each connection to any of them.
///
/// Its methods block; see `onDedicatedThread`.
final class Replicas: Sendable {
    /// Leads connections to the servers.
    let mover: Mover
    private let servers: Mutex<[RunningServer]>
    private let arguments: [String]
    private let environment: [String: String]

    /// Starts the servers.
    ///
    /// - Parameters:
    ///   - count: how many.
    ///   - store: the value of `--store`.
    ///   - environment: variables to add, such as the store's password.
    init(_ count: Int, on store: String, environment: [String: String] = [:]) throws {
        let arguments = ["--store", store, "--heartbeat", "1"]
        let servers = try (0..<count).map { _ in try RunningServer(arguments: arguments, environment: environment) }
        mover = try Mover(before: servers.map(\.port), seed: 7)
        self.servers = Mutex(servers)
        (self.arguments, self.environment) = (arguments, environment)
    }

    /// The address for clients.
    var address: String { "http://127.0.0.1:\(mover.port)" }

    /// The servers, of which one may be down.
    var all: [RunningServer] { servers.withLock(\.self) }

    /// Ends a server by a signal, and starts another in its place.
    func restart(_ number: Int, by signal: Int32) throws {
        try all[number].stop(signal: signal)
        let server = try RunningServer(arguments: arguments, environment: environment)
        servers.withLock { $0[number] = server }
        mover.targets = all.map(\.port)
    }

    /// Stops a server as it stands, until something has happened, and lets it go on as if no time had passed.
    func pause(_ number: Int, until happened: () -> Bool) throws {
        let server = all[number]
        server.send(signal: SIGSTOP)
        defer { server.send(signal: SIGCONT) }
        try until("something happens") { happened() }
    }
}
