package import ConfigModel
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// A file that is replaced whole or not at all, readable by its owner only.
package struct AtomicFile: Sendable {
    /// Where it is.
    package let path: String
    private let lockPatience: Duration

    /// Names a file, which need not be there.
    ///
    /// - Parameter lockPatience: how long another program may hold the lock; it needs it only for as long as a write takes.
    package init(path: String, lockPatience: Duration = .seconds(10)) {
        self.path = path
        self.lockPatience = lockPatience
    }

    /// The file's bytes, or `nil` if there is none.
    func read() throws(ConfigError) -> [UInt8]? {
        do {
            return [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        } catch {
            throw problem(.unreadable, "the file cannot be read; check its permissions", error)
        }
    }

    /// Writes beside the file, flushes to the disk, and renames: whoever reads sees the old content or the new, and a power
    /// failure leaves one of the two. The folder is not flushed, which would cost as much again.
    package func replace(with bytes: [UInt8]) throws(ConfigError) {
        // A link to the file, as people keep their settings in a repository, stays one.
        let target = URL(filePath: path).resolvingSymlinksInPath()
        let folder = target.deletingLastPathComponent().path(percentEncoded: false)
        let suffix = String(UInt64.random(in: .min ... .max), radix: 36)
        let temporary = folder + "/." + target.lastPathComponent + "." + suffix
        do {
            try makeFolder(folder)
            try Self.write(bytes, to: temporary)
            if rename(temporary, target.path(percentEncoded: false)) != 0 { throw Self.systemError() }
        } catch {
            unlink(temporary)
            throw problem(
                .unreadable,
                "the file cannot be written; check the folder's permissions and free space",
                error
            )
        }
    }

    /// Does something while no other program that asks for the same does it in this folder.
    ///
    /// The folder itself is locked, as the file is replaced and a file beside it would have to be cleaned up. Where there
    /// is no folder that could be locked, there is nothing to protect either, or writing will say what is wrong.
    ///
    /// It waits for others, so that it is nothing for a thread that serves a screen.
    ///
    /// - Throws: `unavailable` if another program holds the lock for longer than there is patience.
    package func withLock<Result>(_ body: () throws(ConfigError) -> Result) throws(ConfigError) -> Result {
        let folder = URL(filePath: path).resolvingSymlinksInPath().deletingLastPathComponent()
        try? makeFolder(folder.path(percentEncoded: false))
        let descriptor = open(folder.path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return try body() }
        // Closing the descriptor, which the system also does for a program that dies, unlocks.
        defer { close(descriptor) }
        let deadline = ContinuousClock.now + lockPatience
        // Not by the waiting kind of `flock`: a program that was stopped while it held the lock must not stop this one.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
            guard ContinuousClock.now < deadline else {
                let message = "another program has locked the folder for too long; end it, or try again"
                throw ConfigError(.unavailable, message, source: path)
            }
            poll(nil, 0, 5)
        }
        return try body()
    }

    /// Renames a file that is of no use, so that a person may look at it, and returns its new name.
    func setAside() throws(ConfigError) -> String {
        let seconds = Int(Date().timeIntervalSince1970)
        for attempt in 0..<100 {
            let aside = "\(path).damaged-\(seconds)" + (attempt == 0 ? "" : "-\(attempt)")
            // A link is made only where nothing stands, where a rename would replace an earlier one.
            if link(path, aside) == 0 {
                unlink(path)
                return URL(filePath: aside).lastPathComponent
            }
            if errno != EEXIST { break }
        }
        throw problem(.unreadable, "the damaged file cannot be renamed; remove it", Self.systemError())
    }

    private func makeFolder(_ folder: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw systemError() }
        defer { close(descriptor) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Self.write(descriptor, $0) }
            if count < 0, errno != EINTR { throw systemError() }
            rest = rest.dropFirst(max(count, 0))
        }
        if fsync(descriptor) != 0 { throw systemError() }
    }

    private static func write(_ descriptor: Int32, _ buffer: UnsafeRawBufferPointer) -> Int {
        #if canImport(Glibc)
            Glibc.write(descriptor, buffer.baseAddress, buffer.count)
        #elseif canImport(Musl)
            Musl.write(descriptor, buffer.baseAddress, buffer.count)
        #else
            Darwin.write(descriptor, buffer.baseAddress, buffer.count)
        #endif
    }

    private static func systemError() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    private func problem(_ code: ConfigError.Code, _ message: String, _ underlying: any Error) -> ConfigError {
        ConfigError(code, message, source: path, underlying: underlying)
    }
}
