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
            --token-file, and so on; LIVERY_CORS_ORIGIN, LIVERY_ALLOW_HOST, LIVERY_TRUSTED_PROXY and LIVERY_HINT_PEERS have theirs \
            separated by commas. An option goes before a \
            variable.

            The exit code is 0 after a shutdown, 1 where the server cannot start or go on, 64 where the command line or a \
            variable is wrong.
            """
    )

    @Option(
        help: ArgumentHelp("Where to listen (default: 127.0.0.1:3000); port 0 is any free one.", valueName: "host:port")
    )
    var address: String?

    @OptionGroup var store: StoreChoice

    @Option(help: ArgumentHelp("The tokens, one JSON object a line, as 'token create' prints them.", valueName: "path"))
    var tokenFile: String?

    @Option(help: ArgumentHelp("The certificate for TLS, with its chain, as PEM.", valueName: "path"))
    var tlsCertificate: String?

    @Option(help: ArgumentHelp("The certificate's private key, as PEM.", valueName: "path"))
    var tlsPrivateKey: String?

    @OptionGroup var access: AccessOptions

    @Option(help: ArgumentHelp("How many days history is kept at least (default: 90).", valueName: "days"))
    var historyDays: Int?

    @Option(help: ArgumentHelp("The most connections (default: 20000).", valueName: "count"))
    var maxConnections: Int?

    @Option(
        help: ArgumentHelp("How often streams tell where the server is, 1 to 20 (default: 10).", valueName: "seconds")
    )
    var heartbeat: Int?

    @OptionGroup var quotas: QuotaOptions

    @OptionGroup var hints: HintOptions

    @Option(help: ArgumentHelp("How long a shutdown may take (default: 10).", valueName: "seconds"))
    var drain: Int?

    @Option(help: "The least that is logged (default: info).")
    var logLevel: LogLevel?

    @Option(help: "How it is logged (default: text).")
    var logFormat: LogFormat?

    mutating func execute() async throws {
        // Until files are read again on it, it must not end the program.
        signal(SIGHUP, SIG_IGN)
        let settings = Settings()
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        let format = try settings.choice(logFormat, "log.format", "LIVERY_LOG_FORMAT", standard: .text)
        let sink = format.sink()
        defer { sink.flush() }
        let logger = try logger(settings, format, sink)

        var server = try serverSettings(settings)
        server.limits.connections = OpenFiles.connections(server.limits.connections, logger)
        let days = try settings.count(historyDays, "history.days", in: 1...36_500, standard: 90)
        let drain = try settings.count(drain, "drain", in: 1...86_400, standard: 10)
        let tokenFile = settings.text(tokenFile, "token.file").map(TokenFile.init)
        if tokenFile != nil, server.tls == nil, !server.address.isLoopback {
            logger.warning(
                "tokens come without encryption; use --tls-certificate, or a proxy on this machine that does"
            )
        }
        let policy = AccessPolicy(tokens: try tokenFile?.read())
        let store = try store.make(settings, historyDays: days, logger: logger)
        let scheme = server.tls == nil ? "http" : "https"
        var limits = ConfigHub.Limits()
        limits.quotas = try quotas.quotas(settings)
        let hub = ConfigHub(store: store, logger: logger, limits: limits)
        let application = try ServerApplication(
            hub: hub,
            policy: policy,
            settings: server,
            registry: registry,
            logger: logger
        ) { address in
            logger.notice("listening on \(scheme)://\(address)")
        }
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: application, failureTerminationBehavior: .cancelGroup),
                .init(
                    service: Reload(
                        tokens: tokenFile,
                        policy: policy,
                        certificate: application.certificate,
                        logger: logger
                    )
                ),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        if let hints = try hints.settings(settings) {
            let service = ReplicaHints(hub: hub, settings: hints, logger: logger) { address in
                logger.notice("hints are heard", metadata: ["at": "\(address)"])
            }
            configuration.services.append(.init(service: service, failureTerminationBehavior: .cancelGroup))
        }
        configuration.maximumGracefulShutdownDuration = .seconds(drain)
        async let _: Void = SecondSignal.endsProcess(logger)
        try await ServiceGroup(configuration: configuration).run()
        logger.notice("ended")
    }

    private func logger(_ settings: Settings, _ format: LogFormat, _ sink: LogSink) throws -> Logger {
        let level = try settings.choice(logLevel, "log.level", "LIVERY_LOG_LEVEL", standard: .info)
        var logger = Logger(label: "livery-server") { _ in LineLogHandler(format: format, sink: sink) }
        logger.logLevel = level.level
        return logger
    }

    private func serverSettings(_ settings: Settings) throws -> ServerSettings {
        var server = ServerSettings()
        if let text = settings.text(address, "address") {
            guard let address = ListenAddress(text) else {
                throw ValidationError("The address is host:port, such as 127.0.0.1:3000, not '\(text)'.")
            }
            server.address = address
        }
        let certificate = settings.text(tlsCertificate, "tls.certificate")
        let privateKey = settings.text(tlsPrivateKey, "tls.private.key")
        if let certificate, let privateKey {
            server.tls = .init(certificate: certificate, privateKey: privateKey)
        } else if certificate != nil || privateKey != nil {
            throw ValidationError("TLS needs both --tls-certificate and --tls-private-key.")
        }
        try access.apply(to: &server, settings)
        server.limits.connections = try settings.count(
            maxConnections,
            "max.connections",
            standard: server.limits.connections
        )
        server.limits.heartbeatSeconds = try settings.count(
            heartbeat,
            "heartbeat",
            // Clients take 25 s of silence for the end.
            in: 1...ServerLimits.longestHeartbeatSeconds,
            standard: server.limits.heartbeatSeconds
        )
        return server
    }
}

/// The least that is logged.
enum LogLevel: String, CaseIterable, ExpressibleByArgument {
    case trace, debug, info, notice, warning, error

    /// The same for the logger.
    var level: Logger.Level { Logger.Level(rawValue: rawValue) ?? .info }
}
