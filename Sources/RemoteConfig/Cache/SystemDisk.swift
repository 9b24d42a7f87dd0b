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

    package func length(of path: String) throws(CacheDiskError) -> Int? {
        var status = stat()
        if stat(path, &status) == 0 { return Int(status.st_size) }
        if errno == ENOENT || errno == ENOTDIR { return nil }
        throw .last("stat")
    }

    package func read(_ path: String, from offset: Int, atMost count: Int) throws(CacheDiskError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw .last("open")
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(count, 256 * 1024))
        while bytes.count < count {
            let room = min(chunk.count, count - bytes.count)
            let position = off_t(offset + bytes.count)
            let taken = chunk.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, room, position) }
            if taken == 0 { break }
            if taken > 0 { bytes += chunk[..<taken] } else if errno != EINTR { throw .last("read") }
        }
        return bytes
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

    /// How long another process may hold the lock; it needs it only for as long as a write takes.
    private static let lockPatience = Duration.seconds(2)

    package func locked<Outcome>(
        _ path: String,
        _ body: () throws(CacheDiskError) -> Outcome
    ) throws(CacheDiskError) -> Outcome {
        let deadline = ContinuousClock.now + Self.lockPatience
        while true {
            let outcome = try opened(path, O_RDWR | O_CREAT) { (descriptor) throws(CacheDiskError) -> Outcome? in
                try Self.lock(descriptor, until: deadline)
                // Somebody may have emptied the folder meanwhile, and others lock another file of this name by now.
                return Self.isOpen(path, as: descriptor) ? try body() : nil
            }
            if let outcome { return outcome }
            guard ContinuousClock.now < deadline else {
                throw CacheDiskError(step: "lock", reason: "the file of this name is another one again and again")
            }
        }
    }

    /// Not by the waiting kind of `flock`: a process that was stopped while it held the lock must not stop this one.
    private static func lock(_ descriptor: Int32, until deadline: ContinuousClock.Instant) throws(CacheDiskError) {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR, ContinuousClock.now < deadline else { throw .last("lock") }
            poll(nil, 0, 1)
        }
    }

    private static func isOpen(_ path: String, as descriptor: Int32) -> Bool {
        var (named, opened) = (stat(), stat())
        guard stat(path, &named) == 0, fstat(descriptor, &opened) == 0 else { return false }
        return named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
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

extension CacheDiskError {
    /// The error that the system has just reported.
    fileprivate static func last(_ step: String) -> CacheDiskError {
        CacheDiskError(step: step, reason: String(cString: strerror(errno)))
    }
}
