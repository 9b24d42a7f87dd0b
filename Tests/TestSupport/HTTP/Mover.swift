// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A proxy before several servers on this machine that connects each client to any of them, and cuts connections on request, so
/// that clients move between the servers.
///
/// ```swift
/// let mover = try Mover(before: servers.map(\.port), seed: 3)
/// // … clients that ask http://127.0.0.1:(mover.port) …
/// mover.cut(oneOf: 4)
/// ```
///
/// Bytes pass as they are. A server that refuses connections is passed over.
package final class Mover: Sendable {
    private struct State {
        var targets: [Int]
        var random: SeededGenerator
        var open: [ObjectIdentifier: MovedConnection] = [:]
        var taken = 0
        var cut = 0
        var isClosed = false
    }

    /// The port on 127.0.0.1.
    package let port: Int
    private let listener: OwnedDescriptor
    private let state: Mutex<State>

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - targets: the servers' ports.
    ///   - seed: the seed of the random numbers.
    package init(before targets: [Int], seed: UInt64) throws {
        (listener, port) = try OwnedDescriptor.listening()
        state = Mutex(State(targets: targets, random: SeededGenerator(seed: seed)))
        Thread.detachNewThread { [weak self, listener] in
            while let client = listener.accept() {
                guard let self else { return }
                self.lead(client)
            }
        }
    }

    deinit { close() }

    /// The servers' ports, of which each new connection is led to one.
    package var targets: [Int] {
        get { state.withLock(\.targets) }
        set { state.withLock { $0.targets = newValue } }
    }

    /// The numbers of accepted and of cut connections.
    package var counts: (taken: Int, cut: Int) { state.withLock { ($0.taken, $0.cut) } }

    /// Ends some of the connections without an answer.
    ///
    /// - Parameter share: one of so many, at random.
    package func cut(oneOf share: Int) {
        let cut = state.withLock { state in
            let cut = state.open.values.filter { _ in Int.random(in: 0..<share, using: &state.random) == 0 }
            state.cut += cut.count
            return cut
        }
        for connection in cut { connection.end() }
    }

    /// Ends all connections, and takes no more.
    package func close() {
        let open = state.withLock { state in
            state.isClosed = true
            return Array(state.open.values)
        }
        listener.shutDown()
        for connection in open { connection.end() }
    }

    private func lead(_ client: OwnedDescriptor) {
        let targets = state.withLock { $0.targets.shuffled(using: &$0.random) }
        for port in targets {
            guard let server = try? OwnedDescriptor.connected(to: port) else { continue }
            let connection = MovedConnection(client: client, server: server)
            let isTaken = state.withLock { state in
                guard !state.isClosed else { return false }
                state.open[ObjectIdentifier(connection)] = connection
                state.taken += 1
                return true
            }
            guard isTaken else { return }
            let thread = Thread { [weak self] in
                connection.pass()
                _ = self?.state.withLock { $0.open.removeValue(forKey: ObjectIdentifier(connection)) }
            }
            thread.stackSize = 256 * 1024
            return thread.start()
        }
    }
}

/// A client's connection and the one to a server.
private final class MovedConnection: Sendable {
    private let client: OwnedDescriptor
    private let server: OwnedDescriptor

    init(client: OwnedDescriptor, server: OwnedDescriptor) {
        (self.client, self.server) = (client, server)
    }

    /// Passes bytes until either side ends the connection.
    func pass() {
        var waits = [client, server].map { pollfd(fd: $0.number, events: Int16(POLLIN), revents: 0) }
        while (try? checked("poll") { poll(&waits, 2, -1) }) != nil {
            if waits[0].revents != 0, !Self.pass(from: client, to: server) { break }
            if waits[1].revents != 0, !Self.pass(from: server, to: client) { break }
        }
        end()
    }

    private static func pass(from source: OwnedDescriptor, to target: OwnedDescriptor) -> Bool {
        guard let bytes = source.receive() else { return false }
        return (try? target.sendAll(bytes)) != nil
    }

    func end() {
        client.shutDown()
        server.shutDown()
    }
}
