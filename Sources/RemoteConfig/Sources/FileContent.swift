internal import ConfigModel

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A regular file's bytes, read so that they were all there at one moment.
struct FileContent {
    let bytes: [UInt8]
    let modifiedAt: Timestamp

    /// How often a file that changes under the reader is read again before the last attempt counts.
    private static let attempts = 4

    /// - Throws: `notFound`, `unreadable` or `tooLarge`.
    init(reading path: AbsolutePath) throws(ConfigError) {
        guard !path.text.isEmpty else {
            let message = "the current folder was deleted; name the file by its whole path, or start elsewhere"
            throw ConfigError(.notFound, message)
        }
        // O_NONBLOCK: opening a FIFO must not wait for its writer.
        let descriptor = open(path.text, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Self.failure(errno) }
        defer { close(descriptor) }

        var before = try Self.status(of: descriptor)
        var content = try Self.content(of: descriptor)
        for _ in 1..<Self.attempts {
            let after = try Self.status(of: descriptor)
            if after == before { break }
            before = after
            content = try Self.content(of: descriptor)
        }
        bytes = content
        modifiedAt = before.modifiedAt
    }

    private static func content(of descriptor: Int32) throws(ConfigError) -> [UInt8] {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw failure(errno) }
        var content: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return content }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(errno)
            }
            content += chunk[..<count]
            if content.count > ConfigDocument.maximumBytes {
                throw ConfigError(.tooLarge, "the file is larger than 8 MiB")
            }
        }
    }

    private static func failure(_ code: Int32) -> ConfigError {
        switch code {
        case ENOENT, ENOTDIR:
            ConfigError(.notFound, "the file does not exist")
        default:
            ConfigError(.unreadable, "the file cannot be read: \(String(cString: strerror(code)))")
        }
    }
}

extension FileContent {
    private static func status(of descriptor: Int32) throws(ConfigError) -> FileStatus {
        guard let status = FileStatus(of: descriptor) else { throw failure(errno) }
        guard status.isRegular else {
            throw ConfigError(.unreadable, "this is a folder or a device; name a file")
        }
        return status
    }
}
