// SPDX-License-Identifier: Apache-2.0

public import ConfigHub
public import ConfigModel
public import ConfigStore
internal import Foundation
internal import HummingbirdCore
public import Logging
internal import NIOCore
internal import NIOPosix
public import ServiceLifecycle

/// A Livery server: a store's configuration over HTTP, as a service.
///
/// ```swift
/// import ConfigServer
/// import ConfigStoreTesting
/// import Logging
/// import ServiceLifecycle
///
/// let logger = Logger(label: "config")
/// let server = try ServerApplication(store: ReferenceStore(), policy: AccessPolicy(tokens: nil), logger: logger) {
///     print("listening on \($0)")
/// }
/// try await ServiceGroup(services: [server], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger).run()
/// ```
///
/// The program reads, changes and observes the configuration through the ``hub``, without HTTP.
public struct ServerApplication: Service {
    /// The configuration that the server serves. The server runs it.
    public var hub: NamespaceHub { services.hub }

    private let services: ServerServices
    private let settings: ServerSettings
    private let group: any EventLoopGroup
    private let onListening: @Sendable (HostAndPort) async -> Void

    /// Creates a server, which does nothing until it is run.
    ///
    /// - Parameters:
    ///   - store: the store of the configuration. No other process must open it, unless servers can share it.
    ///   - policy: the tokens that requests need.
    ///   - settings: where to listen, and how much to accept.
    ///   - registry: the metrics at `GET /metrics`.
    ///   - logger: for refused requests, changes, and failures of the store.
    ///   - onListening: called once the server accepts connections, with the address that was bound. The store might not have
    ///     been loaded by then; until it has been, requests are answered 503.
    /// - Throws: `ConfigError` if the server would be open to everyone on an address that others can reach.
    public init(
        store: some EntryStore,
        policy: AccessPolicy,
        settings: ServerSettings = ServerSettings(),
        registry: PrometheusRegistry = PrometheusRegistry(),
        logger: Logger,
        onListening: @escaping @Sendable (HostAndPort) async -> Void = { _ in }
    ) throws(ConfigError) {
        if !policy.hasTokens, !settings.address.isLoopback {
            throw ConfigError(
                .invalidOption,
                """
                refusing to listen on \(settings.address) without tokens: anyone who can reach it could change all \
                values; require tokens, or listen on 127.0.0.1
                """,
                source: "tokens"
            )
        }
        let hub = NamespaceHub(store: store, logger: logger, limits: settings.hubLimits)
        services = ServerServices(hub: hub, policy: policy, settings: settings, registry: registry, logger: logger)
        (self.settings, self.onListening) = (settings, onListening)
        group =
            settings.eventLoops.map { MultiThreadedEventLoopGroup(numberOfThreads: $0) }
            ?? MultiThreadedEventLoopGroup.singleton
    }

    /// Returns once each event loop has done some work: soon, unless the server hangs.
    package func isAlive() async -> Bool {
        for loop in group.makeIterator() {
            // A loop that has been shut down does no work.
            guard (try? await loop.submit {}.get()) != nil else { return false }
        }
        return true
    }

    /// Loads the store and serves it until a graceful shutdown, which lets requests end and closes streams, or until the task
    /// is cancelled. Last of all, the store is closed.
    ///
    /// - Throws: `ConfigError` if the address cannot be bound, `StoreError` if the store is damaged.
    public func run() async throws {
        do {
            try await serve()
        } catch {
            await end()
            throw settings.address.explaining(error)
        }
        await end()
    }

    /// Closes the store, and ends the threads that are the server's own.
    private func end() async {
        do throws(StoreError) {
            try await hub.store.close()
        } catch {
            services.logger.error("cannot close the store; everything that was acknowledged is in it: \(error)")
        }
        // A group that has been shut down has no threads any more.
        if settings.eventLoops != nil { try? await group.shutdownGracefully() }
    }

    private func serve() async throws {
        let connections = Connections(services: services, certificate: settings.tls, group: group)
        connections.start()
        defer { connections.stop() }
        // This server logs itself what Hummingbird logs at the level info.
        var logger = services.logger
        logger.logLevel = max(logger.logLevel, .notice)
        // Its error logs are the end of the listener, which is thrown, or of accepting, which the gate reports.
        var ofListener = logger
        ofListener.logLevel = .critical
        // The listener ends before the hub, so that writes in progress are committed.
        let running: [any Service] = [
            services.hub, TokenExpiry(policy: services.policy, logger: services.logger),
            listener(connections, group, ofListener),
        ]
        try await ServiceGroup(configuration: .init(services: running, logger: logger)).run()
        await connections.drain()
    }

    private func listener(_ connections: Connections, _ group: any EventLoopGroup, _ logger: Logger) -> any Service {
        HTTPConnection(connections: connections).server(
            configuration: ServerConfiguration(
                address: .hostname(settings.address.host, port: settings.address.port),
                backlog: 4096
            ),
            onServerRunning: { [limit = settings.limits.connections, logger = services.logger] channel in
                // In front of NIO's own handler for accept errors, which would ask the socket again and again.
                // It fails only for a listener that is closed.
                try? await channel.eventLoop.submit {
                    let gate = AcceptGate(limit: limit, logger: logger)
                    try channel.pipeline.syncOperations.addHandler(gate, position: .first)
                }.get()
                var address = settings.address
                address.port = channel.localAddress?.port ?? address.port
                await onListening(address)
            },
            eventLoopGroup: group,
            logger: logger
        )
    }
}

extension HostAndPort {
    fileprivate func explaining(_ error: any Error) -> any Error {
        let number = error is SocketAddressError ? EADDRNOTAVAIL : (error as? IOError)?.errnoCode
        // Another program may end, and an address may come with its network; rights do not come by themselves.
        let code: ConfigError.Code = number == EACCES ? .invalidOption : .unavailable
        let advice: String
        switch number {
        case EADDRINUSE: advice = "already in use by another program; stop it, or choose another address"
        case EACCES: advice = "permission denied; choose a port above 1023"
        case EADDRNOTAVAIL: advice = "not an address of this machine; choose another"
        default: return error
        }
        return ConfigError(code, "cannot listen on \(self): \(advice)", source: "address", underlying: error)
    }
}
