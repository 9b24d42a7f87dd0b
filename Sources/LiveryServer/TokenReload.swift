import ConfigModel
import ConfigServer
import Foundation
import Logging
import ServiceLifecycle
import UnixSignals

/// A file of tokens.
struct TokenFile {
    var path: String

    /// - Throws: ``ConfigError`` with the file and the line.
    func read() throws(ConfigError) -> TokenTable {
        do {
            let bytes = try Data(contentsOf: URL(filePath: path))
            return try TokenTable(file: Array(bytes), named: path)
        } catch let error as ConfigError {
            throw error
        } catch {
            throw ConfigError(
                .unreadable,
                "the token file \(path) cannot be read; make it with 'livery-server token create'",
                underlying: error
            )
        }
    }
}

/// Reads the tokens again on SIGHUP. A file that is broken changes nothing.
struct TokenReload: Service {
    let file: TokenFile?
    let policy: AccessPolicy
    let logger: Logger

    func run() async throws {
        for await _ in await UnixSignalsSequence(trapping: .sighup).cancelOnGracefulShutdown() {
            guard let file else { continue }
            do throws(ConfigError) {
                let table = try file.read()
                policy.replace(with: table)
                logger.notice("read \(table.tokens.count) tokens from \(file.path)")
            } catch {
                logger.error("the tokens stay as they were: \(error)")
            }
        }
    }
}
