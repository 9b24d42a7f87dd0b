internal import ConfigModel

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What the file system says about a file: it changes when the file is written to, replaced or given other rights.
struct FileStatus: Equatable {
    private let device: UInt64
    private let number: UInt64
    private let size: Int64
    private let modified: Moment
    private let changed: Moment
    let isRegular: Bool

    private struct Moment: Equatable {
        var seconds: Int64
        var nanoseconds: Int64
    }

    /// The status of what is open under a descriptor; `nil` if it cannot be had, with the reason in `errno`.
    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    /// The status of what a path leads to; `nil` if it leads nowhere.
    init?(at path: AbsolutePath) {
        var status = stat()
        guard stat(path.text, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        number = UInt64(status.st_ino)
        size = Int64(status.st_size)
        isRegular = status.st_mode & S_IFMT == S_IFREG
        #if canImport(Glibc)
            (modified, changed) = (Self.moment(status.st_mtim), Self.moment(status.st_ctim))
        #else
            (modified, changed) = (Self.moment(status.st_mtimespec), Self.moment(status.st_ctimespec))
        #endif
    }

    private static func moment(_ time: timespec) -> Moment {
        Moment(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
    }

    /// When the content was last written.
    var modifiedAt: Timestamp {
        Timestamp(milliseconds: modified.seconds * 1000 + modified.nanoseconds / 1_000_000)
    }
}
