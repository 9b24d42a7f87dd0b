// SPDX-License-Identifier: Apache-2.0

internal import SystemPackage

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The calls of the system that swift-system lacks.
enum System {
    /// Makes a folder for the user alone, unless there is something of this name.
    static func makeFolder(_ path: String) throws(FileError) {
        do throws(FileError) {
            try check(mkdir(path, 0o700), "mkdir")
        } catch {
            if error.code != .fileExists { throw error }
        }
    }

    static func move(_ path: String, to other: String) throws(FileError) { try check(rename(path, other), "rename") }

    /// Gives a file one more name, which no other file has.
    static func addName(_ name: String, to path: String) throws(FileError) { try check(link(path, name), "link") }

    static func remove(_ path: String) { unlink(path) }

    static func makePrivate(_ file: FileDescriptor) throws(FileError) {
        try check(fchmod(file.rawValue, 0o600), "chmod")
    }

    /// Gives a file the owner, the group and the mode of another.
    static func makeAccessible(_ file: FileDescriptor, like other: FileState) throws(FileError) {
        // In this order: a new owner takes some of the mode away.
        if FileState(descriptor: file.rawValue).map({ ($0.owner, $0.group) != (other.owner, other.group) }) ?? true {
            try check(fchown(file.rawValue, other.owner, other.group), "chown")
        }
        try check(fchmod(file.rawValue, mode_t(other.mode)), "chmod")
    }

    /// Returns once what was written would survive a loss of power.
    static func flush(_ file: FileDescriptor) throws(FileError) {
        #if canImport(Darwin)
            // There `fsync` leaves it in the drive's cache. Not every file system can do this.
            if fcntl(file.rawValue, F_FULLFSYNC) == 0 { return }
        #endif
        try check(fsync(file.rawValue), "fsync")
    }

    /// Locks a file until it is closed; `resourceTemporarilyUnavailable` if another program has.
    static func lock(_ file: FileDescriptor) throws(FileError) {
        try check(flock(file.rawValue, LOCK_EX | LOCK_NB), "lock")
    }

    private static func check(_ result: Int32, _ step: String) throws(FileError) {
        if result != 0 { throw FileError(step: step, code: Errno(rawValue: errno)) }
    }

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

    static var homeFolder: String? { getpwuid(getuid()).map { String(cString: $0.pointee.pw_dir) } }

    /// The time of day, in seconds since 1970.
    static var seconds: Int { time(nil) }

    /// A time in nanoseconds since 1970, or the nearest one that fits: a file may be dated to any year.
    static func nanoseconds(_ time: timespec) -> Int64 {
        let whole = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let sum = whole.partialValue.addingReportingOverflow(Int64(time.tv_nsec))
        return whole.overflow || sum.overflow ? (time.tv_sec < 0 ? .min : .max) : sum.partialValue
    }
}

/// A lock on a file itself, whatever name it was opened by, which is on none of the bytes that the file will ever have.
package enum WholeFileLock {
    /// Acquires the lock, if nobody has it, for as long as the descriptor, which must be writable, is open.
    /// Locks that the file's user has on its bytes, as SQLite does, are neither hindered nor given up by it. Systems other
    /// than Linux have no such lock: there it is always granted.
    package static func acquire(on descriptor: Int32) -> Bool { set(F_WRLCK, on: descriptor) }

    /// Whether the system has such a lock.
    package static var isAvailable: Bool {
        #if canImport(Glibc)
            true
        #else
            false
        #endif
    }

    /// Gives the lock up. Closing the descriptor does so too, unless a process that is just being started has a copy of it.
    package static func release(on descriptor: Int32) { _ = set(F_UNLCK, on: descriptor) }

    private static func set(_ type: Int32, on descriptor: Int32) -> Bool {
        #if canImport(Glibc)
            var range = flock()
            range.l_type = Int16(type)
            range.l_whence = Int16(SEEK_SET)
            range.l_start = 1 << 62
            range.l_len = 1
            return fcntl(descriptor, setLockOfDescription, &range) == 0
        #else
            return true
        #endif
    }

    /// Linux's `F_OFD_SETLK`: the lock belongs to the open file and not, as the older kind, to the process, which would lose
    /// it by closing any other descriptor of the file.
    private static let setLockOfDescription: Int32 = 37
}
