// SPDX-License-Identifier: Apache-2.0

internal import Basics
internal import CFileSystem
internal import CLibrary
internal import SystemPackage

/// The calls of the system that swift-system lacks.
enum System {
    /// Makes a folder for the user alone, unless there is something of this name.
    static func makeFolder(_ path: FilePath) throws(FileError) {
        do throws(FileError) {
            try check(path.withPlatformString { mkdir($0, 0o700) }, "mkdir")
        } catch {
            if error.code != .fileExists { throw error }
        }
    }

    /// Checks that this process can make files in a folder.
    static func checkIsWritable(_ folder: FilePath) throws(FileError) {
        // The dot at the end fails for anything but a folder.
        try check(folder.appending(".").withPlatformString { access($0, W_OK | X_OK) }, "open")
    }

    static func move(_ path: FilePath, to other: FilePath) throws(FileError) {
        try check(path.withPlatformString { path in other.withPlatformString { rename(path, $0) } }, "rename")
    }

    /// Gives a file an additional name, which must be new.
    static func addName(_ name: FilePath, to path: FilePath) throws(FileError) {
        try check(path.withPlatformString { path in name.withPlatformString { link(path, $0) } }, "link")
    }

    /// The groups of this process.
    static var groups: [UInt32] {
        var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        let count = getgroups(Int32(groups.count), &groups)
        return [getegid()] + groups.prefix(max(0, Int(count)))
    }

    /// The user whose rights this process has.
    static var user: UInt32 { geteuid() }

    /// An extended attribute of the file that a path leads to; `nil` if there is none. Linux only.
    static func attribute(_ name: String, of path: FilePath) -> [UInt8]? {
        #if os(Linux)
            // Linux has no longer ones.
            var value = [UInt8](repeating: 0, count: 65_536)
            let count = path.withPlatformString { getxattr($0, name, &value, value.count) }
            return count >= 0 ? Array(value.prefix(count)) : nil
        #else
            return nil
        #endif
    }

    static func remove(_ path: FilePath) { _ = path.withPlatformString { unlink($0) } }

    /// The names in a folder but `.` and `..`, in no order.
    static func names(in folder: FilePath) throws(FileError) -> [FilePath.Component] {
        guard let stream = folder.withPlatformString({ opendir($0) }) else {
            throw FileError(step: "opendir", code: Errno(rawValue: errno))
        }
        defer { closedir(stream) }
        var names: [FilePath.Component] = []
        while let entry = readdir(stream) {
            let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
            let name = UnsafeRawPointer(entry).advanced(by: offset).assumingMemoryBound(to: CChar.self)
            guard let name = FilePath.Component(platformString: name), name.kind == .regular else { continue }
            names.append(name)
        }
        return names
    }

    static func makePrivate(_ file: FileDescriptor) throws(FileError) {
        try check(fchmod(file.rawValue, 0o600), "chmod")
    }

    /// Dates a file to now.
    static func touch(_ file: FileDescriptor) throws(FileError) {
        try check(futimens(file.rawValue, nil), "touch")
    }

    /// Sets the owner, the group and the mode of another file.
    static func makeAccessible(_ file: FileDescriptor, like other: FileState) throws(FileError) {
        // In this order: a new owner takes some of the mode away.
        if FileState(descriptor: file.rawValue).map({ ($0.owner, $0.group) != (other.owner, other.group) }) ?? true {
            try check(fchown(file.rawValue, other.owner, other.group), "chown")
        }
        try check(fchmod(file.rawValue, mode_t(other.mode)), "chmod")
    }

    /// Returns once written data would survive a loss of power.
    static func flush(_ file: FileDescriptor) throws(FileError) {
        #if canImport(Darwin)
            // On that system `fsync` leaves the data in the drive's cache. Not every file system supports this.
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
    static func resolved(_ path: FilePath) -> FilePath? {
        guard let resolved = path.withPlatformString({ realpath($0, nil) }) else { return nil }
        defer { free(resolved) }
        return FilePath(platformString: resolved)
    }

    /// The current folder; `nil` if it was deleted or is mounted nowhere.
    static var currentFolder: String? {
        guard let path = getcwd(nil, 0) else { return nil }
        defer { free(path) }
        let text = String(path: path)
        // Linux reports "(unreachable)" for a folder that is no longer mounted.
        return text.isAbsolutePath ? text : nil
    }

    /// The target of a symbolic link; `nil` for anything else.
    static func target(ofLink path: FilePath) -> FilePath? {
        // One more than is read, for the zero at the end.
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = path.withPlatformString { readlink($0, &buffer, buffer.count - 1) }
        return count > 0 ? buffer.withUnsafeBufferPointer { $0.baseAddress.map(FilePath.init(platformString:)) } : nil
    }

    /// The value of an environment variable of this process, which may carry bytes that are not UTF-8.
    static func variable(_ name: String) -> String? { getenv(name).map { String(path: $0) } }

    static var homeFolder: String? { getpwuid(getuid()).map { String(path: $0.pointee.pw_dir) } }

    /// The time of day, in seconds since 1970.
    static var seconds: Int { time(nil) }

    /// A time in nanoseconds since 1970, or the nearest one that fits: a file may be dated to any year.
    static func nanoseconds(_ time: timespec) -> Int64 {
        let whole = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        let sum = whole.partialValue.addingReportingOverflow(Int64(time.tv_nsec))
        return whole.overflow || sum.overflow ? (time.tv_sec < 0 ? .min : .max) : sum.partialValue
    }
}

/// A lock on a file itself, independent of its name and beyond any bytes that the file will ever have.
package enum WholeFileLock {
    /// Acquires the lock, if it is free, for as long as the descriptor, which must be writable, is open. It does not interfere
    /// with locks on bytes of the file, such as SQLite's. Systems other than Linux have no such lock: there it is always
    /// granted.
    package static func acquire(on descriptor: Int32) -> Bool { set(F_WRLCK, on: descriptor) }

    /// Whether the system has such a lock.
    package static var isAvailable: Bool {
        #if canImport(Glibc)
            true
        #else
            false
        #endif
    }

    /// Releases the lock. Closing the descriptor does so too, unless a process that is being started has a copy of it.
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
