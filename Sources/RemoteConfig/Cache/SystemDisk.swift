#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The file system of the machine.
package struct SystemDisk: CacheDisk {
    package init() {}

    package func makeFolder(_ path: String) throws(CacheDiskError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let parent = path.split(separator: "/").dropLast().joined(separator: "/")
        guard errno == ENOENT, !parent.isEmpty else { throw .last("mkdir") }
        try makeFolder((path.hasPrefix("/") ? "/" : "") + parent)
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw .last("mkdir") }
    }

    package func identity(of path: String) throws(CacheDiskError) -> CacheFileIdentity? {
        var status = stat()
        if stat(path, &status) == 0 {
            return CacheFileIdentity(
                device: UInt64(truncatingIfNeeded: status.st_dev),
                number: UInt64(status.st_ino),
                length: Int(status.st_size)
            )
        }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw .last("stat")
    }

    package func read(_ path: String, from offset: Int) throws(CacheDiskError) -> [UInt8] {
        try opened(path, O_RDONLY | O_NONBLOCK) { (descriptor) throws(CacheDiskError) in
            guard lseek(descriptor, off_t(offset), SEEK_SET) >= 0 else { throw .last("lseek") }
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 256 * 1024)
            while true {
                let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0) }
                if count == 0 { return bytes }
                if count > 0 { bytes += chunk[..<count] } else if errno != EINTR { throw .last("read") }
            }
        }
    }

    package func create(_ path: String) throws(CacheDiskError) {
        try opened(path, O_WRONLY | O_CREAT | O_TRUNC) { (descriptor) throws(CacheDiskError) in
            if fchmod(descriptor, 0o600) != 0 { throw .last("chmod") }
        }
    }

    package func append(_ bytes: [UInt8], to path: String, at length: Int) throws(CacheDiskError) {
        try opened(path, O_WRONLY | O_APPEND) { (descriptor) throws(CacheDiskError) in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count >= 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    let error = CacheDiskError.last("write")
                    ftruncate(descriptor, off_t(length))
                    throw error
                }
            }
        }
    }

    package func flush(_ path: String) throws(CacheDiskError) {
        try opened(path, O_RDONLY) { (descriptor) throws(CacheDiskError) in
            if fsync(descriptor) != 0 { throw .last("fsync") }
        }
    }

    package func flushFolder(_ path: String) throws(CacheDiskError) {
        try opened(path, O_RDONLY | O_DIRECTORY) { (descriptor) throws(CacheDiskError) in
            // Some file systems cannot do this for a folder, and have no need to.
            if fsync(descriptor) != 0, errno != EINVAL { throw .last("fsync") }
        }
    }

    package func move(_ path: String, to other: String) throws(CacheDiskError) {
        if rename(path, other) != 0 { throw .last("rename") }
    }

    /// For how many milliseconds another process may hold the lock; it needs it only for as long as a write takes.
    private static let lockPatience = 2000

    package func locked<Outcome>(
        _ path: String,
        _ body: () throws(CacheDiskError) -> Outcome
    ) throws(CacheDiskError) -> Outcome {
        try opened(path, O_RDWR | O_CREAT) { (descriptor) throws(CacheDiskError) in
            var attempts = 0
            // Not the waiting kind: a process that was stopped while it held the lock must not stop this one.
            while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
                attempts += 1
                guard errno == EWOULDBLOCK || errno == EINTR, attempts < Self.lockPatience else { throw .last("lock") }
                poll(nil, 0, 1)
            }
            return try body()
        }
    }

    private func opened<Outcome>(
        _ path: String,
        _ flags: Int32,
        _ body: (Int32) throws(CacheDiskError) -> Outcome
    ) throws(CacheDiskError) -> Outcome {
        let descriptor = open(path, flags | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw .last("open") }
        defer { close(descriptor) }
        return try body(descriptor)
    }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    read(descriptor, buffer.baseAddress, buffer.count)
}

extension CacheDiskError {
    /// The error that the system has just reported.
    fileprivate static func last(_ step: String) -> CacheDiskError {
        CacheDiskError(step: step, reason: String(cString: strerror(errno)))
    }
}
