import ArgumentParser
import ConfigModel
import ConfigServer
import ConfigStore
import Foundation
import Logging
import Metrics
import ServiceLifecycle
import UnixSignals

/// `livery-server serve`: the default.
struct Serve: AsyncServerCommand {
    static let configuration = CommandConfiguration(
        abstract: "Serve (the default).",
        discussion: """
            Each option may also be given as a variable: LIVERY_ADDRESS for --address, LIVERY_TOKEN_FILE for \
            --token-file, and so on; LIVERY_CORS_ORIGIN, LIVERY_ALLOW_HOST, LIVERY_TRUSTED_PROXY and LIVERY_HINT_PEERS \
            separate their values by commas. An option takes precedence over a variable.

            The exit code is 0 after a shutdown, 1 if the server cannot start or continue, 64 if the command line or a \
            variable is wrong.
            """
    )

    @Option(.address) var address: Given<HostAndPort>
    @OptionGroup var store: StoreChoice
    @OptionGroup var options: ServerOptions

    mutating func execute() async throws {
        // Until files are reloaded on it, it must not end the program.
        signal(SIGHUP, SIG_IGN)
        let settings = Settings()
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        let format = try settings.value(options.logFormat)
        let sink = format.sink()
        defer { sink.flush() }
        var logger = Logger(label: "livery-server") { _ in LineLogHandler(format: format, sink: sink) }
        logger.logLevel = try settings.value(options.logLevel)
        let services = try services(settings, registry, logger)
        async let _: Void = SecondSignal.endsProcess(logger)
        try await ServiceGroup(configuration: services).run()
        logger.notice("ended")
    }

    private func services(
        _ settings: Settings,
        _ registry: PrometheusRegistry,
        _ logger: Logger
    ) throws -> ServiceGroupConfiguration {
        let server = try serverSettings(settings, logger)
        let days = try settings.value(options.historyDays)
        let drain = try settings.value(options.drain)
        let tokens = try tokenFile(settings, for: server, logger)
        let policy = AccessPolicy(tokens: try tokens?.read())
        let store = try store.make(settings, historyDays: days, logger: logger)
        let hub = ConfigHub(store: store, logger: logger, limits: try options.hubLimits(settings))
        let application = try application(hub, policy, server, registry, logger)
        let reload = Reload(tokens: tokens, policy: policy, certificate: application.certificate, logger: logger)
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: application, failureTerminationBehavior: .cancelGroup),
                .init(service: reload),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        if let hints = try options.hints(settings) {
            let service = ReplicaHints(hub: hub, settings: hints, logger: logger) { address in
                logger.notice("receiving hints", metadata: ["at": "\(address)"])
            }
            configuration.services.append(.init(service: service, failureTerminationBehavior: .cancelGroup))
        }
        configuration.maximumGracefulShutdownDuration = .seconds(drain)
        return configuration
    }

    private func serverSettings(_ settings: Settings, _ logger: Logger) throws -> ServerSettings {
        var server = try options.serverSettings(settings)
        server.address = try settings.value(address)
        server.limits.connections = OpenFiles.connections(server.limits.connections, logger)
        return server
    }

    private func tokenFile(_ settings: Settings, for server: ServerSettings, _ logger: Logger) throws -> TokenFile? {
        guard let path = try settings.value(options.tokenFile) else { return nil }
        if server.tls == nil, !server.address.isLoopback {
            logger.warning(
                "tokens come without encryption; use --tls-certificate, or a proxy on this machine that does"
            )
        }
        return TokenFile(path: path)
    }

    private func application(
        _ hub: ConfigHub,
        _ policy: AccessPolicy,
        _ server: ServerSettings,
        _ registry: PrometheusRegistry,
        _ logger: Logger
    ) throws -> ServerApplication {
        let scheme = server.tls == nil ? "http" : "https"
        return try ServerApplication(hub: hub, policy: policy, settings: server, registry: registry, logger: logger) {
            logger.notice("listening on \(scheme)://\($0)")
        }
    }
}
