package import ConfigModel

/// A file with secrets, which is read only if no one but its owner may read it.
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
                throw ConfigError(.tooLarge, "larger than \(limit) bytes", source: path)
            }
            throw ConfigError(.unreadable, "cannot be read: \(error.reason)", source: path)
        }
        let message = "others may read this file with secrets; run `chmod 600` on it"
        throw ConfigError(.insecure, message, source: path)
    }
}
