import ConfigModel
import Foundation

/// Reads a file that the user names, up to a limit.
enum InputFile {
    /// The bytes of a file, or of standard input for `-`.
    ///
    /// - Throws: `unreadable`, `tooLarge`.
    static func bytes(at path: String, atMost limit: Int) throws(ConfigError) -> [UInt8] {
        let isStandardInput = path == "-"
        let name = isStandardInput ? "standard input" : path
        let descriptor = isStandardInput ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable(name) }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw unreadable(name) }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= limit else {
                throw ConfigError(.tooLarge, "larger than \(limit.grouped) bytes", source: name)
            }
        }
    }

    /// The text of a file, without one line break at its end.
    static func text(at path: String, atMost limit: Int) throws(ConfigError) -> String {
        var bytes = try bytes(at: path, atMost: limit)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigError(.syntax, "this is not valid UTF-8; save the file in UTF-8", source: path)
        }
        return text
    }

    private static func unreadable(_ name: String) -> ConfigError {
        ConfigError(.unreadable, "cannot be read: \(String(cString: strerror(errno)))", source: name)
    }
}
