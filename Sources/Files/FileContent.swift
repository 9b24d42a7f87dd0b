package import ConfigModel
internal import SystemPackage

/// A regular file's bytes, read so that they were all there at one moment.
package struct FileContent: Sendable {
    /// The content.
    package let bytes: [UInt8]
    /// What the file was when it was read.
    package let state: FileState

    /// How often a file that changes under the reader is read again before the last attempt counts.
    private static let attempts = 4

    /// Reads a file from its beginning to its end.
    ///
    /// - Throws: `FileError` with the code `isDirectory` for anything but a regular file, `fileTooLarge` beyond the limit.
    package init(reading path: String, atMost limit: Int) throws(FileError) {
        // Without waiting: opening a FIFO would wait for its writer.
        let file = try FileError.catching("open") {
            try FileDescriptor.open(FilePath(path), .readOnly, options: [.closeOnExec, .nonBlocking])
        }
        defer { try? file.close() }
        var before = try Self.state(of: file)
        var content = try Self.bytes(of: file, atMost: limit)
        for _ in 1..<Self.attempts {
            let after = try Self.state(of: file)
            if after == before { break }
            before = after
            _ = try FileError.catching("seek") { try file.seek(offset: 0, from: .start) }
            content = try Self.bytes(of: file, atMost: limit)
        }
        (bytes, state) = (content, before)
    }

    private static func state(of file: FileDescriptor) throws(FileError) -> FileState {
        let state = try FileError.catching("stat") { FileState(try Stat(file)) }
        if !state.isRegular { throw FileError(step: "open", code: .isDirectory) }
        return state
    }
}

extension FileContent {
    /// The bytes of whatever a path leads to.
    ///
    /// - Throws: `FileError` with the code `fileTooLarge` beyond the limit.
    package static func bytes(at path: String, atMost limit: Int) throws(FileError) -> [UInt8] {
        let file = try FileError.catching("open") {
            try FileDescriptor.open(FilePath(path), .readOnly, options: .closeOnExec)
        }
        defer { try? file.close() }
        return try bytes(of: file, atMost: limit)
    }

    /// The bytes of standard input.
    ///
    /// - Throws: `FileError` with the code `fileTooLarge` beyond the limit.
    package static func standardInput(atMost limit: Int) throws(FileError) -> [UInt8] {
        try bytes(of: .standardInput, atMost: limit)
    }

    private static func bytes(of file: FileDescriptor, atMost limit: Int) throws(FileError) -> [UInt8] {
        let bytes = try file.bytes(atMost: limit + 1)
        if bytes.count > limit { throw FileError(step: "read", code: .fileTooLarge) }
        return bytes
    }
}

extension FileDescriptor {
    /// What can be read from here to the end, or as many bytes.
    func bytes(atMost count: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(count, 256 * 1024))
        while bytes.count < count {
            let room = min(chunk.count, count - bytes.count)
            let length = try FileError.catching("read") {
                try chunk.withUnsafeMutableBytes { buffer in
                    try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<room]))
                }
            }
            if length == 0 { break }
            bytes += chunk[..<length]
        }
        return bytes
    }
}

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
                throw ConfigError(.tooLarge, "larger than \(limit) bytes", source: path)
            }
            throw ConfigError(.unreadable, "cannot be read: \(error.reason)", source: path)
        }
        let message = "others may read this file with secrets; run `chmod 600` on it"
        throw ConfigError(.insecure, message, source: path)
    }
}
