import ConfigModel
import ConfigServer
import Files
import Foundation

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

    /// Adds a token at the file's end.
    ///
    /// - Parameter show: shows the token to its future holder. If it throws, the file stays as it was.
    /// - Throws: ``ConfigError`` if the file is broken already, has the name already, or cannot be written.
    func append(_ token: AccessToken, showing show: () throws -> Void) throws {
        let present = (try? Data(contentsOf: URL(filePath: path))) ?? Data()
        let tokens = try TokenTable(file: Array(present), named: path).tokens
        guard !tokens.contains(where: { $0.name == token.name }) else {
            let message = "there is a token '\(token.name)' already; choose another name, or remove its line first"
            throw ConfigError(.duplicateKey, message, source: path)
        }
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw unwritable(OutputError(code: errno)) }
        defer { close(descriptor) }
        try show()
        let isOpenLine = present.last.map { $0 != UInt8(ascii: "\n") } ?? false
        do throws(OutputError) {
            try Output(descriptor: descriptor).write((isOpenLine ? "\n" : "").utf8 + token.json + "\n".utf8)
            guard fsync(descriptor) == 0 else { throw OutputError(code: errno) }
        } catch {
            throw unwritable(error)
        }
    }

    private func unwritable(_ error: OutputError) -> ConfigError {
        ConfigError(.unreadable, "the token file \(path) cannot be written: \(error.reason)")
    }
}
