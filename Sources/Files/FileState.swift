#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// What the system says of a file.
package struct FileState: Hashable, Sendable {
    /// What a file is, whatever its names are: its device and its inode.
    package struct Identity: Hashable, Sendable {
        private let device: UInt64
        private let inode: UInt64

        init(_ state: stat) {
            (device, inode) = (UInt64(truncatingIfNeeded: state.st_dev), UInt64(state.st_ino))
        }
    }

    /// Which file it is.
    package let identity: Identity
    /// Who may do what with it: the lowest twelve bits.
    package let mode: UInt32
    /// The user that it belongs to.
    package let owner: UInt32
    /// The group that it belongs to.
    package let group: UInt32
    /// Whether it is a regular file, and no folder, link, pipe or device.
    package let isRegular: Bool

    /// The file that a path leads to; `nil` if there is none or this user may not know.
    ///
    /// - Parameter followsLink: whether a symbolic link at the path's end is followed.
    package init?(path: String, followsLink: Bool = true) {
        var state = stat()
        guard (followsLink ? stat(path, &state) : lstat(path, &state)) == 0 else { return nil }
        self.init(state)
    }

    /// An open file; `nil` if the descriptor is none.
    package init?(descriptor: Int32) {
        var state = stat()
        guard fstat(descriptor, &state) == 0 else { return nil }
        self.init(state)
    }

    private init(_ state: stat) {
        identity = Identity(state)
        mode = UInt32(state.st_mode) & 0o7777
        (owner, group) = (state.st_uid, state.st_gid)
        isRegular = state.st_mode & S_IFMT == S_IFREG
    }
}
