// SPDX-License-Identifier: Apache-2.0

package import ConfigHub
package import ConfigModel
package import ConfigStore
internal import Foundation
internal import HummingbirdCore
package import Logging
package import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

package struct ServerApplication: Service {
    private let services: ServerServices
    private let settings: ServerSettings
    private let group: any EventLoopGroup
    private let onListening: @Sendable (HostAndPort) async -> Void

    /// - Parameters:
    ///   - hub: the configuration; the server runs it.
    ///   - onListening: called once the server accepts connections, with the address that was bound.
    /// - Throws: ``ConfigError`` if the server would be open to everyone on an address that others can reach.
    package init(
        hub: ConfigHub,
        policy: AccessPolicy,
        settings: ServerSettings = ServerSettings(),
        registry: PrometheusRegistry = PrometheusRegistry(),
        logger: Logger,
        onListening: @escaping @Sendable (HostAndPort) async -> Void = { _ in }
    ) throws(ConfigError) {
        if !policy.hasTokens, !settings.address.isLoopback {
            throw ConfigError(
                .invalidOption,
                "\(settings.address) can be reached by others, who could then change everything; "
                    + "name the tokens with --token-file, or listen on 127.0.0.1"
            )
        }
        services = ServerServices(hub: hub, policy: policy, settings: settings, registry: registry, logger: logger)
        self.settings = settings
        self.onListening = onListening
        group =
            settings.eventLoops.map { MultiThreadedEventLoopGroup(numberOfThreads: $0) }
            ?? MultiThreadedEventLoopGroup.singleton
    }

    /// Returns once each event loop has done some work: soon, unless the server hangs.
    package func isAlive() async -> Bool {
        for loop in group.makeIterator() {
            guard (try? await loop.submit {}.get()) != nil else { return false }
        }
        return true
    }

    package func run() async throws {
        let connections = Connections(services: services, certificate: settings.tls, group: group)
        connections.start()
        defer { connections.stop() }
        do {
            // This server logs itself what Hummingbird logs at the level info.
            var logger = services.logger
            logger.logLevel = max(logger.logLevel, .notice)
            // What it logs as an error is the end of the listener, which is thrown, or of accepting, which the gate reports.
            var ofListener = logger
            ofListener.logLevel = .critical
            // The listener ends before the hub: writes that are under way are committed.
            let running: [any Service] = [
                services.hub, TokenExpiry(policy: services.policy, logger: services.logger),
                listener(connections, group, ofListener),
            ]
            try await ServiceGroup(configuration: .init(services: running, logger: logger)).run()
            await connections.drain()
        } catch {
            throw settings.address.explaining(error)
        }
    }

    private func listener(_ connections: Connections, _ group: any EventLoopGroup, _ logger: Logger) -> any Service {
        HTTPConnection(connections: connections).server(
            configuration: ServerConfiguration(
                address: .hostname(settings.address.host, port: settings.address.port),
                backlog: 4096
            ),
            onServerRunning: { [limit = settings.limits.connections, logger = services.logger] channel in
                // In front of NIO's own handler for accept errors, which would ask the socket again and again.
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

/// How to run a server. The defaults here and in ``ServerLimits`` are those of `livery-server`.
package struct ServerSettings: Sendable {
    package var address = HostAndPort(host: "127.0.0.1", port: 3000)
    package var tls: ServerCertificate?
    /// The origins whose pages may read and write, or `*`; none by default.
    package var corsOrigins: [String] = []
    /// Host names that the server answers to without tokens, beside those of this machine.
    package var allowedHosts: [String] = []
    package var trustedProxies = TrustedProxies()
    package var limits = ServerLimits()
    /// Compresses a body; `nil` if that does not pay.
    package var compress: @Sendable (ByteBuffer) -> ByteBuffer? = { Gzip.compress($0) }
    /// The number of threads that serve connections; one per processor by default.
    package var eventLoops: Int?

    package init() {}
}

extension HostAndPort {
    fileprivate func explaining(_ error: any Error) -> any Error {
        let number = error is SocketAddressError ? EADDRNOTAVAIL : (error as? IOError)?.errnoCode
        // Another program may end, and an address may come with its network; rights do not come by themselves.
        let code: ConfigError.Code = number == EACCES ? .invalidOption : .unavailable
        let advice: String
        switch number {
        case EADDRINUSE: advice = "is in use by another program; stop it, or choose another with --address"
        case EACCES: advice = "needs more rights than this user has; choose a port above 1023 with --address"
        case EADDRNOTAVAIL: advice = "is no address of this machine; choose one with --address"
        default: return error
        }
        return ConfigError(code, "\(self) \(advice)", underlying: error)
    }
}
