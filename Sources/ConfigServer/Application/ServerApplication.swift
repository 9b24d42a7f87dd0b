package import ConfigModel
internal import ConfigStore
internal import Hummingbird
internal import HummingbirdCore
package import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// A server: the hub, the routes and the connections, as one service.
package struct ServerApplication: Service {
    private let hub: ConfigHub
    private let policy: AccessPolicy
    private let settings: ServerSettings
    private let registry: PrometheusRegistry
    private let logger: Logger
    private let onListening: @Sendable (ListenAddress) async -> Void
    /// The certificate, where the server speaks TLS.
    package let certificate: ServerCertificate?

    /// Creates a server, which does nothing until it is run.
    ///
    /// - Parameters:
    ///   - hub: the configuration; the server runs it.
    ///   - policy: who may do what.
    ///   - settings: how it is run.
    ///   - registry: where it counts.
    ///   - logger: for what operators should know.
    ///   - onListening: is called once the server takes connections, with the address that it has got.
    /// - Throws: ``ConfigError`` if the server would be open to everyone on an address that others can reach, or if its
    ///   certificate cannot be used.
    package init(
        hub: ConfigHub,
        policy: AccessPolicy,
        settings: ServerSettings = ServerSettings(),
        registry: PrometheusRegistry = PrometheusRegistry(),
        logger: Logger,
        onListening: @escaping @Sendable (ListenAddress) async -> Void = { _ in }
    ) throws(ConfigError) {
        if !policy.hasTokens, !settings.address.isLoopback {
            throw ConfigError(
                .unreadable,
                "\(settings.address) can be reached by others, who could then change everything; "
                    + "name the tokens with --token-file, or listen on 127.0.0.1"
            )
        }
        if let files = settings.tls { certificate = try ServerCertificate(files) } else { certificate = nil }
        self.hub = hub
        self.policy = policy
        self.settings = settings
        self.registry = registry
        self.logger = logger
        self.onListening = onListening
    }

    /// Serves until a graceful shutdown.
    package func run() async throws {
        let group: any EventLoopGroup =
            settings.eventLoops.map { MultiThreadedEventLoopGroup(numberOfThreads: $0) }
            ?? MultiThreadedEventLoopGroup.singleton
        let services = services(group)
        services.start()
        defer { services.stop() }
        do {
            try await application(services, group).run()
        } catch {
            throw ListenError.explained(error, at: settings.address)
        }
    }

    private func services(_ group: any EventLoopGroup) -> ServerServices {
        ServerServices(
            hub: hub,
            policy: policy,
            settings: settings,
            certificate: certificate,
            registry: registry,
            logger: logger,
            group: group
        )
    }

    /// All routes that the server has.
    var routes: [Route] { Self.table(services(MultiThreadedEventLoopGroup.singleton)).routes }

    private func application(_ services: ServerServices, _ group: any EventLoopGroup) -> some ApplicationProtocol {
        // What Hummingbird says at the level info, this server says itself.
        var logger = logger
        logger.logLevel = max(logger.logLevel, .notice)
        return Application(
            router: Self.router(services),
            server: HTTPServerBuilder { HTTPConnection(services: services, responder: $0) },
            configuration: ApplicationConfiguration(
                address: .hostname(settings.address.host, port: settings.address.port),
                backlog: 4096
            ),
            services: [hub],
            onServerRunning: { [limit = settings.limits.connections, logger = self.logger] channel in
                // In front of NIO's own handler for this, which lets the socket be asked again and again.
                try? await channel.eventLoop.submit {
                    let gate = AcceptGate(limit: limit, logger: logger)
                    try channel.pipeline.syncOperations.addHandler(gate, position: .first)
                }.get()
                var address = settings.address
                address.port = channel.localAddress?.port ?? address.port
                await onListening(address)
            },
            eventLoopGroupProvider: .shared(group),
            logger: logger
        )
    }

    /// All routes.
    private static func table(_ services: ServerServices) -> RouteTable {
        return RouteTable([
            ConfigController(services: services),
            EntriesController(services: services),
            HistoryController(services: services),
            TableController(services: services),
            OperationsController(services: services),
        ])
    }

    private static func router(_ services: ServerServices) -> Router<RouteContext> {
        let table = table(services)
        let router = Router(context: RouteContext.self, options: .autoGenerateHeadEndpoints)
        router.add(
            middleware: ProblemMiddleware(table: table, metrics: services.metrics, logger: services.logger)
        )
        table.register(on: router, services)
        return router
    }
}
