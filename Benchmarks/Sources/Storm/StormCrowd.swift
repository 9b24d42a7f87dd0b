// SPDX-License-Identifier: Apache-2.0

import ConfigModel
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport

/// Thousands of clients on one event loop, and what they count. It belongs to that loop.
final class StormCrowd {
    let loop: any EventLoop
    /// The authority of servers with TLS; `nil` for servers without.
    let certificates: NIOSSLContext?
    let events = StormEvents()
    private(set) var clients: [StormClient] = []
    /// The addresses of the servers.
    let addresses: [SocketAddress]
    /// The numbers of the servers that a load balancer in front of them would choose from.
    var servers: [Int]
    /// The addresses of the clients, so many that the kernel finds free ports at once.
    private let sources: [SocketAddress]
    private var turn = 0
    private var sourceTurn = 0
    /// The latest revision that was acknowledged to a publisher.
    private var latest: RevisionCursor?

    /// Since the loss: the attempts that failed, those of them that the system refused, and the answered reads.
    var failures = 0
    private(set) var refused = 0
    var reads = 0
    /// The number of connections in each tenth of a second since the loss.
    private(set) var connections: [Int: Int] = [:]
    private var lossTime = Duration.zero
    /// The time of the last client that became current.
    private(set) var lastCurrentTime = Duration.zero
    /// The number of clients that have not been current since the loss.
    private(set) var missing = 0

    init(on loop: any EventLoop, addresses: [SocketAddress], certificates: NIOSSLContext?) throws {
        sources = try (1...16).map { try SocketAddress(ipAddress: "127.0.1.\($0)", port: 0) }
        (self.loop, self.addresses, self.certificates) = (loop, addresses, certificates)
        servers = Array(addresses.indices)
    }

    var now: Duration { .nanoseconds(Int64(NIODeadline.now().uptimeNanoseconds)) }

    /// The server that a load balancer chooses for a new connection: the servers in turns.
    func nextServer() -> Int {
        turn += 1
        return servers[turn % servers.count]
    }

    func nextSource() -> SocketAddress {
        sourceTurn += 1
        return sources[sourceTurn % sources.count]
    }

    /// Starts more clients.
    func gather(_ count: Int) {
        for _ in 0..<count {
            let client = StormClient(self)
            clients.append(client)
            client.start()
        }
    }

    func isLatest(_ cursor: RevisionCursor) -> Bool {
        latest.map { $0.epoch == cursor.epoch && $0.revision <= cursor.revision } ?? false
    }

    func published(_ cursor: RevisionCursor) {
        if let latest, latest.epoch == cursor.epoch, latest.revision > cursor.revision { return }
        latest = cursor
    }

    /// The number of clients with a state and an open stream.
    var connectedCount: Int { clients.count(where: \.isConnected) }

    /// The number of clients at this position with these contents.
    func count(at cursor: RevisionCursor, _ digest: ConfigDigest) -> Int {
        clients.count { $0.cursor == cursor && $0.digest == digest }
    }
}

// The loss.
extension StormCrowd {
    /// A server is lost now.
    ///
    /// - Parameter server: the server whose clients have to find another; `nil` if all clients keep their streams.
    func lose(_ server: Int?) {
        (lossTime, lastCurrentTime) = (now, now)
        (failures, refused, reads, connections) = (0, 0, 0, [:])
        // The next revision is published after the loss.
        latest?.revision += 1
        if let server, servers.count > 1 { servers.removeAll { $0 == server } }
        for client in clients where server == nil || client.server == server {
            missing += 1
            client.standing = server == nil ? .behind : .onLostServer
        }
    }

    /// A client is current again.
    func noteCurrent() {
        missing -= 1
        lastCurrentTime = now
    }

    func countConnection() { connections[Int((now - lossTime) / .milliseconds(100)), default: 0] += 1 }

    func count(_ error: any Error) {
        if (error as? IOError)?.errnoCode == ECONNREFUSED { refused += 1 }
    }

    /// The time from the loss until the last client was current.
    var recovery: Duration { lastCurrentTime - lossTime }

    /// The maximum number of connections within a second.
    var connectionsPerSecond: Int {
        connections.keys.map { start in (start..<start + 10).reduce(0) { $0 + (connections[$1] ?? 0) } }.max() ?? 0
    }
}

extension StormCrowd {
    /// A crowd, for other threads.
    struct Handle: Sendable {
        /// The number of clients once all have started.
        let count: Int
        private let crowd: NIOLoopBound<StormCrowd>

        init(_ count: Int, on loop: any EventLoop, _ store: StormStore) async throws {
            self.count = count
            let addresses = try store.servers.map { try SocketAddress(ipAddress: "127.0.0.1", port: $0.port) }
            let certificates = try store.certificates.map { _ in
                var configuration = TLSConfiguration.makeClientConfiguration()
                // The key exchange of libcurl with OpenSSL 3.0. Elsewhere, clients do not share the server's processors.
                configuration.curves = [.x25519]
                configuration.certificateVerification = .none
                return try NIOSSLContext(configuration: configuration)
            }
            crowd = try await loop.submit {
                let crowd = try StormCrowd(on: loop, addresses: addresses, certificates: certificates)
                return NIOLoopBound(crowd, eventLoop: loop)
            }.get()
        }

        func run<Value: Sendable>(_ body: @escaping @Sendable (StormCrowd) throws -> Value) async throws -> Value {
            try await crowd.eventLoop.submit { try body(crowd.value) }.get()
        }

        func published(_ cursor: RevisionCursor) async throws { try await run { $0.published(cursor) } }
    }
}
