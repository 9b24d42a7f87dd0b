import ConfigModel
import Foundation

/// A file that its owner alone may read, and that is whole whenever it is there.
enum PrivateFile {
    /// - Returns: `nil` if there is no such file.
    /// - Throws: `insecure` if others may read it, `unreadable`, `tooLarge`.
    static func read(_ path: String) throws(ConfigError) -> [UInt8]? {
        var status = stat()
        guard stat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw failure(.unreadable, "this cannot be read", path)
        }
        guard status.st_mode & 0o077 == 0 else {
            let message = "others may read this file, which holds secrets; take that away by `chmod 600`"
            throw ConfigError(.insecure, message, source: path)
        }
        return try InputFile.bytes(at: path, atMost: 1024 * 1024)
    }

    /// Puts a file in place of the former one in one step, with mode 0600.
    ///
    /// A link stays a link: what it leads to is replaced.
    static func write(_ bytes: [UInt8], to path: String) throws(ConfigError) {
        let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
        let temporary = "\(target).\(UInt64.random(in: .min ... .max))"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(.unreadable, "this cannot be written", path) }
        let isWritten = fill(descriptor, with: bytes)
        let reason = errno
        close(descriptor)
        guard isWritten, rename(temporary, target) == 0 else {
            let number = isWritten ? errno : reason
            unlink(temporary)
            errno = number
            throw failure(.unreadable, "this cannot be written", path)
        }
        synchronizeFolder(of: target)
    }

    private static func fill(_ descriptor: Int32, with bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return false }
            rest = rest.dropFirst(max(count, 0))
        }
        return fchmod(descriptor, 0o600) == 0 && fsync(descriptor) == 0
    }

    /// Only after this a power cut cannot bring the former file back.
    private static func synchronizeFolder(of path: String) {
        let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { return }
        fsync(folder)
        close(folder)
    }

    fileprivate static func failure(_ code: ConfigError.Code, _ what: String, _ path: String) -> ConfigError {
        ConfigError(code, "\(what): \(String(cString: strerror(errno)))", source: path)
    }
}

/// Keeps two programs from changing the files of a folder at once.
struct FolderLock {
    private let descriptor: Int32

    /// Makes the folder if it is missing, for its owner only, and waits until nobody else holds it.
    init(_ folder: String) throws(ConfigError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw ConfigError(.unreadable, "this folder cannot be made", source: folder, underlying: error)
        }
        descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0, flock(descriptor, LOCK_EX) == 0 else {
            throw PrivateFile.failure(.unreadable, "this folder cannot be locked", folder)
        }
    }

    func release() { close(descriptor) }
}
