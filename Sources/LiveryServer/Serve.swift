// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
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
        abstract: "Serve (the default).",
        discussion: """
            Each option may also be given as a variable: LIVERY_ADDRESS for --address, LIVERY_TOKEN_FILE for \
            --token-file, and so on; LIVERY_CORS_ORIGIN, LIVERY_ALLOW_HOST and LIVERY_TRUSTED_PROXY separate their values by commas. An option takes precedence over a variable.

            The exit code is 0 after a shutdown, and 1 if the server cannot start or continue but may later, such as at an \
            address that is in use. It is higher where a person has to mend something first: 64 for the command line or a \
            variable, 65 for what a file holds, 66 for a file that cannot be read, 77 for a secret that others can read.
            """
    )

    @Option(
        Setting(
            name: "address",
            standard: ServerSettings().address,
            standardText: "\(ServerSettings().address)",
            help: "Where to listen; port 0 is any free one",
            valueName: "host:port",
            expected: "host:port, such as 127.0.0.1:3000",
            read: { HostAndPort($0) }
        )
    )
    var address: Setting<HostAndPort>

    @OptionGroup var store: StoreChoice
    @OptionGroup var options: ServerOptions

    func execute() async throws {
        // Until files are reloaded on it, it must not end the program.
        signal(SIGHUP, SIG_IGN)
        let settings = Settings()
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        let format = try settings.value(options.logFormat)
        let sink = LogSink { lost, reason in
            format.line(.warning, "lines of this log were lost: \(reason)", [("lines", "\(lost)")])
        }
        defer { sink.flush() }
        var logger = Logger(label: "livery-server") { _ in LineLogHandler(format: format, sink: sink) }
        logger.logLevel = try settings.value(options.logLevel)
        let deadline = ShutdownDeadline(patience: try settings.value(options.drain), logger: logger, sink: sink)
        let group = ServiceGroup(configuration: try services(settings, registry, logger, deadline))
        let signals = deadline.signals { Task { await group.triggerGracefulShutdown() } }
        try await group.run()
        withExtendedLifetime(signals) {}
        logger.notice("ended")
    }

    private func services(
        _ settings: Settings,
        _ registry: PrometheusRegistry,
        _ logger: Logger,
        _ deadline: ShutdownDeadline
    ) throws -> ServiceGroupConfiguration {
        let server = try serverSettings(settings, logger)
        let days = try settings.value(options.historyDays)
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
        configuration.services.append(.init(service: deadline))
        configuration.maximumGracefulShutdownDuration = deadline.drain
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
                    "\(token) is for clients: this server requires no token; name its tokens by --token-file"
                )
            }
            return nil
        }
        if server.tls == nil, !server.address.isLoopback {
            logger.warning(
                "tokens come without encryption; use --tls-certificate, or a proxy on this machine that does"
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
                logger.warning("nothing to reload: the server was started without tokens and certificate")
            }
        }
    }

    private func isTerminalClosed() -> Bool {
        guard isOnTerminal, !Output.error.isTerminal else { return false }
        logger.notice("the terminal was closed")
        return true
    }

    private func reload(_ file: TokenFile) async {
        do throws(ConfigError) {
            let table = try file.readSecret()
            let ended = try await policy.replace(with: table)
            logger.notice(
                "read the tokens again",
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
                "no new token is accepted, and the tokens that the file lacks are removed: \(problem)",
                metadata: ["streams-ended": "\(ended)"]
            )
        } catch {
            log(problem)
        }
    }

    private func log(_ error: ConfigError) { logger.error("the tokens stay as they were: \(error)") }

    private func reload(_ certificate: ServerCertificate) {
        do throws(ConfigError) {
            try certificate.reload()
            logger.notice("read the certificate again", metadata: ["file": "\(certificate.path)"])
        } catch {
            logger.error("the certificate stays as it was: \(error)")
        }
    }
}
