import ConfigModel
import ConfigServer
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// Reloads the tokens and the certificate on SIGHUP. A broken file changes nothing.
struct Reload: Service {
    let tokens: TokenFile?
    let policy: AccessPolicy
    let certificate: ServerCertificate?
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            if let tokens { await reload(tokens) }
            if let certificate { reload(certificate) }
            if tokens == nil, certificate == nil {
                logger.warning("nothing to reload: the server was started without tokens and certificate")
            }
        }
    }

    private func reload(_ file: TokenFile) async {
        do throws(ConfigError) {
            let table = try file.read()
            let ended = try await policy.replace(with: table)
            logger.notice(
                "read the tokens again",
                metadata: ["count": "\(table.tokens.count)", "file": "\(file.path)", "streams-ended": "\(ended)"]
            )
        } catch {
            logger.error("the tokens stay as they were: \(error)")
        }
    }

    private func reload(_ certificate: ServerCertificate) {
        do throws(ConfigError) {
            try certificate.reload()
            logger.notice("read the certificate again", metadata: ["file": "\(certificate.path)"])
        } catch {
            logger.error("the certificate stays as it was: \(error)")
        }
    }
}

/// Logs the first signal to shut down, and ends the program at once on a second one.
enum SecondSignal {
    /// Watches for signals until the task is cancelled.
    ///
    /// The service group handles the first and lets the server finish. Everything acknowledged is on disk at any time, so
    /// that an end at once loses nothing; the parent process sees the signal as the cause.
    static func endsProcess(_ logger: Logger) async {
        var isEnding = false
        for await signal in await UnixSignalsSequence(trapping: .sigterm, .sigint) {
            guard isEnding else {
                logger.notice("shutting down on \(signal); a second signal ends at once")
                isEnding = true
                continue
            }
            let number = signal == .sigint ? SIGINT : SIGTERM
            Foundation.signal(number, SIG_DFL)
            // To the process, since the threads of the pool block signals.
            kill(getpid(), number)
        }
    }
}
