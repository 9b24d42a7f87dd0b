internal import SystemPackage

/// What the system says of a file. It changes when the file is written to, replaced or given other rights.
package struct FileState: Hashable, Sendable {
    /// What a file is, whatever its names are: its device and its inode.
    package struct Identity: Hashable, Sendable {
        fileprivate var device: UInt64
        fileprivate var inode: UInt64
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
    /// The length of its content in bytes.
    package let size: Int
    /// When its content was last written, in nanoseconds since 1970.
    package let modified: Int64
    private let changed: Int64

    /// The file that a path leads to; `nil` if there is none or this user may not know.
    ///
    /// - Parameter followsLink: whether a symbolic link at the path's end is followed.
    package init?(path: String, followsLink: Bool = true) {
        guard let status = try? Stat(FilePath(path), followTargetSymlink: followsLink) else { return nil }
        self.init(status)
    }

    /// An open file; `nil` if there is none of this number.
    package init?(descriptor: Int32) {
        guard let status = try? Stat(FileDescriptor(rawValue: descriptor)) else { return nil }
        self.init(status)
    }

    init(_ status: Stat) {
        identity = Identity(
            device: UInt64(truncatingIfNeeded: status.deviceID.rawValue),
            inode: UInt64(truncatingIfNeeded: status.inode.rawValue)
        )
        mode = UInt32(status.mode.rawValue) & 0o7777
        (owner, group) = (status.userID.rawValue, status.groupID.rawValue)
        isRegular = status.type == .regular
        size = Int(status.size)
        (modified, changed) = (System.nanoseconds(status.st_mtim), System.nanoseconds(status.st_ctim))
    }
}
