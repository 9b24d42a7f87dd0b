internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The calls of the system that swift-system lacks.
enum System {
    /// Makes a folder for the user alone.
    static func makeFolder(_ path: String) throws(FileError) { try check(mkdir(path, 0o700), "mkdir") }

    /// Gives a file another name, in place of the file that had it.
    static func move(_ path: String, to other: String) throws(FileError) { try check(rename(path, other), "rename") }

    /// Gives a file one more name, which no other file has.
    static func addName(_ name: String, to path: String) throws(FileError) { try check(link(path, name), "link") }

    /// Takes a file's name away, if it has it.
    static func remove(_ path: String) { unlink(path) }

    /// Lets nobody but the owner read and write a file.
    static func makePrivate(_ file: FileDescriptor) throws(FileError) {
        try check(fchmod(file.rawValue, 0o600), "chmod")
    }

    /// Returns once what was written would survive a loss of power.
    static func flush(_ file: FileDescriptor) throws(FileError) { try check(fsync(file.rawValue), "fsync") }

    /// Locks a file until it is closed; `resourceTemporarilyUnavailable` if another program has.
    static func lock(_ file: FileDescriptor) throws(FileError) {
        try check(flock(file.rawValue, LOCK_EX | LOCK_NB), "lock")
    }

    private static func check(_ result: Int32, _ step: String) throws(FileError) {
        if result != 0 { throw FileError(step: step, code: Errno(rawValue: errno)) }
    }

    /// Waits on this thread.
    static func wait(milliseconds: Int32) { poll(nil, 0, milliseconds) }

    /// The path of a file without links in it; `nil` if there is no such file.
    static func resolved(_ path: String) -> String? { owned(realpath(path, nil)) }

    /// The current folder; `nil` if it was deleted or is mounted nowhere.
    static var currentFolder: String? {
        // Linux says "(unreachable)" of a folder that is mounted nowhere any more.
        owned(getcwd(nil, 0)).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }

    private static func owned(_ text: UnsafeMutablePointer<CChar>?) -> String? {
        guard let text else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Where a symbolic link leads; `nil` if there is none.
    static func target(ofLink path: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self) : nil
    }

    /// The user's home of record.
    static var homeFolder: String? { getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } }

    /// The time of day, in seconds since 1970.
    static var seconds: Int { time(nil) }

    /// A time of a file in nanoseconds since 1970.
    static func nanoseconds(_ time: timespec) -> Int64 { Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) }
}
