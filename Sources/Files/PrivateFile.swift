package import ConfigModel

/// A file that is believed only if nobody but its owner may read it.
package enum PrivateFile {
    /// - Returns: `nil` if there is no such file.
    /// - Throws: `insecure` if others may read it, `unreadable`, `tooLarge`.
    package static func read(_ path: String, atMost limit: Int) throws(ConfigError) -> [UInt8]? {
        do throws(FileError) {
            let content = try FileContent(reading: path, atMost: limit)
            if content.state.mode & 0o077 == 0 { return content.bytes }
        } catch {
            if error.isMissing { return nil }
            if error.isTooLarge {
                throw ConfigError(.tooLarge, "this is larger than \(limit) bytes", source: path)
            }
            throw ConfigError(.unreadable, "this cannot be read: \(error.reason)", source: path)
        }
        let message = "others may read this file, which holds secrets; take that away by `chmod 600`"
        throw ConfigError(.insecure, message, source: path)
    }
}
