#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// A lock on a file itself, whatever name it was opened by, which is on none of the bytes that the file will ever have.
package enum WholeFileLock {
    /// Takes the lock, if nobody has it, for as long as the descriptor is open.
    ///
    /// Locks that the file's user has on its bytes, as SQLite does, are neither hindered nor given up by it. Systems other
    /// than Linux have no such lock: there it is always granted.
    ///
    /// - Parameter descriptor: the file, opened to be written.
    /// - Returns: whether it has been taken.
    package static func take(on descriptor: Int32) -> Bool {
        set(F_WRLCK, on: descriptor)
    }

    /// Gives the lock up. Closing the descriptor does so too, unless a process that is just being started has a copy of it.
    package static func release(on descriptor: Int32) {
        _ = set(F_UNLCK, on: descriptor)
    }

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
