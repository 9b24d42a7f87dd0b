import ConfigModel
import Foundation

/// A file that is believed only if nobody but its owner may read it.
enum PrivateFile {
    /// - Returns: `nil` if there is no such file.
    /// - Throws: `insecure` if others may read it, `unreadable`, `tooLarge`.
    static func read(_ path: String) throws(ConfigError) -> [UInt8]? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw ConfigError(.unreadable, "this cannot be read: \(String(cString: strerror(errno)))", source: path)
        }
        guard status.st_mode & 0o077 == 0 else {
            let message = "others may read this file, which holds secrets; take that away by `chmod 600`"
            throw ConfigError(.insecure, message, source: path)
        }
        return try InputFile.bytes(at: path, atMost: 1024 * 1024)
    }
}
