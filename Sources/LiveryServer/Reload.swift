import ConfigModel
import ConfigServer
import Logging
import ServiceLifecycle
import UnixSignals

/// Reads the tokens and the certificate again on SIGHUP. A file that is broken changes nothing.
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
                logger.warning("there is nothing to read again; the server was started without tokens and certificate")
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
