// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import ConfigHub
import ConfigModel
import ConfigServer
import ConfigStore
import Files
import Foundation
import Logging
import Metrics
import Programs
import ServiceLifecycle
import UnixSignals

struct Serve: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run the server (default).",
        discussion: """
            Each option can also be set by an environment variable: LIVERY_ADDRESS for --address, LIVERY_TOKEN_FILE \
            for --token-file, and so on; LIVERY_CORS_ORIGIN, LIVERY_ALLOW_HOST and LIVERY_TRUSTED_PROXY take values \
            separated by commas. Options take precedence over variables.

            The exit code is 0 after a shutdown, and 1 if the server cannot start or continue for a reason that may be \
            temporary, such as an address in use. Errors that must be fixed first have higher codes: 64 for the \
            command line or a variable, 65 for the content of a file, 66 for an unreadable file, 71 for too few \
            open files or threads, 77 for a secret that others can read.
            """
    )

    @Option(
        Setting(
            name: "address",
            standard: ServerSettings().address,
            standardText: "\(ServerSettings().address)",
            help: "Address to listen on; port 0 selects a free port",
            valueName: "host:port",
            expected: "host:port, such as 127.0.0.1:3000",
            read: { HostAndPort($0) }
        )
    )
    var address: Setting<HostAndPort>

    @OptionGroup var store: StoreChoice
    @OptionGroup var options: ServeOptions

    func execute() async throws {
        // Until files are reloaded on it, it must not end the program.
        signal(SIGHUP, SIG_IGN)
        ProcessMemory.returnFreeBlocks(arenas: 2 * ProcessInfo.processInfo.activeProcessorCount)
        let settings = Settings()
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        let format = try settings.value(options.logFormat)
        let sink = LogSink { lost, reason in
            format.line(.warning, "dropped log lines: \(reason)", [("lines", "\(lost)")])
        }
        defer { sink.flush() }
        var logger = Logger(label: "livery-server") { _ in LineLogHandler(format: format, sink: sink) }
        logger.logLevel = try settings.value(options.logLevel)
        let shutdown = ShutdownSignals(patience: try settings.value(options.drain), logger: logger, sink: sink)
        let group = ServiceGroup(configuration: try services(settings, registry, logger, shutdown))
        let signals = shutdown.listen { Task { await group.triggerGracefulShutdown() } }
        try await group.run()
        withExtendedLifetime(signals) {}
        logger.notice("ended")
    }

    private func services(
        _ settings: Settings,
        _ registry: PrometheusRegistry,
        _ logger: Logger,
        _ shutdown: ShutdownSignals
    ) throws -> ServiceGroupConfiguration {
        var server = try serverSettings(settings, logger)
        let days = try settings.value(options.historyDays)
        server.hubLimits.draftRetention.age = .seconds(days * 86_400)
        let tokens = try tokenFile(settings, for: server, logger)
        let policy = AccessPolicy(tokens: try tokens?.readSecret())
        let store = try store.make(settings, historyDays: days, logger: logger)
        let scheme = server.tls == nil ? "http://" : "https://"
        let manager = ServiceManager()
        let (listening, listens) = AsyncStream.makeStream(of: Void.self)
        let application = try ServerApplication(
            store: store,
            policy: policy,
            settings: server,
            registry: registry,
            logger: logger
        ) { address in
            logger.notice("listening on \(scheme)\(address)")
            listens.finish()
        }
        let reload = Reload(tokens: tokens, policy: policy, certificate: server.tls, manager: manager, logger: logger)
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: application, failureTerminationBehavior: .cancelGroup),
                .init(service: reload, successTerminationBehavior: .gracefullyShutdownGroup),
            ],
            logger: logger
        )
        if manager.isThere {
            let supervision = Supervision(manager: manager, application: application, listening: listening)
            configuration.services.append(.init(service: supervision))
        }
        // The last one is shut down first.
        configuration.services.append(.init(service: shutdown))
        configuration.maximumGracefulShutdownDuration = shutdown.drain
        return configuration
    }

    private func serverSettings(_ settings: Settings, _ logger: Logger) throws -> ServerSettings {
        var server = try options.serverSettings(settings)
        server.address = try settings.value(address)
        server.limits.connections = try OpenFiles.connections(server.limits.connections, logger)
        return server
    }

    private func tokenFile(_ settings: Settings, for server: ServerSettings, _ logger: Logger) throws -> TokenFile? {
        guard let path = try settings.value(options.tokenFile) else {
            if settings.variable(.token) != nil {
                let token = LiveryVariable.token.name
                logger.warning(
                    """
                    \(token) is a client setting and is ignored: this server requires no token; to require tokens, set \
                    --token-file
                    """
                )
            }
            return nil
        }
        if server.tls == nil, !server.address.isLoopback {
            logger.warning(
                "clients send tokens without encryption; use --tls-certificate, or a TLS proxy on this machine"
            )
        }
        return TokenFile(path: path)
    }
}

/// Reloads the tokens and the certificate on SIGHUP. A broken file changes nothing.
///
/// It returns, and so ends the server, if SIGHUP means that the terminal of the server was closed.
private struct Reload: Service {
    private let isOnTerminal = Output.error.isTerminal
    let tokens: TokenFile?
    let policy: AccessPolicy
    let certificate: ServerCertificate?
    let manager: ServiceManager
    let logger: Logger

    func run() async throws {
        let signals = await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown()
        // It may have been closed before the signal handler was installed.
        if isTerminalClosed() { return }
        for await _ in signals {
            if isTerminalClosed() { return }
            manager.tell(.reloading)
            defer { manager.tell(.reloaded) }
            if let tokens { await reload(tokens) }
            if let certificate { reload(certificate) }
            if tokens == nil, certificate == nil {
                logger.warning("nothing to reload: the server runs without a token file and a certificate")
            }
        }
    }

    private func isTerminalClosed() -> Bool {
        guard isOnTerminal, !Output.error.isTerminal else { return false }
        logger.notice("terminal closed")
        return true
    }

    private func reload(_ file: TokenFile) async {
        do throws(ConfigError) {
            let table = try file.readSecret()
            let ended = try await policy.replace(with: table)
            logger.notice(
                "reloaded the token file",
                metadata: ["count": "\(table.tokens.count)", "file": "\(file.path)", "streams-ended": "\(ended)"]
            )
        } catch {
            if error.code == .insecure { await restrict(to: file, because: error) } else { log(error) }
        }
    }

    /// Others may have written a token into this file, but one that was removed from it must not work any longer.
    private func restrict(to file: TokenFile, because problem: ConfigError) async {
        do throws(ConfigError) {
            let ended = try await policy.restrict(to: try file.read())
            logger.error(
                "insecure token file: new tokens are rejected, removed tokens are revoked: \(problem)",
                metadata: ["streams-ended": "\(ended)"]
            )
        } catch {
            log(problem)
        }
    }

    private func log(_ error: ConfigError) {
        logger.error("cannot reload the token file, keeping the current tokens: \(error)")
    }

    private func reload(_ certificate: ServerCertificate) {
        do throws(ConfigError) {
            try certificate.reload()
            logger.notice("reloaded the certificate", metadata: ["file": "\(certificate.path)"])
        } catch {
            logger.error("cannot reload the certificate, keeping the current one: \(error)")
        }
    }
}
